/// The processes that a process has started and has not waited for.
package func children(of pid: Int32) -> [Int32] {
  namesInDirectory("/proc/\(pid)/task").flatMap { thread in
    let text = (try? readText("/proc/\(pid)/task/\(thread)/children")) ?? ""
    return text.split(separator: " ").compactMap { Int32($0) }
  }
}

/// The children of a process, and their children.
package func descendants(of pid: Int32) -> [Int32] {
  children(of: pid).flatMap { [$0] + descendants(of: $0) }
}
