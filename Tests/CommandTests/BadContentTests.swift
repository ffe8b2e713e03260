import TestSupport
import Testing

/// Wrong content: one line names it, and nothing is written. No daemon is needed.
@Suite struct BadContentTests {
  private let folder = CommandFolder()

  init() {
    let picture = HandmadePNG(colorType: 2, width: 40, height: 30) { x, y in [x, y, 99] }
    folder.write("in.png", picture.bytes)
    folder.write("icon.png", picture.bytes)
    folder.write("short.png", Array(picture.bytes.dropLast(30)))
    folder.write("text.png", Array("This is a text.\n".utf8))
    var huge = picture
    (huge.width, huge.height) = (20000, 20000)
    let header = HandmadePNG.signature + huge.header
    folder.write("huge.png", header + picture.bytes[header.count...])
  }

  private func expectFailure(_ arguments: [String], _ status: Int32, _ words: [String]) throws {
    let words = words + ["backdropctl: "]
    for command in [
      ["blur", "@in.png", "@out.png", "--sigma=5"], ["set", "x"],
      ["add", "x", "--geometry=9x9+0+0"],
    ] {
      let all = (command + arguments).map {
        $0.hasPrefix("@") ? "\(folder.path)/\($0.dropFirst())" : $0
      }
      let outcome = try Child.run(ProgramPaths.backdropctl, all, environment: [:])
      #expect(outcome.status == .exited(status), "\(outcome.err)")
      #expect(outcome.out.isEmpty && outcome.err.count { $0 == "\n" } == 1)
      for word in words { #expect(outcome.err.contains(word), "\(outcome.err)") }
    }
    #expect(!folder.files.contains("out.png"))
  }

  @Test(arguments: [
    ("missing.png", 66, "No such file"), ("short.png", 65, "cut short"), ("text.png", 65, "no PNG"),
  ])
  func unreadableImageIsNamed(_ name: String, _ status: Int32, _ reason: String) throws {
    try expectFailure(["--content", "@" + name], status, [name, reason])
    try expectFailure(
      ["--content", "@icon.png", "--label", "a", "--content", "@" + name], status, [name, reason])
  }

  @Test func tooLargeImageIsNamed() throws {
    let outcome = folder.run("blur", "@in.png", "@out.png", "--sigma=5", "--content", "@huge.png")
    #expect(outcome.status == .exited(65))
    #expect(outcome.err.contains("huge.png") && outcome.err.contains("20000x20000"))
    let large = HandmadePNG(colorType: 0, width: 3000, height: 2000) { _, _ in [1] }
    folder.write("large.png", large.bytes)
    let scaled = folder.run(
      "blur", "@in.png", "@out.png", "--sigma=5", "--content", "@large.png", "--scale=8")
    #expect(scaled.status == .exited(65) && scaled.err.contains("large.png"), "\(scaled.err)")
    #expect(!folder.files.contains("out.png"))
  }

  @Test(arguments: [
    (["--label", ""], ["label", "empty"]), (["--label", " \n"], ["label", "empty"]),
    (["--label", String(repeating: "a", count: 70_000)], ["label", "70000", "8192"]),
    (
      ["--label", "a", "--font", "DejaVu Sanz 12"],
      ["font", "'DejaVu Sanz'", "did you mean", "DejaVu Sans"]
    ),
    (["--label", "a", "--font", "Qwxyzzy 12"], ["font", "'Qwxyzzy'", "fc-list"]),
    (["--label", "a", "--font", ""], ["font", "Sans Bold 24"]),
    (["--label", "a", "--font", "Sans 0"], ["font", "0.0", "1 to 1000"]),
    (["--label", "a", "--font", "Sans 1e6"], ["font", "1000000.0", "1 to 1000"]),
    (["--label", "a", "--vibrancy", "lable"], ["vibrancy", "lable", "label"]),
    (["--label", "a", "--vibrancy", ""], ["vibrancy", "none"]),
    (["--label", "a", "--at", "middle"], ["at", "middle", "center"]),
    (["--label", "a", "--at", "1"], ["at", "'1'"]),
    (["--label", "a", "--at", "99999,0"], ["at", "99999,0"]),
    (["--label", "a", "--vibrancy", "none", "--color", "red"], ["color", "red"]),
    (["--label", "a", "--color", "#FF0000"], ["color", "--label 'a'", "--vibrancy none"]),
    (["--label", "a", "--color", "#FF0000", "--vibrancy", "fill"], ["color", "--vibrancy none"]),
    (["--content", "@icon.png", "--font", "Sans 9"], ["font", "icon.png", "image", "--label"]),
    (["--content", "@icon.png", "--color", "#FF0000"], ["color", "icon.png", "image", "--label"]),
    (["--at", "1,1", "--label", "a"], ["at", "'1,1'", "--label"]),
    (["--font", "Sans", "--label", "a"], ["font", "'Sans'", "--label"]),
    (["--label", "a", "--at", "1,1", "--at", "2,2"], ["at", "twice", "--label 'a'"]),
    (
      ["--label", "a", "--content", "@icon.png", "--vibrancy", "fill", "--vibrancy", "fill"],
      ["vibrancy", "twice", "icon.png"]
    ),
    (["--label", "a", "--wrap", "words"], ["wrap", "'words'", "word", "char"]),
    (["--label", "a", "--ellipsize", "left"], ["ellipsize", "'left'", "middle"]),
    (["--content", "@icon.png", "--wrap", "word"], ["wrap", "icon.png", "image", "--label"]),
    (["--content", "@icon.png", "--ellipsize", "end"], ["ellipsize", "icon.png", "image"]),
    (["--content", "none", "--label", "a"], ["content", "'none'", "./none"]),
    (["--content", "none", "--at", "1,1"], ["content", "'none'", "./none"]),
  ])
  func wrongContentOptionIsNamed(_ arguments: [String], _ words: [String]) throws {
    try expectFailure(arguments, 64, words)
  }

  @Test func contentOutsideThePictureIsNamed() {
    for content in [["--label", "a"], ["--content", "@icon.png"]] {
      let outcome = folder.run(
        "blur", "@in.png", "@out.png", "--sigma=5", content[0], content[1], "--at", "40,0")
      #expect(outcome.status == .exited(64), "\(outcome.err)")
      #expect(outcome.err.contains("at 40,0 lies outside the pane, which is 40x30"))
    }
    #expect(!folder.files.contains("out.png"))
  }

  @Test(arguments: ["0.4", "9", "nan", "-1", "big"]) func scaleOutOfRangeIsNamed(_ scale: String) {
    let outcome = folder.run("blur", "@in.png", "@out.png", "--sigma=5", "--scale", scale)
    #expect(outcome.status == .exited(64) && outcome.err.contains("scale"), "\(outcome.err)")
  }

  @Test func seventeenLabelsAreRefused() throws {
    let items = (0..<17).flatMap { ["--label", "\($0)"] }
    let all = ["blur", folder.path + "/in.png", folder.path + "/out.png", "--sigma=5"] + items
    let outcome = try Child.run(ProgramPaths.backdropctl, all, environment: [:])
    #expect(outcome.status == .exited(64))
    #expect(outcome.err.contains("17") && outcome.err.contains("16"), "\(outcome.err)")
  }

  /// The scale is that of the output, so content needs a daemon.
  @Test func scaleIsRequestedFromTheDaemon() {
    let place = ["XDG_RUNTIME_DIR": folder.path, "DISPLAY": ":7"]
    for arguments in [["--label", "a"], ["--content", "@icon.png"], ["--content", "none"]] {
      let outcome = folder.run("set", "x", arguments[0], arguments[1], environment: place)
      #expect(
        outcome.status == .exited(69) && outcome.err.contains("start it with"), "\(outcome.err)")
    }
  }
}
