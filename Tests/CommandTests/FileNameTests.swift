import TestSupport
import Testing

/// Names of files that are no UTF-8, the standard input and output, and pictures of other formats.
@Suite struct FileNameTests {
  private let picture = HandmadePNG(colorType: 2, width: 12, height: 9) { x, y in [x, y, 99] }.bytes

  /// Runs a script of the shell in a folder, where `ctl` is `backdropctl`.
  private func run(_ script: String, in folder: CommandFolder) throws -> ProgramOutcome {
    let program = "cd '\(folder.path)'; ctl() { '\(ProgramPaths.backdropctl)' \"$@\"; }\n"
    return try Child.run("/bin/bash", ["-c", program + script], environment: ["HOME": folder.path])
  }

  @Test func namesOfAnyBytesAreUsedAsTheyAre() throws {
    let folder = CommandFolder()
    folder.write("in.png", picture)
    let outcome = try run(
      """
      mkdir $'d\\xe9' && cd $'d\\xe9' && cp ../in.png $'\\xff\\xfe.png' &&
      ctl blur $'\\xff\\xfe.png' $'o\\xe9.png' --sigma 5 --content $'\\xff\\xfe.png' &&
      ctl blur ../in.png $'\\xf4\\x8f\\xbb\\xa9.png' --sigma 5; ctl blur $'none\\xe9' out.png --sigma 5
      ls | LC_ALL=C od -An -c; cd ..; rm -r d*
      """, in: folder)
    #expect(outcome.err.contains("cannot read none\\xE9: there is no such file"), "\(outcome.err)")
    let names = outcome.out.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(
      names.contains("o 351 . p n g") && names.contains("364 217 273 251 . p n g"), "\(names)")
    #expect(folder.files == ["in.png"])
  }

  /// The configuration, and images that it names, are in a folder whose name is not UTF-8.
  @Test func configurationMayBeInAnyFolder() throws {
    let folder = CommandFolder()
    folder.write("in.png", picture)
    let outcome = try run(
      #"""
      export XDG_CONFIG_HOME=$PWD/$'h\xe9'; mkdir -p $XDG_CONFIG_HOME/backdropd && cd $XDG_CONFIG_HOME/backdropd
      cp ../../in.png $'i\xe8.png'; echo 'rate = 30;' >$'inc\xe9'
      echo '@include "inc\xe9"' >backdropd.conf
      echo 'panes = ( { name = "a"; geometry = "9x9+0+0"; content = ( { image = "i\xe8.png"; } ); } );' >>backdropd.conf
      ctl config check; ctl config show >../shown && ctl config check ../shown; cd ../..; rm -r h*
      """#, in: folder)
    #expect(outcome.err == "")
    #expect(outcome.out.split(separator: "\n").count { $0.hasSuffix("1 pane, 0 materials") } == 2)
    #expect(outcome.out.contains("h\\xE9/backdropd/backdropd.conf: nothing is wrong"))
  }

  @Test func dashIsTheStandardInputOrOutput() throws {
    let folder = CommandFolder()
    folder.write("in.png", picture)
    let outcome = try run(
      """
      ctl blur in.png out.png --sigma 5 && ctl blur - - --sigma 5 <in.png >1.png && cmp out.png 1.png
      ctl blur in.png /dev/stdout --sigma 5 | cmp out.png -
      mkfifo f; ctl blur in.png f --sigma 5 & cmp out.png f; wait; rm f
      ctl materials --sheet - --over - <in.png | head -c 4 | od -An -c
      echo 'rate = 30;' | ctl config check -; echo 'rate = 31;' | ctl config show - | grep rate
      echo 'rte = 3;' | ctl config check -; ctl blur - x.png --sigma 5 --label - <in.png
      ctl behind add a --title $'\\xe9'; ctl blur in.png x.png --sigma 5 --content -; ctl bench frame --output - --runs 1
      rm out.png 1.png
      """, in: folder)
    #expect(
      !outcome.out.contains("differ") && outcome.out.contains("211   P   N   G"), "\(outcome.out)")
    #expect(outcome.out.contains("the standard input: nothing is wrong"), "\(outcome.out)")
    #expect(outcome.out.contains("rate = 31;"), "\(outcome.out)")
    let lines = outcome.err.split(separator: "\n")
    let parts = [
      "the standard input:1: there is no setting 'rte'", "the standard input is given twice",
      "title: cannot read '\\xE9'; it takes text in UTF-8", "name a file", "output: name a file",
    ]
    #expect(
      lines.count == parts.count && zip(lines, parts).allSatisfy { $0.contains($1) }, "\(lines)")
    #expect(folder.files == ["in.png"])
  }

  @Test(
    arguments: [
      ("JPEG", [0xFF, 0xD8, 0xFF, 0xE0]), ("GIF", Array("GIF89a".utf8)),
      ("BMP", Array("BM....".utf8)),
      ("WebP", Array("RIFF\0\0\0\0WEBPVP8 ".utf8)), ("AVIF", Array("\0\0\0\u{20}ftypavif".utf8)),
      ("SVG", Array("<?xml version=\"1.0\"?>\n<!-- a -->\n<svg width=\"9\">".utf8)),
      ("SVG", Array("\u{FEFF}<svg xmlns=\"\"/>".utf8)), ("TIFF", [0x49, 0x49, 0x2A, 0]),
      ("JPEG XL", [0xFF, 0x0A]),
    ] as [(String, [UInt8])])
  func otherFormatIsNamed(format: String, start: [UInt8]) {
    let folder = CommandFolder()
    folder.write("in.png", start)
    let outcome = folder.run("blur", "@in.png", "@out.png", "--sigma", "5")
    #expect(
      outcome.status == .exited(65) && outcome.err.contains("is a \(format) picture, not PNG"))
    #expect(outcome.err.contains("convert"), "\(outcome.err)")
  }

  @Test func appleFormatOfPNGIsNamed() {
    let folder = CommandFolder()
    let chunk: [UInt8] = [0, 0, 0, 4] + Array("CgBI".utf8) + [0x50, 0, 0x20, 2, 0, 0, 0, 0]
    folder.write("in.png", picture.prefix(8) + chunk + picture.dropFirst(8))
    let outcome = folder.run("blur", "@in.png", "@out.png", "--sigma", "5")
    #expect(outcome.status == .exited(65) && outcome.err.contains("CgBI"), "\(outcome.err)")
  }

  /// Messages leave out characters that control a terminal; JSON has them as escapes.
  @Test func messagesDoNotControlTheTerminal() throws {
    let folder = CommandFolder()
    let outcome = try run(
      "ctl blur $'\\e[31m\\xc2\\x9b\\xe2\\x80\\xaea\\n' out.png --sigma 5", in: folder)
    #expect(outcome.err.contains("cannot read ?[31m??a?: there is no such file"), "\(outcome.err)")
  }
}
