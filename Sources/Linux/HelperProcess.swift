import CLinux
import Glibc

/// A running program, which is killed at the end of its owner's life. No call waits for it: a program that waits for a file
/// on another host does not end at once.
package final class HelperProcess {
  private let process: ChildProcess
  private let output, errors: FileDescriptor

  /// Starts a program in the folder of this one, or else in PATH. It gets no standard input. Throws a `SystemError`.
  package init(_ name: String, _ arguments: [String]) throws(SystemError) {
    let output = try FileDescriptor.makeMemoryFile()
    let errors = try FileDescriptor.makeMemoryFile()
    process = try ChildProcess(
      programPath(name), [name] + arguments,
      ChildProcess.Options(output: output.raw, errors: errors.raw))
    self.output = output
    self.errors = errors
  }

  deinit { kill() }

  /// Becomes readable when it has ended.
  package var descriptor: Int32 { process.descriptor }

  /// Whether it had ended at the last `update`.
  package var isEnded: Bool { process.end != nil }

  /// Whether it has ended with the status 0.
  package var hasSucceeded: Bool { process.end == .exited(0) }

  /// Whether it has ended with a status.
  package func hasFailed(with status: Int32) -> Bool { process.end == .exited(status) }

  /// Looks whether it has ended. Returns `isEnded`.
  @discardableResult
  package func update() -> Bool { process.update() }

  /// Kills it. It may end later.
  package func kill() { process.kill() }

  /// The standard output so far, at most 64 KiB.
  package var outputText: String { Self.text(in: output) }

  /// The standard error so far, at most 64 KiB.
  package var errorText: String { Self.text(in: errors) }

  private static func text(in file: borrowing FileDescriptor) -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe pread(file.raw, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

/// The path of a program in the folder of this one; its name, which is looked up in PATH, if it is not there.
package func programPath(_ name: String) -> String {
  guard let folder = ownPath()?.folderOfPath else { return name }
  let path = "\(folder)/\(name)"
  return unsafe access(path.systemText, X_OK) == 0 ? path : name
}

/// The path of the file of this program. Nil where there is no `/proc`.
package func ownPath() -> String? { linkTarget("/proc/self/exe") }

extension FileDescriptor {
  /// An empty file in memory. Throws a `SystemError`.
  fileprivate static func makeMemoryFile() throws(SystemError) -> FileDescriptor {
    let raw = unsafe memfd_create("text", UInt32(MFD_CLOEXEC))
    if raw < 0 { throw SystemError(code: errno) }
    return FileDescriptor(owning: raw)
  }
}
