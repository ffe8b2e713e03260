import Glibc

/// What a running process has used since it started.
package struct ProcessUsage: Sendable {
  /// User and system time, at the kernel's resolution of a hundredth of a second.
  package let cpuSeconds: Double
  package let residentByteCount: Int
  /// The most that was ever resident.
  package let peakByteCount: Int
  /// How often it went to sleep, over all its threads: one less than it was woken.
  package let sleepCount: Int
}

extension Child {
  package func usage() throws(TestFailure) -> ProcessUsage {
    // The name of the program, in parentheses, may hold blanks: fields are counted after it.
    let stat = try readText("/proc/\(pid)/stat")
    guard let nameEnd = stat.lastIndex(of: ")") else { throw TestFailure("no stat of \(pid)") }
    let fields = stat[nameEnd...].split(separator: " ").dropFirst().map(String.init)
    guard fields.count > 21, let user = Int(fields[11]), let system = Int(fields[12]),
      let pages = Int(fields[21])
    else { throw TestFailure("unreadable stat of \(name): \(stat)") }
    return ProcessUsage(
      cpuSeconds: Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK))),
      residentByteCount: pages * sysconf(Int32(_SC_PAGESIZE)),
      peakByteCount: try peakByteCount(), sleepCount: try sleepCount())
  }

  private func peakByteCount() throws(TestFailure) -> Int {
    let status = try readText("/proc/\(pid)/status")
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line.flatMap({ Int($0.filter(\.isNumber)) }) else {
      throw TestFailure("no VmHWM of \(name): \(status)")
    }
    return kilobytes << 10
  }

  private func sleepCount() throws(TestFailure) -> Int {
    var sum = 0
    for thread in namesInDirectory("/proc/\(pid)/task") {
      let status = try readText("/proc/\(pid)/task/\(thread)/status")
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      sum += line.flatMap { $0.split(separator: "\t").last }.flatMap { Int($0) } ?? 0
    }
    return sum
  }
}
