import Glibc

/// The resources that a running process has used since its start.
package struct ProcessUsage: Sendable {
  /// User and system time, at the kernel's resolution of a hundredth of a second.
  package let cpuSeconds: Double
  package let residentByteCount: Int
  /// The maximum of resident memory.
  package let peakByteCount: Int
  /// The number of voluntary context switches of all its threads: each ends with a wake-up.
  package let sleepCount: Int

  /// With the times and the number since an earlier moment.
  package func since(_ start: ProcessUsage) -> ProcessUsage {
    ProcessUsage(
      cpuSeconds: cpuSeconds - start.cpuSeconds, residentByteCount: residentByteCount,
      peakByteCount: peakByteCount, sleepCount: sleepCount - start.sleepCount)
  }
}

/// User and system time of a process, at the kernel's resolution of a hundredth of a second.
package func cpuSeconds(ofProcess pid: Int) throws(TestFailure) -> Double {
  let fields = try statFields(ofProcess: pid)
  return Double(fields[11] + fields[12]) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// The fields of `/proc/PID/stat` after the name of the program, which may contain blanks; see proc(5). Fields
/// that are not numbers are 0.
private func statFields(ofProcess pid: Int) throws(TestFailure) -> [Int] {
  let stat = try readText("/proc/\(pid)/stat")
  guard let nameEnd = stat.lastIndex(of: ")") else { throw TestFailure("no stat of \(pid)") }
  let fields = stat[nameEnd...].split(separator: " ").dropFirst().map { Int($0) ?? 0 }
  guard fields.count > 21 else { throw TestFailure("unreadable stat of \(pid): \(stat)") }
  return fields
}

extension Child {
  /// The state letter of proc(5), such as "S" or "T".
  package func state() throws(TestFailure) -> String {
    let stat = try readText("/proc/\(pid)/stat")
    guard let nameEnd = stat.lastIndex(of: ")") else { throw TestFailure("no stat of \(pid)") }
    return String(stat[nameEnd...].dropFirst(2).prefix(1))
  }

  /// The usage of the process so far. The process must not have ended.
  package func usage() throws(TestFailure) -> ProcessUsage {
    let pages = try statFields(ofProcess: Int(pid))[21]
    return ProcessUsage(
      cpuSeconds: try cpuSeconds(ofProcess: Int(pid)),
      residentByteCount: pages * sysconf(Int32(_SC_PAGESIZE)),
      peakByteCount: try peakByteCount(), sleepCount: sleepCount())
  }

  /// The address space that a limit counts, in bytes.
  package func addressSpace() throws(TestFailure) -> Int {
    try kibibytes("VmSize:", in: "status") << 10
  }

  /// The memory that it has written and that no other process uses.
  package func privateByteCount() throws(TestFailure) -> Int {
    try kibibytes("Private_Dirty:", in: "smaps_rollup") << 10
  }

  /// Its resident memory, and the part of it that is its own share: of memory that several processes use, each has a part.
  package func memoryUse() throws(TestFailure) -> (resident: Int, proportional: Int) {
    (
      try kibibytes("Rss:", in: "smaps_rollup") << 10,
      try kibibytes("Pss:", in: "smaps_rollup") << 10
    )
  }

  private func peakByteCount() throws(TestFailure) -> Int {
    try kibibytes("VmHWM:", in: "status") << 10
  }

  /// The number in a line of a file in `/proc/PID`.
  private func kibibytes(_ key: String, in file: String) throws(TestFailure) -> Int {
    let text = try readText("/proc/\(pid)/\(file)")
    let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
    guard let number = line.flatMap({ Int($0.filter(\.isNumber)) }) else {
      throw TestFailure("no \(key) of \(name): \(text)")
    }
    return number
  }

  /// The sleeps of all threads that exist.
  private func sleepCount() -> Int {
    var sum = 0
    for thread in namesInDirectory("/proc/\(pid)/task") {
      // It may have ended since.
      guard let status = try? readText("/proc/\(pid)/task/\(thread)/status") else { continue }
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      sum += line.flatMap { $0.split(separator: "\t").last }.flatMap { Int($0) } ?? 0
    }
    return sum
  }
}
