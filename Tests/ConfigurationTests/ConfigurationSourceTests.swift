import Glibc
import Linux
import TestDice
import TestSupport
import Testing

@testable import Configuration

@Suite struct ConfigurationSourceTests {
  private func rate(_ text: String) throws -> Double? {
    try Configuration(parsing: Array(text.utf8), path: "/c/a.conf").daemon.framesPerSecond
  }

  private func cacheBytes(_ number: String) throws -> Int? {
    try Configuration(parsing: Array("cache-bytes = \(number);".utf8), path: "/c/a.conf")
      .daemon.cacheByteCount
  }

  private func errors(_ text: [UInt8], _ path: String = "/c/a.conf") -> [String] {
    do {
      _ = try Configuration(parsing: text, path: path)
      return []
    } catch {
      return error.all.map(\.description)
    }
  }

  // MARK: Numbers

  @Test(arguments: [
    ("8589934592", 8_589_934_592), ("3000000000", 3_000_000_000), ("2147483648", 2_147_483_648),
    ("2147483647", 2_147_483_647), ("0xFFFFFFFF", 0xFFFF_FFFF), ("0x1FFFFFFFF", 0x1_FFFF_FFFF),
    ("8589934592L", 8_589_934_592), ("+4294967326", 4_294_967_326),
  ])
  func numbersOf64BitsAreRight(text: String, number: Int) throws {
    #expect(try cacheBytes(text) == number)
  }

  @Test(arguments: [
    "99999999999999999999", "9223372036854775808L", "0x1FFFFFFFFFFFFFFFF", "-99999999999999999999",
  ])
  func largerNumbersAreNamed(text: String) {
    let found = errors(Array("# \(text)\ncache-bytes = \(text);".utf8))
    #expect(found == ["/c/a.conf:2: the number \(text) is too large, which no setting takes"])
  }

  @Test func negativeNumberIsNamedAsItIs() {
    let found = errors(Array("rate = -3000000000;".utf8))
    #expect(found.count == 1 && found[0].contains("rate: -3000000000 is out of range"), "\(found)")
  }

  /// Texts, comments and names with digits are not changed, whatever they look like.
  @Test func digitsElsewhereAreKept() throws {
    let text = """
      /* 99999999999999999999
      @include "x" */ # 99999999999999999999
      // 99999999999999999999
      panes = ( { name = "a"; geometry = "9x9+0+0"; on-left-click = "echo 99999999999999999999
      @include \\" 9999999999 /*"; } );
      materials = { m9999999999 = { sigma = 3; }; };
      """
    let found = errors(Array(text.utf8))
    #expect(found.allSatisfy { !$0.contains("too large") && !$0.contains("include") }, "\(found)")
    let read = try Configuration(
      parsing: Array("materials = { m99999999999999999999 = { sigma = 3; }; };".utf8), path: "/c/a")
    #expect(read.materials.map(\.name) == ["m99999999999999999999"])
  }

  @Test(arguments: [
    ("sigma = 2,5;", "sigma = 2.5;"), ("rate = -29,97", "rate = -29.97;"),
    ("a = 1;\r\nsigma = 2,5;\r\n", "sigma = 2.5;"),
  ])
  func decimalCommaIsExplained(text: String, hint: String) {
    let found = errors(Array(text.utf8))
    #expect(found.count == 1 && found[0].contains("a number has a point, not a comma: \(hint)"))
  }

  // MARK: Encodings

  @Test func byteOrderMarkIsSkipped() throws {
    #expect(try rate("\u{FEFF}rate = 30;") == 30)
    #expect(try rate("\u{FEFF}") == nil)
    let found = errors([0xFF, 0xFE, 0x61, 0x00])
    #expect(found == ["/c/a.conf:1: the file is UTF-16; save it as UTF-8"])
  }

  @Test func lineEndsOfWindowsAreRead() throws {
    #expect(try rate("# a\r\nrate = 30;\r\n") == 30)
    let found = errors(Array("# a\r\nrate = 30;\r\nthreads = x;\r\n".utf8))
    #expect(found.count == 1 && found[0].hasPrefix("/c/a.conf:3:"), "\(found)")
    #expect(found.first?.contains("threads = \"x\";") == true, "\(found)")
  }

  /// A byte of a file name that is not UTF-8 is read and written as an escape.
  @Test func bytesOfFileNamesAreEscaped() throws {
    let text =
      #"panes = ( { name = "a"; geometry = "9x9+0+0"; content = ( { image = "/c\xe9.png"; } ); } );"#
    let read = try Configuration(parsing: Array(text.utf8), path: "/c/a.conf")
    let image = try #require(read.panes.first?.declared.contents?.first?.image)
    #expect(image.systemBytes == [0x2F, 0x63, 0xE9, 0x2E, 0x70, 0x6E, 0x67])
    #expect(read.text.contains(#"image = "/c\xe9.png";"#))
    let again = try Configuration(parsing: Array(read.text.utf8), path: "/c/a.conf")
    #expect(again.panes.map(\.declared) == read.panes.map(\.declared))
  }

  /// Only paths and commands may have such bytes.
  @Test(arguments: [#"title = "\xe9";"#, #"exclude = [ "a", "\xff" ];"#])
  func bytesElsewhereAreNamed(setting: String) {
    let found = errors(Array("panes = ( { name = \"a\"; class = \"x\"; \(setting) } );".utf8))
    #expect(found.count == 1 && found[0].contains("it takes text in UTF-8"), "\(found)")
  }

  // MARK: Includes

  @Test func includesAreRelativeToTheirFile() throws {
    let folder = try TemporaryDirectory()
    for name in ["dots", "dots/more", "link"] { try makeDirectory("\(folder.path)/\(name)") }
    try writeText("rate = 30;", to: folder.path + "/dots/more/c")
    try writeText("@include \"more/c\"\nthreads = 3;\n", to: folder.path + "/dots/b")
    let main = folder.path + "/dots/a.conf"
    let link = folder.path + "/link/a.conf"
    #expect(unsafe symlink("../dots/a.conf", link) == 0)
    let texts = [
      "@include \"b\"", "  @include \"\(folder.path)/dots/b\" # more\n",
      "\u{FEFF}@include \"./b\"\r\n",
    ]
    for text in texts {
      try writeText(text, to: main)
      for path in [main, link] {
        let read = try Configuration(parsing: Array(text.utf8), path: path)
        #expect(read.daemon.framesPerSecond == 30 && read.daemon.threads == 3)
        #expect(
          read.includedFiles.map { $0.hasSuffix("b") || $0.hasSuffix("more/c") } == [true, true])
      }
    }
    // Several may be in one line, and settings after them.
    try writeText("", to: folder.path + "/dots/d")
    let line = "@include \"more/c\" @include \"d\" threads = 2;"
    let joined = try Configuration(parsing: Array(line.utf8), path: main)
    #expect(joined.daemon.framesPerSecond == 30 && joined.daemon.threads == 2)
    // A file beside the link is preferred.
    try writeText("rate = 10;", to: folder.path + "/link/b")
    let read = try Configuration(parsing: Array(texts[0].utf8), path: link)
    #expect(read.daemon.framesPerSecond == 10 && read.includedFiles == [folder.path + "/link/b"])
  }

  @Test func homeIsNamedByATilde() throws {
    let folder = try TemporaryDirectory()
    try writeText("rate = 10;", to: folder.path + "/b")
    let read = try Configuration(
      parsing: Array("@include \"~/b\"".utf8), path: "/c/a", home: folder.path)
    #expect(read.daemon.framesPerSecond == 10)
  }

  /// An error names the file and the line in which it is, whatever is included before.
  @Test func placesAreThoseOfTheirFiles() throws {
    let folder = try TemporaryDirectory()
    try writeText("# one\n# two", to: folder.path + "/b")
    try writeText("threads = 99;\nrte = 3;\n", to: folder.path + "/c")
    let found = errors(
      Array("@include \"b\"\n@include \"c\"\nrate = 0;".utf8), folder.path + "/a")
    let places = found.map { $0.dropFirst(folder.path.utf8.count + 1).prefix(3) }
    #expect(places == ["a:3", "c:1", "c:2"], "\(found)")
    try writeText("rate = ;\n", to: folder.path + "/b")
    let syntax = errors(Array("\n@include \"b\"\n".utf8), folder.path + "/a")
    #expect(
      syntax.count == 1 && syntax[0].hasPrefix(folder.path + "/b:1: syntax error"), "\(syntax)")
  }

  @Test func wrongIncludesAreNamed() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/a"
    try writeText("@include \"b\"", to: path)
    try writeText("\n@include \"a\"", to: folder.path + "/b")
    try writeText("rate = 30;", to: folder.path + "/c")
    #expect(unsafe mkfifo(folder.path + "/f", 0o600) == 0)
    for (text, place, part) in [
      ("\n@include \"none\"", "a:2:", "'none'"), ("@include \"b\"", "b:2:", "includes itself"),
      ("@include \"a\"", "a:1:", "includes itself"), ("@include \"f\"", "a:1:", "Invalid argument"),
      ("@include \".\"", "a:1:", "Is a directory"), ("@include b", "a:1:", "in quotes"),
      ("@include \"b", "a:1:", "in quotes"), ("@include \"\"", "a:1:", "in quotes"),
      // libconfig ends the process if it opens a folder.
      ("@include \"c\" @include \".\"", "a:1:", "Is a directory"),
    ] {
      let found = errors(Array(text.utf8), path)
      #expect(found.count == 1 && found[0].hasPrefix("\(folder.path)/\(place)"), "\(found)")
      #expect(found.first?.contains(part) == true, "\(found)")
    }
  }

  /// Files that include another one twice each would be 2 to the power of their number.
  @Test func includesHaveALimit() throws {
    let folder = try TemporaryDirectory()
    for number in 0..<40 {
      let next = "@include \"\(number + 1)\"\n"
      try writeText(next + next, to: "\(folder.path)/\(number)")
    }
    try writeText(String(repeating: "#", count: 1 << 16), to: folder.path + "/40")
    let found = errors(Array("@include \"0\"".utf8), folder.path + "/a")
    #expect(found.count == 1 && found[0].contains("more than"), "\(found)")
  }

  /// The text for libconfig has the lines of the file, and nothing but suffixes is added.
  @Test func anyTextKeepsItsLines() throws {
    var dice = Dice(seed: 2323)
    let parts = [
      "\"", "/*", "*/", "//", "#", "\\", "\n", "a = ", "9999999999", "1", ";", " ", "\r", "é", "-",
      "L",
    ]
    for _ in 0..<3000 {
      let text = (0..<dice.roll(0...14)).map { _ in parts[dice.roll(0...parts.count - 1)] }.joined()
      guard let source = try? ConfigurationSource(Array(text.utf8), path: "a", home: nil) else {
        continue
      }
      let result = String(decoding: source.text, as: UTF8.self)
      let lines = { (text: String) in
        text.utf8.split(separator: 10, omittingEmptySubsequences: false)
      }
      #expect(lines(result).count == lines(text).count + 1)
      #expect(
        result.filter { $0 != "L" }.utf8.elementsEqual((text + "\n").filter { $0 != "L" }.utf8))
    }
  }
}
