import Glibc
import TestSupport
import Testing

private let picture = HandmadePNG(colorType: 2, width: 40, height: 30) { x, y in [x, y, 99] }

/// One line, which says who speaks.
private func expectFailure(_ outcome: Outcome, _ status: Int32, _ words: String...) {
  #expect(outcome.status == .exited(status), "\(outcome.err)")
  #expect(outcome.out.isEmpty)
  #expect(outcome.err.hasPrefix("backdropctl: ") && outcome.err.hasSuffix("\n"))
  #expect(outcome.err.count { $0 == "\n" } == 1, "\(outcome.err)")
  for word in words { #expect(outcome.err.contains(word), "\(outcome.err)") }
}

@Suite struct BadInputTests {
  @Test func aPictureThatIsCutShortAnywhereIsRefused() {
    let shop = Workshop()
    let bytes = picture.bytes
    for count in [1, 8, 20, 33, 60, bytes.count / 2, bytes.count - 13, bytes.count - 1] {
      shop.write("in.png", Array(bytes[..<count]))
      expectFailure(shop.run("blur", "@in.png", "@out.png", "--sigma", "5"), 65, "in.png")
      #expect(shop.files == ["in.png"])
    }
  }

  @Test func aPictureWhosePixelsAreCutShortIsRefused() {
    // Every chunk is whole, but there are too few rows in them.
    let shop = Workshop()
    var short = picture
    short.height = 20
    let header = HandmadePNG.signature + picture.header
    shop.write("in.png", header + short.bytes[header.count...])
    expectFailure(shop.run("blur", "@in.png", "@out.png", "--sigma", "5"), 65, "in.png")
    #expect(shop.files == ["in.png"])
  }

  @Test func damagedBytesAreRefusedOrReadButNeverFatal() {
    let shop = Workshop()
    for _ in 0..<60 {
      var bytes = picture.bytes
      bytes[.random(in: bytes.indices)] ^= 1 << UInt8.random(in: 0..<8)
      shop.write("in.png", bytes)
      let outcome = shop.run("blur", "@in.png", "@out.png", "--sigma", "5")
      if outcome.status == .exited(0) { continue }
      expectFailure(outcome, 65, "in.png")
    }
  }

  @Test(arguments: [(100_000, 100_000), (32768, 1), (1, 32768), (32767, 32767), (0, 5)])
  func aPictureThatIsTooLargeIsRefusedByItsHeader(_ width: Int, _ height: Int) {
    let shop = Workshop()
    let header = HandmadePNG(colorType: 6, width: width, height: height) { _, _ in [] }.header
    let rest = picture.bytes[(HandmadePNG.signature + header).count...]
    shop.write("in.png", HandmadePNG.signature + header + rest)
    expectFailure(shop.run("blur", "@in.png", "@out.png", "--sigma", "5"), 65, "in.png")
    #expect(shop.files == ["in.png"])
  }

  @Test func whatIsNoPictureIsNamed() {
    let shop = Workshop()
    shop.write("text.png", Array("This is a text.\n".utf8))
    shop.write("empty.png", [])
    func blur(_ name: String) -> Outcome { shop.run("blur", name, "@out.png", "--sigma", "5") }
    expectFailure(blur("@text.png"), 65, "text.png", "no PNG")
    expectFailure(blur("@empty.png"), 65, "empty.png", "empty")
    expectFailure(blur("@missing.png"), 66, "missing.png", "No such file")
    expectFailure(blur(shop.path), 66, "Is a directory")
    expectFailure(blur("/dev/zero"), 65, "no PNG")
    #expect(shop.files == ["empty.png", "text.png"])
  }

  @Test func anOutputThatCannotBeIsRefused() {
    let shop = Workshop()
    shop.write("in.png", picture.bytes)
    func blur(_ output: String) -> Outcome { shop.run("blur", "@in.png", output, "--sigma", "5") }
    expectFailure(blur("@nowhere/out.png"), 73, "No such file")
    expectFailure(blur(shop.path), 73, "Is a directory")
    expectFailure(blur("/proc/out.png"), 73, "/proc/out.png")
    expectFailure(blur("/dev/full"), 73, "no regular file")
    expectFailure(blur("@in.png/out.png"), 73, "Not a directory")
    #expect(shop.files == ["in.png"])
    #expect(shop.read("in.png") == picture.bytes)
  }

  @Test func whatStandsInTheOutputsPlaceStaysWhenNothingCanBeMade() {
    let shop = Workshop()
    shop.write("in.png", Array(picture.bytes.dropLast(20)))
    shop.write("out.png", [1, 2, 3])
    expectFailure(shop.run("blur", "@in.png", "@out.png", "--sigma", "5"), 65)
    #expect(shop.read("out.png") == [1, 2, 3])
    #expect(shop.files == ["in.png", "out.png"])
  }

  @Test(arguments: [
    ["--sigma", "nan"], ["--sigma", "-1"], ["--sigma", "1e9"], ["--sigma", "inf"],
    ["--sigma", "wide"], ["--contrast", "-1"], ["--brightness", "nan"], ["--tint", "red"],
    ["--tint", "#12345"], ["--saturation", "1e9"], ["--noise", "0.3"], ["--noise", "nan"],
    ["--blend", "overlay"], ["--blend", "lighten:#FFFFFF"], ["--blend", "overlay:red"],
    ["--material", "tint"], ["--material", "light #FF0000"], ["--material", "tint red"],
  ])
  func aSettingThatIsOutOfRangeIsNamed(_ setting: [String]) {
    let shop = Workshop()
    shop.write("in.png", picture.bytes)
    let name = String(setting[0].dropFirst(2))
    expectFailure(
      shop.run("blur", "@in.png", "@out.png", "--sigma=5", setting[0], setting[1]), 64, name)
    #expect(shop.files == ["in.png"])
    expectFailure(
      shop.run("add", "x", "--geometry", "5x5+0+0", setting[0], setting[1]), 64, name)
    expectFailure(shop.run("set", "x", setting[0], setting[1]), 64, name)
  }

  @Test(arguments: [
    ("lihgt", "light"), ("regulardark", "regular-dark"), ("thin", "thin-light"),
    ("acrilyc", "acrylic"), ("zzz", "materials"), ("", "materials"), ("LIGHT", "materials"),
  ])
  func aMaterialThatIsNotThereHasItsNearestNamed(_ name: String, suggestion: String) {
    let shop = Workshop()
    shop.write("in.png", picture.bytes)
    let outcome = shop.run("blur", "@in.png", "@out.png", "--material", name)
    expectFailure(outcome, 64, "no material named '\(name)'")
    #expect(outcome.err.contains(suggestion), "\(outcome.err)")
    #expect(shop.files == ["in.png"])
  }

  @Test(arguments: ["-1", "nan", "20000", "slowly"])
  func aFadeThatCannotBeIsNamed(_ time: String) {
    let shop = Workshop()
    for command in ["show", "hide", "toggle"] {
      expectFailure(shop.run(command, "x", "--fade", time), 64, "fade")
    }
    expectFailure(shop.run("set", "x", "--sigma", "5", "--fade", time), 64, "fade")
  }

  @Test(arguments: ["0x5+0+0", "5x0+0+0", "-5x5+0+0", "1099511627776x5+0+0", "5x5", "x", ""])
  func aGeometryThatCannotBeIsNamed(_ geometry: String) {
    let shop = Workshop()
    expectFailure(shop.run("add", "x", "--geometry", geometry), 64, "geometry")
    expectFailure(shop.run("set", "x", "--geometry", geometry), 64, "geometry")
  }

  @Test func wrongUseIsOneLineToo() {
    let shop = Workshop()
    expectFailure(shop.run("dance"), 64, "dance")
    expectFailure(shop.run("add"), 64, "name")
    expectFailure(shop.run("add", "x"), 64, "geometry")
    expectFailure(shop.run("add", "a b", "--geometry", "5x5+0+0"), 64, "a b")
    expectFailure(shop.run("add", "a\nb", "--geometry", "5x5+0+0"), 64, "a?b")
    expectFailure(shop.run("set", "x"), 64, "nothing to set")
    expectFailure(shop.run("set", "x", "--input", "steal"), 64, "input", "grab")
    expectFailure(shop.run("blur", "a.png", "b.png"), 64, "sigma")
    expectFailure(shop.run("list", "--wide"), 64, "--wide")
  }

  @Test func withoutADaemonItSaysHowToStartOne() {
    let shop = Workshop()
    let place = ["XDG_RUNTIME_DIR": shop.path]
    let socket = "\(shop.path)/backdropd-7.sock"
    expectFailure(
      shop.run("list", environment: place.merging(["DISPLAY": ":7.0"]) { $1 }), 69, ":7", socket,
      "start it with")
    for words in [["list", "--display"], ["sync", "--display"], ["quit", "--display"]] {
      expectFailure(shop.run(words[0], words[1], ":7", environment: place), 69, socket)
    }
    expectFailure(shop.run("--display", ":7", "status", environment: place), 69, socket)
    expectFailure(
      shop.run("snapshot", "x", "@out.png", "--display", ":7", environment: place), 69, socket)
    expectFailure(shop.run("list", environment: place), 78, "DISPLAY")
    expectFailure(shop.run("list", environment: ["DISPLAY": ":7"]), 78, "XDG_RUNTIME_DIR")
    #expect(shop.files.isEmpty)
  }

  @Test func helpIsNoError() {
    let shop = Workshop()
    for words in [["--help", "blur"], ["add", "--help"], ["blur", "--help"]] {
      let outcome = shop.run(words[0], words[1])
      #expect(outcome.status == .exited(0) && outcome.err.isEmpty)
      #expect(outcome.out.contains("USAGE: backdropctl"))
    }
  }
}
