import Control
import Glibc
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
  private var helper: HelperProcess?
  /// Helpers that were killed and have not ended.
  private var ending: [HelperProcess] = []
  /// Whether the files may have changed since the helper was started.
  private var isOutdated: Bool
  /// The time at which a helper is started, or is killed.
  private var stepTime: Duration?
  /// After an attempt for which the system lacked something.
  private var retry = RetryTimer()

  /// An editor may need several steps to write a file.
  private static var settlingTime: Duration { .milliseconds(60) }
  /// The time after which a helper counts as stuck, for example because of a file on another host.
  private static var patience: Duration { .seconds(30) }

  /// `candidates` are the files that may be the configuration. If one exists, it is read at once. If none
  /// does and one `isRequired`, that is logged.
  init(_ candidates: [String], isRequired: Bool, display: String, logger: Logger) {
    self.candidates = candidates
    self.display = display
    self.logger = logger
    watch = FileWatch(candidates)
    isOutdated = firstExisting(candidates) != nil
    stepTime = isOutdated ? .zero : nil
    if watch.isIncomplete { retry.start(at: .zero) }
    if watch.descriptor < 0 {
      let cause =
        FileDescriptor.hasRoom
        ? "this user has too many inotify instances (fs.inotify.max_user_instances)"
        : "backdropd has too many open files; raise its limit (ulimit -n)"
      logger.warning(
        "changes of the configuration are not noticed, because \(cause). 'backdropctl reload' reads it"
      )
    }
    if isRequired, !isOutdated {
      logger.warning("there is no file \(candidates[0]); it is read when it appears")
    }
  }

  /// The time at which `update` must be called.
  var deadline: Duration? { [stepTime, retry.time].compactMap(\.self).min() }

  /// Reads the configuration at once, also if there is none, so that what it declared before ends.
  mutating func request() {
    isOutdated = true
    stepTime = .zero
  }

  /// Become readable when `update` must be called.
  var descriptors: [Int32] { [watch.descriptor, helper?.descriptor ?? -1] }

  /// Whether the daemon may not follow the files yet.
  var isBusy: Bool { isOutdated || helper != nil }

  /// The daemon follows the configuration in these files, the main one first.
  mutating func note(_ files: [String], now: Duration) {
    errors = []
    readCount += 1
    if !watch.isIncomplete { retry.noteSuccess() }
    let others = Array(files.dropFirst())
    if others == included { return }
    included = others
    // They may have changed since they were read.
    if watchAgain(now: now) { readAgain(now: now) }
  }

  /// Watches the files that are there now. Returns whether they may have changed before.
  private mutating func watchAgain(now: Duration) -> Bool {
    defer { if watch.isIncomplete { retry.start(now: now) } }
    return watch.watch(candidates + included)
  }

  /// Does what is due. `ready` are the descriptors that are readable. While `isSuspended`, there is no display for which
  /// content could be drawn.
  mutating func update(now: Duration, ready: [Int32], isSuspended: Bool) {
    if !ending.isEmpty { ending.removeAll { $0.update() } }
    if ready.contains(watch.descriptor), watch.takeChange() {
      retry.noteSuccess()
      _ = watchAgain(now: now)
      readAgain(now: now)
    }
    if !isSuspended, retry.takeDue(now: now) {
      _ = watchAgain(now: now)
      readAgain(now: now)
    }
    if helper?.update() == true {
      finish(now: now)
    } else if helper != nil, let stepTime, stepTime <= now {
      errors = ["the configuration was not read within \(Self.patience)"]
      finish(now: now)
    }
    guard helper == nil, isOutdated, let stepTime, stepTime <= now, !isSuspended else { return }
    start(now: now)
  }

  /// Has the files read when an editor has had time to write them, after the helper that may read them now.
  private mutating func readAgain(now: Duration) {
    isOutdated = true
    if helper == nil { stepTime = now + Self.settlingTime }
  }

  private mutating func start(now: Duration) {
    isOutdated = false
    stepTime = nil
    do throws(SystemError) {
      helper = try HelperProcess("backdropctl", ["reload", "--display", display])
      stepTime = now + Self.patience
    } catch {
      if error.code != ENOENT { retry.start(now: now) }
      errors = ["cannot run backdropctl to read the configuration: \(error)"]
      log()
    }
  }

  private mutating func finish(now: Duration) {
    guard let helper else { return }
    if helper.isEnded, !helper.hasSucceeded {
      let lines = helper.errorText.split(separator: "\n")
      errors = lines.map { line in
        String(line.hasPrefix("backdropctl: ") ? line.dropFirst(13) : line)
      }
      if helper.hasFailed(with: FailureKind.unavailable.exitStatus) { retry.start(now: now) }
      if errors.isEmpty { errors = ["'backdropctl reload' has failed without a reason"] }
    }
    helper.kill()
    if !helper.isEnded { ending.append(helper) }
    self.helper = nil
    stepTime = isOutdated ? now + Self.settlingTime : nil
    log()
  }

  private func log() {
    for error in errors { logger.warning("\(error)") }
    if !errors.isEmpty {
      logger.warning("the configuration is not followed; what was read before stays")
    }
  }
}
