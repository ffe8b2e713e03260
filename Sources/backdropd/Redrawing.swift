import Engine
import Linux
import Logging
import Panes

/// Draws content again whose pane has another scale or size than when it was drawn. `backdropctl redraw` does it in a
/// process of its own, so that the daemon has no text layout and no image decoder.
struct Redrawing: ~Copyable {
  private let display: String
  private let logger: Logger
  private var helper: HelperProcess?
  /// What the running helper draws.
  private var running: [DrawingJob] = []
  /// What could not be drawn. It is not tried again.
  private var abandoned: [DrawingJob] = []
  /// The time at which a helper is started, or is killed.
  private(set) var deadline: Duration?

  /// A size must be the same for so long before content is drawn for it: it may be one of an animation.
  private static let delay = Duration.milliseconds(50)
  /// The time after which a helper counts as stuck, for example because of a file on another host.
  private static let patience = Duration.seconds(30)

  init(display: String, logger: Logger) {
    self.display = display
    self.logger = logger
  }

  /// Becomes readable when `update` must be called; -1 if only its deadline counts.
  var descriptor: Int32 {
    switch helper {
    case .some(let helper): helper.descriptor
    case .none: -1
    }
  }

  /// Whether content will be drawn again.
  var isPending: Bool { deadline != nil }

  /// Does what is due. `jobs` returns what is not drawn, which may be other content than at the last call if `hasChanged`.
  /// If a client waits for the content, sizes of an animation are drawn too.
  mutating func update(
    now: Duration, hasChanged: Bool, isAwaited: Bool, _ jobs: () -> [DrawingJob]
  ) {
    if helper?.hasEnded() == true { finish(jobs(), now: now) }
    if hasChanged, running.isEmpty { schedule(jobs(), now: now) }
    guard let deadline, deadline <= now || isAwaited && running.isEmpty else { return }
    if running.isEmpty { start(new(jobs()), now: now) } else { finish(jobs(), now: now) }
  }

  /// What of the jobs has not been tried.
  private mutating func new(_ jobs: [DrawingJob]) -> [DrawingJob] {
    abandoned.removeAll { !jobs.contains($0) }
    return jobs.filter { !abandoned.contains($0) }
  }

  private mutating func schedule(_ jobs: [DrawingJob], now: Duration) {
    deadline = new(jobs).isEmpty ? nil : now + Self.delay
  }

  private mutating func start(_ new: [DrawingJob], now: Duration) {
    deadline = nil
    if new.isEmpty { return }
    do throws(SystemError) {
      helper = try HelperProcess(
        "backdropctl",
        ["redraw", "--outdated", "--display", display] + Set(new.map(\.name)).sorted())
      running = new
      deadline = now + Self.patience
    } catch {
      logger.warning("cannot run backdropctl to draw content again: \(error)")
      abandoned += new
    }
  }

  /// Ends the helper. `jobs` is what is not drawn now.
  private mutating func finish(_ jobs: [DrawingJob], now: Duration) {
    let failed = running.filter { jobs.contains($0) }
    logErrors(failed)
    helper = nil
    abandoned += failed
    running = []
    // Other content may have changed meanwhile.
    schedule(jobs, now: now)
  }

  /// Logs what the helper has written, or at least the panes whose content was not drawn.
  private func logErrors(_ failed: [DrawingJob]) {
    var text: String =
      switch helper {
      case .some(let helper): helper.errorText
      case .none: ""
      }
    if text.isEmpty, !failed.isEmpty {
      let names = Set(failed.map(\.name)).sorted().joined(separator: ", ")
      text = "'backdropctl redraw' did not draw that of: \(names)"
    }
    for line in text.split(separator: "\n") {
      let cause = line.hasPrefix("backdropctl: ") ? line.dropFirst(13) : line
      logger.warning("cannot draw content for another scale or size: \(cause)")
    }
  }
}
