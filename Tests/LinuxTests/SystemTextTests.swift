import Linux
import TestDice
import TestSupport
import Testing

@Suite struct SystemTextTests {
  /// File names of any bytes come back as they were, also those with the characters that stand for bytes.
  @Test func anyBytesComeBack() {
    var dice = Dice(seed: 3705)
    let parts: [[UInt8]] = [
      [0xE9], [0xC3, 0xA9], [0xF4, 0x8F, 0xBA, 0x80], [0xF4, 0x8F, 0xBB, 0xBF], [0xED, 0xA0, 0x80],
      [0xC0, 0x80], [0x2F], [0x61, 0xCC, 0x81], [0xF0, 0x9F, 0x98, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ]
    for _ in 0..<4000 {
      let bytes = (0..<dice.roll(0...12)).flatMap { _ -> [UInt8] in
        dice.roll(0...1) == 0 ? [UInt8(dice.roll(1...255))] : parts[dice.roll(0...parts.count - 1)]
      }
      let text = String(systemBytes: bytes)
      #expect(text.systemBytes == bytes, "\(bytes)")
      #expect(text.repaired == String(decoding: bytes, as: UTF8.self), "\(bytes)")
    }
  }

  @Test func textInUTF8IsUnchanged() {
    #expect(String(systemBytes: Array("Übung 中 \u{E000}".utf8)) == "Übung 中 \u{E000}")
  }

  /// A slash with an accent is one character of Swift.
  @Test func pathsAreSplitAtBytes() {
    let path = "/a\r\n/\u{301}b"
    #expect(path.folderOfPath == "/a\r\n" && Array(path.nameInPath.utf8) == [0xCC, 0x81, 0x62])
    #expect("/\u{301}".isAbsolutePath && "/\u{301}".folderOfPath == "/")
    #expect("a".folderOfPath == nil && "a".nameInPath == "a" && !"a/".isAbsolutePath)
  }

  @Test func namesOfAFolderAreBytes() throws {
    let folder = try TemporaryDirectory()
    let name = String(systemBytes: [0x63, 0xE9])
    #expect(namesInFolder("\(folder.path)/\(name)").isEmpty)
    try writeText("", to: folder.path + "/plain")
    #expect(namesInFolder(folder.path) == ["plain"])
    let made = try Child.run(
      "/bin/sh", ["-c", "touch \"$1/$(printf 'c\\351')\"", "sh", folder.path], environment: [:])
    #expect(made.status == .exited(0))
    #expect(namesInFolder(folder.path).sorted() == [name, "plain"].sorted())
    #expect(fileExists("\(folder.path)/\(name)"))
    _ = try Child.run("/bin/sh", ["-c", "rm \"$1\"/c*", "sh", folder.path], environment: [:])
  }
}
