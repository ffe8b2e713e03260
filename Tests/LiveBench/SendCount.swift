import Glibc
import TestSupport

extension LiveDaemon<Screen> {
  /// The number of system calls by which the daemon sends to the X server while `body` runs.
  ///
  /// Throws if strace is missing or not allowed to attach.
  func sendCount(during body: () throws -> Void) throws -> Int {
    let sockets = process.descriptors(connectedTo: screen.server.display)
    guard !sockets.isEmpty else { throw TestFailure("no socket to the X server found") }
    let trace = try Child(
      "strace",
      ["-f", "-e", "trace=sendmsg,sendmmsg,writev,write,sendto", "-p", "\(process.pid)"],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    try waitUntilAttached(trace)
    let before = trace.err.utf8.count
    try body()
    trace.terminate()
    _ = trace.wait(for: .seconds(5))
    let lines = trace.err.utf8.dropFirst(before).split(separator: UInt8(ascii: "\n"))
    return lines.count { line in
      sockets.contains { isCall(String(decoding: line, as: UTF8.self), on: $0) }
    }
  }

  private func waitUntilAttached(_ trace: Child) throws {
    let start = now()
    while !trace.err.contains("attached") {
      if trace.wait(for: .zero) != nil || millisecondsSince(start) > 5000 {
        throw TestFailure("strace cannot attach: \(trace.err)")
      }
      sleep(milliseconds: 10)
    }
    // strace attaches to the threads one by one.
    sleep(milliseconds: 100)
  }
}

/// Whether a line is the start of a call `name(descriptor, ...`, after `[pid N] ` if there are threads.
private func isCall(_ line: String, on descriptor: Int32) -> Bool {
  guard let name = line.split(separator: "(").first, !line.contains(" resumed>") else {
    return false
  }
  return line.dropFirst(name.count).hasPrefix("(\(descriptor),")
}
