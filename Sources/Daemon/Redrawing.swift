import Engine
import Glibc
import Linux
import Logging
import Panes

/// Draws content again whose pane has another scale or size than when it was drawn. `backdropctl redraw` does it in a
/// process of its own, for one pane after the other, so that the daemon has no text layout and no image decoder.
struct Redrawing {
  private let display: String
  private let logger: Logger
  private var helper: HelperProcess?
  /// Helpers that were killed and have not ended.
  private var ending: [HelperProcess] = []
  /// The contents to draw, without those that were given up. The running helper draws those of one pane.
  private(set) var pending: [DrawingKey] = []
  private var running: [DrawingKey] = []
  private var failures: [Failure] = []
  /// The time at which a helper is started, or is killed.
  private var stepTime: Duration?
  /// After the system could not start a helper.
  private var retry = RetryTimer()

  /// A content that could not be drawn, and how often. It is tried twice, because it may have changed while it was drawn.
  private struct Failure {
    let key: DrawingKey
    var count = 1
    /// Whether no helper could be started, so that it is tried again later.
    var isLack = false
    static let limit = 2
  }

  /// A size must be the same for so long before content is drawn for it: it may be one of an animation.
  private static let delay = Duration.milliseconds(50)
  /// The time after which a helper counts as stuck, for example because of a file on another host.
  private static let patience = Duration.seconds(30)

  init(display: String, logger: Logger) {
    self.display = display
    self.logger = logger
  }

  /// The time at which `update` must be called.
  var deadline: Duration? { [stepTime, retry.time].compactMap(\.self).min() }

  /// Becomes readable when `update` must be called; -1 if only its deadline counts.
  var descriptor: Int32 { helper?.descriptor ?? -1 }

  /// Does what is due. `jobs` returns what is not drawn; `hasChanged` says whether it may be other content than at the last
  /// call. If a client waits for the content, sizes of an animation are drawn too.
  mutating func update(
    now: Duration, hasChanged: Bool, isAwaited: Bool, _ jobs: () -> [DrawingJob]
  ) {
    ending.removeAll { $0.update() }
    let isRetry = retry.takeDue(now: now)
    if isRetry { failures.removeAll(where: \.isLack) }
    if helper?.update() == true || helper != nil && stepTime.map({ $0 <= now }) == true {
      finish(jobs(), now: now)
    } else if hasChanged || isRetry {
      let former = pending
      setPending(jobs())
      if helper == nil, pending != former { stepTime = pending.isEmpty ? nil : now + Self.delay }
    }
    guard helper == nil, let stepTime, stepTime <= now || isAwaited else { return }
    start(now: now)
  }

  private mutating func setPending(_ jobs: [DrawingJob]) {
    let keys = jobs.map { DrawingKey($0) }
    failures.removeAll { !keys.contains($0.key) }
    pending = keys.filter { key in
      !failures.contains { $0.key == key && $0.count >= Failure.limit }
    }
  }

  private mutating func start(now: Duration) {
    stepTime = nil
    guard let name = pending.first?.name else { return }
    running = pending.filter { $0.name == name }
    do throws(SystemError) {
      helper = try HelperProcess(
        "backdropctl", ["redraw", "--outdated", "--display", display, "--", name])
      stepTime = now + Self.patience
      retry.noteSuccess()
    } catch {
      logger.warning("cannot run backdropctl to draw content again: \(error)")
      let isLack = error.code != ENOENT
      if isLack { retry.start(now: now) }
      failures += running.map { Failure(key: $0, count: Failure.limit, isLack: isLack) }
      pending.removeAll { running.contains($0) }
      if !pending.isEmpty { stepTime = now }
    }
  }

  /// Ends the helper. `jobs` is what is not drawn now.
  private mutating func finish(_ jobs: [DrawingJob], now: Duration) {
    let keys = jobs.map { DrawingKey($0) }
    for key in running where keys.contains(key) {
      if let index = failures.firstIndex(where: { $0.key == key }) {
        failures[index].count += 1
      } else {
        failures.append(Failure(key: key))
      }
    }
    setPending(jobs)
    if let helper {
      if running.contains(where: { keys.contains($0) && !pending.contains($0) }) { log(helper) }
      helper.kill()
      if !helper.isEnded { ending.append(helper) }
    }
    helper = nil
    running = []
    stepTime = pending.isEmpty ? nil : now
  }

  /// Logs what a helper has written.
  private func log(_ helper: HelperProcess) {
    let name = running.first?.name ?? ""
    var lines = helper.errorText.split(separator: "\n").map(String.init)
    if lines.isEmpty { lines = ["backdropctl: pane '\(name)': 'redraw' has not drawn it"] }
    for line in lines {
      let cause = line.hasPrefix("backdropctl: ") ? String(line.dropFirst(13)) : line
      logger.warning("cannot draw content for another scale or size: \(cause)")
    }
  }
}

/// Identifies content that must be drawn for one size and scale. It holds no pictures.
struct DrawingKey: Equatable {
  let name: String
  private var target: ContentTarget
  private let declarations: [PaneContent.Declaration]

  init(_ job: DrawingJob) {
    name = job.name
    target = job.target
    declarations = job.contents.map(\.declaration)
    // An image does not depend on the size of its pane, so one that cannot be drawn is not tried for each.
    let missing = job.contents.filter { !$0.isDrawn(for: job.target) }
    if missing.allSatisfy(\.isImage) { (target.width, target.height) = (0, 0) }
  }
}
