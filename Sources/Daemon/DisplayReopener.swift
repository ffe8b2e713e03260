import Control
import Logging

/// Opens the display again after its loss.
struct DisplayReopener<Server: ServedDisplay & ~Copyable> {
  private let options: Options
  private let logger: Logger
  /// The thread that opens it.
  private var opener: DisplayOpener<Server>?
  /// The time of the next attempt to make the thread; nil if it is there or not needed.
  private var attempt: Duration?

  /// The time between two attempts to make a thread.
  private static var interval: Duration { .milliseconds(200) }

  init(_ options: Options, _ logger: Logger) {
    self.options = options
    self.logger = logger
  }

  /// Becomes readable when `takeOutcome` must be called; nil while there is no thread.
  var descriptor: Int32? { opener?.descriptor }

  /// The time at which `takeOutcome` must be called.
  var deadline: Duration? { attempt }

  /// The display was lost.
  mutating func begin(now: Duration) { attempt = now }

  /// The opened display, or the error that ends the daemon; nil before.
  mutating func takeOutcome(now: Duration) -> DisplayOutcome<Server>? {
    if let attempt, attempt <= now { start(now: now) }
    let outcome = opener?.take()
    switch outcome {
    case .some: opener = nil
    case .none: break
    }
    return outcome
  }

  private mutating func start(now: Duration) {
    do throws(ControlError) {
      opener = try DisplayOpener { [options, logger] in reopenDisplay(options, logger) }
      attempt = nil
    } catch {
      logger.debug("\(error)")
      attempt = now + Self.interval
    }
  }
}
