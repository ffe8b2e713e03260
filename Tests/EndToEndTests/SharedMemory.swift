import TestSupport

extension XServer {
  /// The sizes in bytes of the memory that the server shares with daemons.
  func sharedMemory() throws -> [Int] {
    let maps = String(decoding: try readBytes("/proc/\(process.pid)/maps"), as: UTF8.self)
    return maps.split(separator: "\n").filter { $0.contains("/memfd:backdropd") }.compactMap {
      let bounds = $0.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
      return bounds.count == 2 ? bounds[1] - bounds[0] : nil
    }
  }
}

extension TestDaemon {
  /// Limits the size of files, also of those in memory; nil ends the limit.
  func limitFileSize(to byteCount: Int?) throws {
    let limit = byteCount.map { "\($0)" } ?? "unlimited"
    let outcome = try server.run("prlimit", ["--pid", "\(process.pid)", "--fsize=\(limit):"])
    guard outcome.status == .exited(0) else { throw TestFailure(outcome.err) }
  }
}
