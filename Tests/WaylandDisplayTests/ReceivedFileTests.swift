import Glibc
import TestSupport
import Testing
import WaylandClient

@Suite struct ReceivedFileTests {
  @Test func fileIsClosedWhenItsEventIsDropped() throws {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(unsafe socketpair(AF_UNIX, type, 0, &pair) == 0)
    defer { close(pair[0]) }
    var file: ReceivedFile? = ReceivedFile(owning: pair[1])
    #expect(file?.bytes(5) == [])
    file = nil
    // No other end is left.
    var byte: UInt8 = 0
    #expect(unsafe read(pair[0], &byte, 1) == 0)
  }

  @Test func bytesEndWithTheFile() throws {
    let memory = try MemoryFile(byteCount: 3)
    let text = Array("abc".utf8)
    #expect(unsafe pwrite(memory.number, text, 3, 0) == 3)
    let file = ReceivedFile(owning: dup(memory.number))
    #expect(file.bytes(2) == Array("ab".utf8) && file.bytes(9) == text && file.bytes(0) == [])
  }
}
