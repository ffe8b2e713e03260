import CLinux
import Glibc

/// How a process ended.
package enum ExitStatus: Equatable, Sendable {
  case exited(Int32)
  case signalled(Int32)
}

/// The result of a program that has ended.
package struct ProgramOutcome: Sendable {
  package let status: ExitStatus
  package let out: String
  package let err: String
}

/// A running program, which ends with its owner at the latest.
///
/// Its output goes to unnamed files: it never blocks, and can be read at any time. It is killed by its pid,
/// which no other process can have until this object has waited for it.
package final class Child {
  package let name: String
  package let pid: Int32
  private let pidDescriptor: Descriptor
  private let outFile: Descriptor
  private let errFile: Descriptor
  private var status: ExitStatus?

  /// The program gets `environment` and the options of sanitizers. `passing` becomes its descriptor 3.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String],
    passing descriptor: Int32? = nil
  ) throws(TestFailure) {
    name = String(program.split(separator: "/").last ?? "")
    outFile = try Descriptor.temporaryFile()
    errFile = try Descriptor.temporaryFile()
    let nothing = unsafe Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
    // Copies with higher numbers: 0 to 3 are the numbers in the child.
    let inherited = try [nothing.number, outFile.number, errFile.number, descriptor ?? -1]
      .filter { $0 >= 0 }.map { (number) throws(TestFailure) in try duplicate(number) }
    defer { inherited.forEach { close($0) } }
    pid = try spawn(
      program, arguments, environment: environment.merging(Sanitizer.options) { own, _ in own },
      descriptors: inherited)
    pidDescriptor = Descriptor(owning: pidfd_open(pid, 0))
  }

  deinit {
    kill()
    _ = wait(for: .seconds(10))
  }

  /// The standard output and error so far; bytes that are not UTF-8 are replaced.
  package var out: String { String(decoding: outFile.contents(), as: UTF8.self) }
  package var err: String { String(decoding: errFile.contents(), as: UTF8.self) }

  /// Sends SIGTERM.
  package func terminate() { send(SIGTERM) }

  /// Sends SIGKILL.
  package func kill() { send(SIGKILL) }

  /// Sends a signal; does nothing if the process has ended.
  package func send(_ signal: Int32) {
    if status == nil { _ = Glibc.kill(pid, signal) }
  }

  /// Readable once the program has ended.
  var endDescriptor: Int32 { pidDescriptor.number }

  /// Waits until it has ended. Returns nil if it still runs after `timeout`.
  package func wait(for timeout: Duration) -> ExitStatus? {
    if let status { return status }
    _ = firstReadable([pidDescriptor.number], until: .now + timeout)
    var word: Int32 = 0
    guard unsafe waitpid(pid, &word, WNOHANG) == pid else { return nil }
    let signal = word & 0x7F
    status = signal == 0 ? .exited(word >> 8 & 0xFF) : .signalled(signal)
    return status
  }

  /// Sends SIGTERM and waits. A program that does not end in time is killed, which is an error.
  @discardableResult
  package func stop(within timeout: Duration = .seconds(10)) throws(TestFailure) -> ExitStatus {
    terminate()
    if let status = wait(for: timeout) { return status }
    kill()
    throw TestFailure("\(name) did not end \(timeout) after SIGTERM; its log:\n\(err)")
  }

  /// Runs a program to its end. One that takes longer than `timeout` is killed, which is an error.
  package static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String],
    timeout: Duration = .seconds(120)
  ) throws(TestFailure) -> ProgramOutcome {
    let child = try Child(program, arguments, environment: environment)
    guard let status = child.wait(for: timeout) else {
      throw TestFailure("\(program) \(arguments) took longer than \(timeout): \(child.err)")
    }
    return ProgramOutcome(status: status, out: child.out, err: child.err)
  }
}

/// A copy of a descriptor with a number above those of the child.
private func duplicate(_ descriptor: Int32) throws(TestFailure) -> Int32 {
  let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 16)
  guard copy >= 0 else { throw Descriptor.failure("fcntl F_DUPFD_CLOEXEC") }
  return copy
}
