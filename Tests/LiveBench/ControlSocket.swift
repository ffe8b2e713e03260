import FoundationEssentials
import Glibc
import TestSupport

/// A request to the daemon: one JSON object, without the keys that are nil.
/// A pane is added as a plain blur, also by daemons that know no styles.
struct BenchRequest: Encodable {
  var request: String
  var name: String?
  var geometry: String?
  var sigma: Double?
  var tint, corner, border, shadow: String?
  var saturation: Double?
  var size, edge, action: String?
  var layer, sees, `class`: String?
  var peek: Double?

  init(_ request: String, _ name: String? = nil) {
    self.request = request
    self.name = name
    guard request == "add" else { return }
    (sigma, saturation, tint) = (20, 1, "#00000000")
    (corner, border, shadow) = ("0", "none", "none")
  }
}

/// The part of a reply that the scenarios use.
struct BenchReply: Decodable {
  struct Status: Decodable {
    let frames, bytesRead, bytesWritten: Int
    /// The total time of each stage of all frames, by the name of the stage.
    let milliseconds: [String: Double]

    var stageMilliseconds: Double { milliseconds.values.reduce(0, +) }
  }

  let reply: String
  let text: String?
  let status: Status?
}

/// A connection to the daemon's socket, with a limit for the time that a reply takes.
final class ControlSocket {
  private let socket: Int32
  private let daemon: Child
  private var unread: [UInt8] = []

  init(_ daemon: TestDaemon) throws {
    self.daemon = daemon.process
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let path = daemon.server.controlSocket
    // A daemon that does not accept connections must not block this program.
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    guard connect(to: path) else {
      close(socket)
      throw failure("cannot connect to \(path)")
    }
  }

  deinit { close(socket) }

  private func connect(to path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return unsafe withUnsafePointer(to: &address) { typed in
      unsafe typed.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// Sends a request and does not wait for its reply.
  func send(_ request: BenchRequest) throws {
    var line = Array(try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")]
    while !line.isEmpty {
      let count = unsafe Glibc.send(socket, line, line.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { throw failure("the daemon takes no request '\(request.request)'") }
      line.removeFirst(count)
    }
  }

  /// The next line that arrives within the limit; nil if there is none.
  func nextLine(withinMilliseconds limit: Double) throws -> [UInt8]? {
    let start = now()
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return Array(unread[..<end])
      }
      let left = limit - millisecondsSince(start)
      var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard left > 0, unsafe poll(&polled, 1, Int32(left.rounded(.up))) >= 0 else { return nil }
      guard polled.revents != 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 65536)
      let count = unsafe recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else { throw failure("the daemon has closed the connection") }
      unread += chunk[..<count]
    }
  }

  /// Reads the reply to the oldest request that has none; throws unless the daemon did what was asked.
  @discardableResult
  func reply(to request: String, withinSeconds limit: Double = 30) throws -> BenchReply {
    guard let line = try nextLine(withinMilliseconds: limit * 1000) else {
      throw failure("no reply to '\(request)' in \(Int(limit)) s")
    }
    let reply = try JSONDecoder().decode(BenchReply.self, from: Data(line))
    if reply.reply == "failure" { throw TestFailure("'\(request)' failed: \(reply.text ?? "")") }
    return reply
  }

  @discardableResult
  func ask(_ request: BenchRequest, withinSeconds limit: Double = 30) throws -> BenchReply {
    try send(request)
    return try reply(to: request.request, withinSeconds: limit)
  }

  /// Adds how the daemon ended, if it did.
  private func failure(_ text: String) -> TestFailure {
    guard let status = daemon.wait(for: .milliseconds(200)) else { return TestFailure(text) }
    return TestFailure("\(text); it ended: \(status); its log: \(daemon.err.suffix(500))")
  }

  /// Returns when everything asked and drawn before is on the screen.
  func sync() throws { try ask(BenchRequest("sync")) }
}
