import Glibc
import Linux

@testable import Control

/// A folder for a socket; removed with it.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() {
    var template = Array("/tmp/backdropd-test-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { template in
      unsafe template.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
    }
    guard let made else { preconditionFailure("no temporary folder: \(errorText(errno))") }
    path = made
  }

  var socket: String { path + "/control.sock" }

  deinit {
    unsafe unlink(socket)
    unsafe rmdir(path)
  }
}

/// A client that sends and receives any bytes.
struct RawClient: ~Copyable {
  let socket: FileDescriptor

  init(path: String) {
    let raw = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let code = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(raw, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(code == 0, "cannot connect: \(errorText(errno))")
    _ = fcntl(raw, F_SETFL, O_NONBLOCK)
    socket = FileDescriptor(owning: raw)
  }

  /// Sends as much as the socket has room for. Returns the number of bytes; nil if the other side is gone.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Int? {
    let bytes = Array(bytes)
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Glibc.send(socket.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    return count >= 0 ? count : errno == EAGAIN ? 0 : nil
  }

  @discardableResult
  func send(_ text: String) -> Int? { send(Array(text.utf8)) }

  /// Sends bytes with which a file goes; there must be room for all of them.
  func send(_ bytes: some Collection<UInt8>, attaching file: borrowing FileDescriptor) {
    let transfer = socket.send(Array(bytes), from: 0, attaching: file.raw)
    precondition(transfer == .moved(byteCount: bytes.count), "sent \(transfer)")
  }

  /// The bytes that have arrived, and whether the other side has closed.
  func receive() -> (bytes: [UInt8], isClosed: Bool) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { chunk in
        unsafe recv(socket.raw, chunk.baseAddress, chunk.count, 0)
      }
      if count <= 0 { return (bytes, count == 0 || errno != EAGAIN) }
      bytes += chunk[..<count]
    }
  }

  func endSending() { _ = shutdown(socket.raw, Int32(SHUT_WR)) }

  // A program that another test starts has a copy of the socket until it executes, so closing alone may end nothing.
  deinit { socket.endStream() }
}

extension ControlServer {
  /// One iteration of a daemon's loop, which answers each request with `reply`. Returns the requests;
  /// none if nothing is ready within `milliseconds`.
  @discardableResult
  mutating func iterate(
    milliseconds: Int32 = 0, reply: (Request) -> Reply? = { _ in .done }
  ) -> [Incoming] {
    var entries = interests().map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    let timeout = hasRequests ? 0 : milliseconds
    guard unsafe poll(&entries, nfds_t(entries.count), timeout) > 0 || hasRequests else {
      return []
    }
    handle(entries.map { ($0.fd, $0.revents) })
    return takeAll(reply: reply)
  }

  /// Performs one request of each client.
  private mutating func takeAll(reply: (Request) -> Reply?) -> [Incoming] {
    takeTurns().compactMap { turn in
      guard let incoming = nextRequest(of: turn) else { return nil }
      if let reply = reply(incoming.request) { send(reply, to: incoming.client) }
      return incoming
    }
  }

  /// Iterates until nothing is left to do.
  @discardableResult
  mutating func settle(reply: (Request) -> Reply? = { _ in .done }) -> [Incoming] {
    var all: [Incoming] = []
    while true {
      var entries = interests().map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
      if unsafe poll(&entries, nfds_t(entries.count), 0) == 0, !hasRequests { return all }
      all += iterate(reply: reply)
    }
  }

}

/// The replies in the bytes that a client has received.
func replies(_ bytes: [UInt8]) throws -> [Reply] {
  try bytes.split(separator: UInt8(ascii: "\n")).map { try Reply(parsing: $0) }
}
