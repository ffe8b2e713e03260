import Engine
import Linux
import Logging
import Panes

/// Draws content again whose pane has another scale or size than when it was drawn. `backdropctl redraw` does it in a
/// process of its own, for one pane after the other, so that the daemon has no text layout and no image decoder.
struct Redrawing {
  private let display: String
  private let logger: Logger
  private var helper = Helper()
  /// The contents to draw, without those that were given up. The running helper draws those of one pane.
  private(set) var pending: [DrawingKey] = []
  private var running: [DrawingKey] = []
  private var failures: [Failure] = []
  /// Whether other content may have to be drawn than at the last update, so that `update` must be called.
  private(set) var isDue = false

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

  init(display: String, logger: Logger) {
    self.display = display
    self.logger = logger
  }

  /// The time at which `update` must be called.
  var deadline: Duration? { helper.deadline }

  /// Becomes readable when `update` must be called; -1 if only its deadline counts.
  var descriptor: Int32 { helper.descriptor }

  /// Records that other content may have to be drawn.
  mutating func markDue() { isDue = true }

  /// Does what is due. `jobs` returns what is not drawn. If a client waits for the content, sizes of an animation are drawn
  /// too.
  mutating func update(now: Duration, isAwaited: Bool, _ jobs: () -> [DrawingJob]) {
    defer { isDue = false }
    let isRetry = helper.retry.takeDue(now: now)
    if isRetry { failures.removeAll(where: \.isLack) }
    if let outcome = helper.takeOutcome(now: now) {
      finish(outcome, jobs(), now: now)
    } else if isDue || isRetry {
      let former = pending
      setPending(jobs())
      if !helper.isRunning, pending != former {
        helper.plan(at: pending.isEmpty ? nil : now + Self.delay)
      }
    }
    if helper.takeTurn(now: now, isUrgent: isAwaited) { start(now: now) }
  }

  private mutating func setPending(_ jobs: [DrawingJob]) {
    let keys = jobs.map { DrawingKey($0) }
    failures.removeAll { !keys.contains($0.key) }
    pending = keys.filter { key in
      !failures.contains { $0.key == key && $0.count >= Failure.limit }
    }
  }

  private mutating func start(now: Duration) {
    guard let name = pending.first?.name else { return }
    running = pending.filter { $0.name == name }
    do throws(SystemError) {
      try helper.start(["redraw", "--outdated", "--display", display, "--", name], now: now)
      helper.retry.recordSuccess()
    } catch {
      logger.warning("cannot run backdropctl to draw content again: \(error)")
      failures += running.map { Failure(key: $0, count: Failure.limit, isLack: error.isLack) }
      pending.removeAll { running.contains($0) }
      if !pending.isEmpty { helper.plan(at: now) }
    }
  }

  /// Records what a helper has not drawn. `jobs` is what is not drawn now.
  private mutating func finish(_ outcome: Helper.Outcome, _ jobs: [DrawingJob], now: Duration) {
    let keys = jobs.map { DrawingKey($0) }
    for key in running where keys.contains(key) {
      if let index = failures.firstIndex(where: { $0.key == key }) {
        failures[index].count += 1
      } else {
        failures.append(Failure(key: key))
      }
    }
    setPending(jobs)
    if running.contains(where: { keys.contains($0) && !pending.contains($0) }) { log(outcome) }
    running = []
    helper.plan(at: pending.isEmpty ? nil : now)
  }

  /// Logs what a helper has written.
  private func log(_ outcome: Helper.Outcome) {
    let name = running.first?.name ?? ""
    let none = ["pane '\(name)': 'redraw' has not drawn it"]
    for cause in outcome.messages.isEmpty ? none : outcome.messages {
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
