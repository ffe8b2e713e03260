import Control
import Logging
import Panes

/// Saves the panes, so that the next daemon of the display has them: at once when panes are added, removed, shown or
/// hidden, and changes of settings, which may be animations, at intervals.
struct PaneKeeper {
  private var file: PaneFile
  private let logger: Logger
  private var lastSave: Duration?
  /// The time at which changes must be saved; nil if there are none.
  private var nextSave: Duration?
  /// The time at which the loaded panes are known not to end the daemon; nil if that is known.
  private var trialEnd: Duration?
  private var lastError: ControlError?

  /// The shortest time between two saves of settings.
  private static let interval = Duration.milliseconds(250)
  /// A daemon that has run for so long does not end because of its panes.
  private static let trial = Duration.seconds(10)

  init(path: String, logger: Logger) {
    file = PaneFile(path: path)
    self.logger = logger
  }

  /// The time at which `update` must be called; nil if there is nothing to do.
  var deadline: Duration? { [nextSave, trialEnd].compactMap(\.self).min() }

  /// The panes of the last daemon.
  mutating func load(now: Duration) -> [Pane] {
    do throws(PaneFileError) {
      let panes = try file.load()
      if !panes.isEmpty { trialEnd = now + Self.trial }
      return panes
    } catch {
      logger.warning("\(error)")
      return []
    }
  }

  /// Saves the panes after a request, or notes that they must be saved later.
  mutating func note(_ request: Request, now: Duration, panes: () -> [Pane]) {
    if !request.hasEffect { return }
    if case .set = request, let lastSave, now - lastSave < Self.interval {
      nextSave = lastSave + Self.interval
    } else {
      save(panes(), now: now)
    }
  }

  /// Does what is due.
  mutating func update(now: Duration, panes: () -> [Pane]) {
    if let nextSave, nextSave <= now { save(panes(), now: now) }
    if let trialEnd, trialEnd <= now { confirm() }
  }

  /// Saves the panes of a daemon that ends as it should.
  mutating func finish(_ panes: [Pane], now: Duration) {
    save(panes, now: now)
    confirm()
  }

  private mutating func save(_ panes: [Pane], now: Duration) {
    lastSave = now
    nextSave = nil
    if !attempt({ file throws(ControlError) in try file.save(panes) }) {
      nextSave = now + Self.interval
    }
  }

  private mutating func confirm() {
    trialEnd = nil
    _ = attempt { file throws(ControlError) in try file.confirm() }
  }

  /// Returns whether `body` succeeded. Logs an error once.
  private mutating func attempt(_ body: (inout PaneFile) throws(ControlError) -> Void) -> Bool {
    do throws(ControlError) {
      try body(&file)
      lastError = nil
      return true
    } catch {
      if error != lastError { logger.warning("panes are not saved: \(error)") }
      lastError = error
      return false
    }
  }
}
