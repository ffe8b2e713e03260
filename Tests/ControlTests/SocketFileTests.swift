import Control
import Glibc
import Linux
import Raster
import Testing

private func mode(_ path: String) -> mode_t? {
  var information = stat()
  return unsafe lstat(path, &information) == 0 ? information.st_mode : nil
}

@Suite struct SocketFileTests {
  @Test func socketHasMode0600() throws {
    let folder = TemporaryFolder()
    let server = try ControlServer(path: folder.socket)
    #expect(mode(folder.socket) == S_IFSOCK | 0o600)
    #expect(server.interests().count == 1)
  }

  @Test func socketIsRemovedWithItsServer() throws {
    let folder = TemporaryFolder()
    do { _ = try ControlServer(path: folder.socket) }
    #expect(mode(folder.socket) == nil)
  }

  @Test func socketThatAnswersIsKept() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    #expect(throws: ControlError.alreadyServed(process: Int(getpid()))) {
      _ = try ControlServer(path: folder.socket)
    }
    server.settle()
    let client = RawClient(path: folder.socket)
    client.send(Request.list.line)
    #expect(server.settle().map(\.request) == [.list])
  }

  @Test func socketOfDeadDaemonIsReplaced() throws {
    let folder = TemporaryFolder()
    do {
      // A socket that is bound and then closed leaves its file, like a daemon that is killed.
      let aside = folder.path + "/aside"
      let server = try ControlServer(path: folder.socket)
      #expect(unsafe rename(folder.socket, aside) == 0)
      _ = consume server
      #expect(unsafe rename(aside, folder.socket) == 0)
    }
    #expect(mode(folder.socket) == S_IFSOCK | 0o600)
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    client.send(Request.list.line)
    #expect(server.settle().map(\.request) == [.list])
  }

  @Test func fileThatIsNoSocketIsKept() throws {
    let folder = TemporaryFolder()
    close(unsafe creat(folder.socket, 0o600))
    #expect(throws: ControlError.notASocket(path: folder.socket)) {
      _ = try ControlServer(path: folder.socket)
    }
    #expect(mode(folder.socket) == S_IFREG | 0o600)
  }

  @Test func socketThatReplacedOursIsKept() throws {
    let folder = TemporaryFolder()
    let first = try ControlServer(path: folder.socket)
    unsafe unlink(folder.socket)
    let second = try ControlServer(path: folder.socket)
    _ = consume first
    #expect(mode(folder.socket) == S_IFSOCK | 0o600)
    _ = consume second
    #expect(mode(folder.socket) == nil)
  }

  @Test func impossiblePathIsNamed() throws {
    let missing = "/nonexistent/control.sock"
    #expect(throws: ControlError.system(action: "open /nonexistent", errno: ENOENT)) {
      _ = try ControlServer(path: missing)
    }
    let long = "/tmp/" + String(repeating: "x", count: 200)
    #expect(throws: ControlError.pathTooLong(long, limit: 107)) {
      _ = try ControlServer(path: long)
    }
  }

  @Test func errorWithoutDaemonSaysHowToStartOne() throws {
    let folder = TemporaryFolder()
    let missing = ControlError.noDaemon(display: ":1", path: folder.socket)
    #expect(throws: missing) { _ = try ControlClient(display: ":1", path: folder.socket) }
    #expect("\(missing)".contains("start it with"))
    #expect(missing.kind.exitStatus == 69)
  }

  @Test func daemonThatEndsIsNoAnswer() throws {
    let folder = TemporaryFolder()
    let server = try ControlServer(path: folder.socket)
    var client = try ControlClient(display: ":1", path: folder.socket)
    _ = consume server
    #expect(throws: ControlError.noAnswer(display: ":1")) { _ = try client.ask(.list) }
  }

  @Test func readBeyondPixelFileIsAnError() throws {
    let parts = [[1, 2], [3]].map { Bitmap(width: $0.count, height: 1, pixels: $0) }
    let file = try FileDescriptor.makePixelFile(parts)
    #expect(try file.readPixels(3) == [1, 2, 3])
    #expect(try file.readPixels(1, from: 2) == [3])
    for (count, start) in [(4, 0), (1, 3)] {
      let failure = #expect(throws: SystemError.self) { try file.readPixels(count, from: start) }
      #expect(failure?.code == ENODATA)
    }
  }
}
