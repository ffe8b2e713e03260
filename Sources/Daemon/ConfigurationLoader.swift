import Control
import Linux
import Logging

/// Has the configuration read when it may have changed. `backdropctl reload` reads it in a process of its own, draws the
/// images and labels of its panes, and sends the request `configure`.
struct ConfigurationLoader: ~Copyable {
  /// The errors of the configuration, as lines; empty if the daemon follows it.
  private(set) var errors: [String] = []
  /// How often the daemon has followed the files.
  private(set) var readCount = 0
  /// The file that is read; nil if there is none.
  var file: String? { firstExisting(candidates) }
  /// The files that may be the configuration.
  private let candidates: [String]
  /// The files that the configuration includes.
  private var included: [String] = []
  private let display: String
  private let logger: Logger
  private var watch: FileWatch
  private var helper = Helper()

  /// `candidates` are the files that may be the configuration. If one exists, it is read at once. If none
  /// does and one `isRequired`, that is logged.
  init(_ candidates: [String], isRequired: Bool, display: String, logger: Logger) {
    self.candidates = candidates
    self.display = display
    self.logger = logger
    watch = FileWatch(candidates)
    let isThere = firstExisting(candidates) != nil
    if isThere { helper.plan(at: .zero) }
    if watch.isIncomplete { helper.retry.start(at: .zero) }
    if watch.descriptor < 0 {
      let cause =
        FileDescriptor.hasRoom
        ? "this user has too many inotify instances (fs.inotify.max_user_instances)"
        : "backdropd has too many open files; raise its limit (ulimit -n)"
      logger.warning(
        "changes of the configuration are not noticed, because \(cause). 'backdropctl reload' reads it"
      )
    }
    if isRequired, !isThere {
      logger.warning("there is no file \(candidates[0]); it is read when it appears")
    }
  }

  /// The time at which `update` must be called.
  var deadline: Duration? { helper.deadline }

  /// Reads the configuration at once, also if there is none, so that what it declared before ends.
  mutating func request() { helper.plan(at: .zero) }

  /// Become readable when `update` must be called.
  var descriptors: [Int32] { [watch.descriptor, helper.descriptor] }

  /// Whether the daemon may not follow the files yet.
  var isBusy: Bool { helper.isBusy }

  /// Follows the configuration in these files, the main one first.
  mutating func follow(_ files: [String], now: Duration) {
    errors = []
    readCount += 1
    if !watch.isIncomplete { helper.retry.recordSuccess() }
    let others = Array(files.dropFirst())
    if others == included { return }
    included = others
    // They may have changed since they were read.
    if watchAgain(now: now) { readAgain(now: now) }
  }

  /// Watches the files that are there now. Returns whether they may have changed before.
  private mutating func watchAgain(now: Duration) -> Bool {
    defer { if watch.isIncomplete { helper.retry.start(now: now) } }
    return watch.watch(candidates + included)
  }

  /// Does what is due. `ready` are the descriptors that are readable. While `isSuspended`, there is no display for which
  /// content could be drawn.
  mutating func update(now: Duration, ready: [Int32], isSuspended: Bool) {
    if ready.contains(watch.descriptor), watch.takeChange() {
      helper.retry.recordSuccess()
      _ = watchAgain(now: now)
      readAgain(now: now)
    }
    if !isSuspended, helper.retry.takeDue(now: now) {
      _ = watchAgain(now: now)
      readAgain(now: now)
    }
    if let outcome = helper.takeOutcome(now: now) { finish(outcome, now: now) }
    if !isSuspended, helper.takeTurn(now: now) { start(now: now) }
  }

  /// Has the files read when an editor has had time to write them, after the helper that may read them now.
  private mutating func readAgain(now: Duration) { helper.plan(at: now + Helper.settlingTime) }

  private mutating func start(now: Duration) {
    do throws(SystemError) {
      try helper.start(["reload", "--display", display], now: now)
    } catch {
      errors = ["cannot run backdropctl to read the configuration: \(error)"]
      log()
    }
  }

  private mutating func finish(_ outcome: Helper.Outcome, now: Duration) {
    switch outcome.end {
    case .succeeded: break
    case .stuck: errors = ["the configuration was not read within \(Helper.patience)"]
    case .failed, .unavailable:
      let none = ["'backdropctl reload' has failed without a reason"]
      errors = outcome.messages.isEmpty ? none : outcome.messages
      if outcome.end == .unavailable { helper.retry.start(now: now) }
    }
    log()
  }

  private func log() {
    for error in errors { logger.warning("\(error)") }
    if !errors.isEmpty {
      logger.warning("the configuration is not followed; what was read before stays")
    }
  }
}
