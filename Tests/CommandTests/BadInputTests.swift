import Glibc
import TestDice
import TestSupport
import Testing

private let picture = HandmadePNG(colorType: 2, width: 40, height: 30) { x, y in [x, y, 99] }

/// Expects an exit status, and one line with the name of the program and some words.
private func expectFailure(_ outcome: ProgramOutcome, _ status: Int32, _ words: String...) {
  #expect(outcome.status == .exited(status), "\(outcome.err)")
  #expect(outcome.out.isEmpty)
  #expect(outcome.err.hasPrefix("backdropctl: ") && outcome.err.hasSuffix("\n"))
  #expect(outcome.err.count { $0 == "\n" } == 1, "\(outcome.err)")
  for word in words { #expect(outcome.err.contains(word), "\(outcome.err)") }
}

@Suite struct BadInputTests {
  /// The message says what was probably meant, and names the help of the right command.
  @Test(arguments: [
    ("delete x", "did you mean 'backdropctl remove'?; see 'backdropctl --help'"),
    ("lst", "did you mean 'backdropctl list'?; see 'backdropctl --help'"),
    ("frobnicate", "there are: add, set, "),
    ("behind ad x", "did you mean 'backdropctl behind add'?; see 'backdropctl behind --help'"),
    ("config chek", "did you mean 'backdropctl config check'?"),
    ("--display :1 rm x", "did you mean 'backdropctl remove'?"),
    ("add x --blur 8", "did you mean '--sigma'?; see 'backdropctl add --help'"),
    ("set x --colour red", "did you mean '--tint'?; see 'backdropctl set --help'"),
    ("status --blur 8", "unknown option '--blur'; see 'backdropctl status --help'"),
    ("list --jsn", "Did you mean '--json'?; see 'backdropctl list --help'"),
    ("add x --geometry 9x9+0+0 --tint", "must be in quotes"),
    ("add x --geometry", "missing value for '--geometry"),
    ("behind add x --blur 8", "see 'backdropctl behind add --help'"),
    ("add x --radius 8", "did you mean '--sigma' or '--corner'?"),
    ("add x --position top", "did you mean '--geometry' or '--anchor'?"),
    ("move x", "'backdropctl set NAME --geometry WxH+X+Y'"),
    ("version", "'backdropctl --version'"), ("-v", "'backdropctl --version'"),
    ("logs", "journalctl --user"), ("rename a b", "add another one"),
    ("config reload", "did you mean 'backdropctl reload'?"),
    ("terminal", "'backdropctl pick --add NAME'"), ("blur kitty", "'backdropctl pick --add NAME'"),
    ("behind kitty", "did you mean 'backdropctl behind add kitty --class kitty'?"),
    ("behind add kitty", "did you mean '--class kitty'?"),
    ("list --all", "'list' is about all of them"), ("remove", "or --all"),
    ("remove x --all", "or --all"),
    ("hide", "'backdropctl list' prints the names of the panes"),
    ("add x 300x200", "did you mean '--size 300x200'?"),
    ("add x 300x200-4+4", "did you mean '--geometry 300x200-4+4'?"),
    ("add x top-right", "did you mean '--anchor top-right'?"),
    ("set x regular-dark", "did you mean '--material regular-dark'?"),
    ("set x sigma 20", "did you mean '--sigma'?"), ("add x", "--size 400x300 --anchor top-right"),
    ("subscribe foo", "of the following: pane-added, pane-removed, "),
    ("help frobnicate", "there is no command 'backdropctl frobnicate'"),
    ("frobnicate --help", "there is no command 'backdropctl frobnicate'"),
    ("help behind ad", "did you mean 'backdropctl behind add'?"),
  ])
  func wrongUsageIsExplained(command: String, words: String) {
    let folder = CommandFolder()
    expectFailure(folder.run(command.split(separator: " ").map(String.init)), 64, words)
  }

  @Test(arguments: ["help", "help add", "add --help", "help behind add", "help cache", "--help"])
  func helpIsPrinted(command: String) {
    let outcome = CommandFolder().run(command.split(separator: " ").map(String.init))
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty, "\(outcome.err)")
    #expect(outcome.out.contains("USAGE: backdropctl"), "\(outcome.out)")
  }

  @Test(arguments: [
    (["--display", "wayland-7"], "'backdropctl start --display wayland-7'"),
    (["--display", ":0"], "'backdropctl start --display :0'"), ([], "'backdropctl start'"),
  ])
  func adviceKeepsTheDisplayOfTheCommand(options: [String], advice: String) {
    let folder = CommandFolder()
    let outcome = folder.run(
      ["list"] + options, environment: ["XDG_RUNTIME_DIR": folder.path, "DISPLAY": ":7"])
    expectFailure(outcome, 69, "start it with \(advice)")
  }

  /// A suggestion must not remove anything, unless the word is almost the same.
  @Test(arguments: ["move", "improve", "prove", "emove-x", "q", "uit-all"])
  func otherWordsDoNotLeadToRemove(word: String) {
    let outcome = CommandFolder().run(word)
    #expect(outcome.status == .exited(64))
    #expect(!outcome.err.contains("mean 'backdropctl remove'"), "\(outcome.err)")
  }

  @Test func blurOfNoPictureNamesGlassBehindWindows() {
    expectFailure(
      CommandFolder().run("blur", "on", "terminal"), 66, "there is no such file",
      "'backdropctl pick --add NAME'")
  }

  @Test func truncatedPictureIsRefused() {
    let folder = CommandFolder()
    let bytes = picture.bytes
    for count in [1, 8, 20, 33, 60, bytes.count / 2, bytes.count - 13, bytes.count - 1] {
      folder.write("in.png", Array(bytes[..<count]))
      expectFailure(folder.run("blur", "@in.png", "@out.png", "--sigma", "5"), 65, "in.png")
      #expect(folder.files == ["in.png"])
    }
  }

  @Test func pictureWithTooFewRowsIsRefused() {
    // Every chunk is whole, but there are too few rows in them.
    let folder = CommandFolder()
    var short = picture
    short.height = 20
    let header = HandmadePNG.signature + picture.header
    folder.write("in.png", header + short.bytes[header.count...])
    expectFailure(folder.run("blur", "@in.png", "@out.png", "--sigma", "5"), 65, "in.png")
    #expect(folder.files == ["in.png"])
  }

  /// libpng would expand all of the data, which takes seconds for a file of a few megabytes.
  @Test func dataThatExpandToMoreThanThePictureAreRefused() {
    let folder = CommandFolder()
    let header = HandmadePNG.signature + picture.header
    let end = HandmadePNG.chunk("IEND", [])
    let zeros = HandmadePNG.compressedZeros(megabytes: 128)
    folder.write("in.png", header + HandmadePNG.chunk("IDAT", zeros) + end)
    let outcome = folder.run("blur", "@in.png", "@out.png", "--sigma", "5")
    expectFailure(outcome, 65, "more data than its pixels need")
    // A little more is usual.
    let few = HandmadePNG.compressedZeros(megabytes: 1)
    folder.write("in.png", header + HandmadePNG.chunk("IDAT", few) + end)
    #expect(
      folder.run("blur", "@in.png", "@out.png", "--sigma", "5").status == .exited(0))
  }

  /// Texts may hold gigabytes, or be damaged.
  @Test func chunksThatChangeNoPixelAreLeftOut() throws {
    let folder = CommandFolder()
    folder.write("in.png", picture.bytes)
    #expect(folder.run("blur", "@in.png", "@plain.png", "--sigma", "5").status == .exited(0))
    let header = HandmadePNG.signature + picture.header
    let text = HandmadePNG.chunk("zTXt", Array("x\0\0no zlib stream".utf8))
    folder.write("in.png", header + text + picture.bytes[header.count...])
    let outcome = folder.run("blur", "@in.png", "@out.png", "--sigma", "5")
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty, "\(outcome.err)")
    #expect(
      try readPNG(folder.path + "/out.png") == readPNG(folder.path + "/plain.png"))
  }

  /// The rest of the file is no part of the picture, or cannot be: it is not read. The files are sparse.
  @Test func hugeFileIsRefusedAtOnce() throws {
    let folder = CommandFolder()
    let whole = picture.bytes
    let header = HandmadePNG.signature + picture.header
    let longChunk: [UInt8] = [0x7f, 0xff, 0xff, 0xff] + Array("IDAT".utf8)
    for (bytes, words) in [
      (header, "damaged at byte 33"), (header + longChunk, "more bytes than its pixels need"),
    ] {
      folder.write("in.png", bytes)
      #expect(unsafe truncate("\(folder.path)/in.png", 1 << 40) == 0)
      expectFailure(folder.run("blur", "@in.png", "@out.png", "--sigma", "5"), 65, words)
    }
    folder.write("in.png", whole)
    #expect(unsafe truncate("\(folder.path)/in.png", 1 << 40) == 0)
    #expect(folder.run("blur", "@in.png", "@out.png", "--sigma", "5").status == .exited(0))
  }

  @Test func damagedPictureIsRefusedOrRead() {
    let folder = CommandFolder()
    for seed in 0..<60 {
      var dice = Dice(seed: seed)
      var bytes = picture.bytes
      bytes[dice.roll(0...bytes.count - 1)] ^= 1 << UInt8(dice.roll(0...7))
      folder.write("in.png", bytes)
      let outcome = folder.run("blur", "@in.png", "@out.png", "--sigma", "5")
      if outcome.status == .exited(0) { continue }
      #expect(outcome.status == .exited(65), "seed \(seed): \(outcome.err)")
      expectFailure(outcome, 65, "in.png")
    }
  }

  @Test(arguments: [(100_000, 100_000), (32768, 1), (1, 32768), (32767, 32767), (0, 5)])
  func tooLargePictureIsRefusedByItsHeader(_ width: Int, _ height: Int) {
    let folder = CommandFolder()
    let header = HandmadePNG(colorType: 6, width: width, height: height) { _, _ in [] }.header
    let rest = picture.bytes[(HandmadePNG.signature + header).count...]
    folder.write("in.png", HandmadePNG.signature + header + rest)
    expectFailure(folder.run("blur", "@in.png", "@out.png", "--sigma", "5"), 65, "in.png")
    #expect(folder.files == ["in.png"])
  }

  @Test func fileThatIsNoPictureIsNamed() {
    let folder = CommandFolder()
    folder.write("text.png", Array("This is a text.\n".utf8))
    folder.write("empty.png", [])
    func blur(_ name: String) -> ProgramOutcome {
      folder.run("blur", name, "@out.png", "--sigma", "5")
    }
    expectFailure(blur("@text.png"), 65, "text.png", "no PNG")
    expectFailure(blur("@empty.png"), 65, "empty.png", "empty")
    expectFailure(blur("@missing.png"), 66, "missing.png", "No such file")
    expectFailure(blur(folder.path), 66, "Is a directory")
    expectFailure(blur("/dev/zero"), 65, "no PNG")
    #expect(folder.files == ["empty.png", "text.png"])
  }

  @Test func unwritableOutputIsNamed() {
    let folder = CommandFolder()
    folder.write("in.png", picture.bytes)
    func blur(_ output: String) -> ProgramOutcome {
      folder.run("blur", "@in.png", output, "--sigma", "5")
    }
    expectFailure(blur("@nowhere/out.png"), 73, "No such file")
    expectFailure(blur(folder.path), 73, "Is a directory")
    expectFailure(blur("/proc/out.png"), 73, "/proc/out.png")
    expectFailure(blur("/dev/full"), 73, "No space left")
    expectFailure(blur("@in.png/out.png"), 73, "Not a directory")
    #expect(folder.files == ["in.png"])
    #expect(folder.read("in.png") == picture.bytes)
  }

  @Test func existingOutputIsKeptOnFailure() {
    let folder = CommandFolder()
    folder.write("in.png", Array(picture.bytes.dropLast(20)))
    folder.write("out.png", [1, 2, 3])
    expectFailure(folder.run("blur", "@in.png", "@out.png", "--sigma", "5"), 65)
    #expect(folder.read("out.png") == [1, 2, 3])
    #expect(folder.files == ["in.png", "out.png"])
  }

  @Test(arguments: [
    ["--sigma", "nan"], ["--sigma", "-1"], ["--sigma", "1e9"], ["--sigma", "inf"],
    ["--sigma", "wide"], ["--contrast", "-1"], ["--brightness", "nan"], ["--tint", "red"],
    ["--tint", "#12345"], ["--saturation", "1e9"], ["--noise", "0.3"], ["--noise", "nan"],
    ["--blend", "overlay"], ["--blend", "lighten:#FFFFFF"], ["--blend", "overlay:red"],
    ["--material", "tint"], ["--material", "light #FF0000"], ["--material", "tint red"],
  ])
  func settingOutOfRangeIsNamed(_ setting: [String]) {
    let folder = CommandFolder()
    folder.write("in.png", picture.bytes)
    let name = String(setting[0].dropFirst(2))
    expectFailure(
      folder.run("blur", "@in.png", "@out.png", "--sigma=5", setting[0], setting[1]), 64, name)
    #expect(folder.files == ["in.png"])
    expectFailure(
      folder.run("add", "x", "--geometry", "5x5+0+0", setting[0], setting[1]), 64, name)
    expectFailure(folder.run("set", "x", setting[0], setting[1]), 64, name)
  }

  @Test(arguments: [
    ("lihgt", "light"), ("regulardark", "regular-dark"), ("thin", "thin-light"),
    ("acrilyc", "acrylic"), ("zzz", "materials"), ("", "materials"), ("LIGHT", "materials"),
  ])
  func nearestMaterialIsSuggested(_ name: String, suggestion: String) {
    let folder = CommandFolder()
    folder.write("in.png", picture.bytes)
    let outcome = folder.run("blur", "@in.png", "@out.png", "--material", name)
    expectFailure(outcome, 64, "no material named '\(name)'")
    #expect(outcome.err.contains(suggestion), "\(outcome.err)")
    #expect(folder.files == ["in.png"])
  }

  @Test(arguments: ["-1", "nan", "20000", "slowly"])
  func fadeOutOfRangeIsNamed(_ time: String) {
    let folder = CommandFolder()
    for command in ["show", "hide", "toggle"] {
      expectFailure(folder.run(command, "x", "--fade", time), 64, "fade")
    }
    expectFailure(folder.run("set", "x", "--sigma", "5", "--fade", time), 64, "fade")
  }

  @Test(arguments: ["0x5+0+0", "5x0+0+0", "-5x5+0+0", "1099511627776x5+0+0", "5x5", "x", ""])
  func wrongGeometryIsNamed(_ geometry: String) {
    let folder = CommandFolder()
    expectFailure(folder.run("add", "x", "--geometry", geometry), 64, "geometry")
    expectFailure(folder.run("set", "x", "--geometry", geometry), 64, "geometry")
  }

  @Test func wrongUsageIsOneLine() {
    let folder = CommandFolder()
    expectFailure(folder.run("dance"), 64, "dance")
    expectFailure(folder.run("add"), 64, "name")
    expectFailure(folder.run("add", "x"), 64, "geometry")
    expectFailure(folder.run("add", "a b", "--geometry", "5x5+0+0"), 64, "a b")
    expectFailure(folder.run("add", "a\nb", "--geometry", "5x5+0+0"), 64, "a?b")
    expectFailure(folder.run("set", "x"), 64, "nothing to set")
    expectFailure(folder.run("set", "x", "--input", "steal"), 64, "input", "grab")
    expectFailure(folder.run("blur", "a.png", "b.png"), 64, "sigma")
    expectFailure(folder.run("list", "--width"), 64, "--width")
  }

  @Test func missingDaemonIsExplained() {
    let folder = CommandFolder()
    let place = ["XDG_RUNTIME_DIR": folder.path]
    let socket = "\(folder.path)/backdropd-7.sock"
    expectFailure(
      folder.run("list", environment: place.merging(["DISPLAY": ":7.0"]) { $1 }), 69, ":7", socket,
      "start it with")
    for words in [["list", "--display"], ["sync", "--display"], ["quit", "--display"]] {
      expectFailure(folder.run(words[0], words[1], ":7", environment: place), 69, socket)
    }
    expectFailure(folder.run("--display", ":7", "status", environment: place), 69, socket)
    expectFailure(
      folder.run("snapshot", "x", "@out.png", "--display", ":7", environment: place), 69, socket)
    expectFailure(folder.run("list", environment: place), 78, "DISPLAY")
    expectFailure(folder.run("list", environment: ["DISPLAY": ":7"]), 78, "XDG_RUNTIME_DIR")
    #expect(folder.files.isEmpty)
  }

  @Test func helpHasStatusZero() {
    let folder = CommandFolder()
    for words in [["--help", "blur"], ["add", "--help"], ["blur", "--help"]] {
      let outcome = folder.run(words[0], words[1])
      #expect(outcome.status == .exited(0) && outcome.err.isEmpty)
      #expect(outcome.out.contains("USAGE: backdropctl"))
    }
  }
}
