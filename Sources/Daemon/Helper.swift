import Control
import Glibc
import Linux

/// Runs one `backdropctl` after the other, for work that needs a parser, a text layout or an image decoder, which the daemon does
/// not have. A run is planned, started, and has an outcome. The daemon never waits for one, and kills those that take too long.
struct Helper {
  private var process: HelperProcess?
  /// Runs that were killed and have not ended.
  private var ending: [HelperProcess] = []
  /// The time of the next run; nil if none is planned.
  private var planned: Duration?
  /// The time at which the run is killed.
  private var end = Duration.zero
  /// When a run is planned again after the system lacked something.
  var retry = RetryTimer()

  /// The time after which a run counts as stuck, for example because of a file on another host.
  static let patience = Duration.seconds(30)
  /// An editor may need several steps to write a file that a run reads.
  static let settlingTime = Duration.milliseconds(60)

  /// How a run has ended.
  struct Outcome: Equatable {
    enum End { case succeeded, failed, unavailable, stuck }
    let end: End
    /// The lines of its error output, without the name of the program.
    let messages: [String]
  }

  var isRunning: Bool { process != nil }

  /// Whether there is a run, or one is planned.
  var isBusy: Bool { isRunning || planned != nil }

  /// Becomes readable when `takeOutcome` must be called; -1 if only its deadline counts.
  var descriptor: Int32 { process?.descriptor ?? -1 }

  /// The time at which something is due.
  var deadline: Duration? { [isRunning ? end : planned, retry.time].compactMap(\.self).min() }

  /// Plans the next run, in the place of the planned one, or none. It is after the present run.
  mutating func plan(at time: Duration?) { planned = time }

  /// Ends the present run. Its outcome is not wanted.
  mutating func cancel() {
    guard let process else { return }
    process.kill()
    if !process.isEnded { ending.append(process) }
    self.process = nil
  }

  /// The outcome of the run that has ended, or that has taken too long.
  mutating func takeOutcome(now: Duration) -> Outcome? {
    if !ending.isEmpty { ending.removeAll { $0.update() } }
    guard let process else { return nil }
    let isEnded = process.update()
    if !isEnded, now < end { return nil }
    let lines = process.errorText.split(separator: "\n").map { line in
      String(line.hasPrefix("backdropctl: ") ? line.dropFirst(13) : line)
    }
    cancel()
    if !isEnded { return Outcome(end: .stuck, messages: lines) }
    if process.hasSucceeded { return Outcome(end: .succeeded, messages: lines) }
    let isUnavailable = process.hasFailed(with: FailureKind.unavailable.exitStatus)
    return Outcome(end: isUnavailable ? .unavailable : .failed, messages: lines)
  }

  /// Whether the next run must be started now, which ends its plan. One that is urgent need not wait for its time.
  mutating func takeTurn(now: Duration, isUrgent: Bool = false) -> Bool {
    guard !isRunning, let time = planned, time <= now || isUrgent else { return false }
    planned = nil
    return true
  }

  /// Starts `backdropctl` with arguments. Throws a `SystemError`; if the system lacks something, `retry` has a time then.
  mutating func start(_ arguments: [String], now: Duration) throws(SystemError) {
    do throws(SystemError) {
      process = try HelperProcess("backdropctl", arguments)
      end = now + Self.patience
    } catch {
      if error.isLack { retry.start(now: now) }
      throw error
    }
  }
}

extension SystemError {
  /// Whether the system lacked something, which it may have later.
  var isLack: Bool { code != ENOENT }
}
