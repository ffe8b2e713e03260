import Control
import Glibc
import Logging
import Panes

/// Saves the panes, so that the next daemon of the display has them: at once when panes are added, removed, shown or
/// hidden, and changes of settings, which may be animations, at intervals. A thread writes, because a disk can be slow.
struct PaneKeeper {
  /// What the configuration declared when it was last read.
  private(set) var declared: [Pane] = []
  private var file: PaneFile
  private let logger: Logger
  private var lastSave: Duration?
  /// The shortest time between the last save and the next one of settings.
  private var interval = Self.shortestInterval
  /// The time at which changes must be saved; nil if there are none.
  private var nextSave: Duration?
  /// Counts a crash; nil when the loaded panes are known not to cause one.
  private var crashes: CrashCounter?
  private var trialEnd: Duration?
  private var lastError: ControlError?
  private var writing: Writing?
  /// Whether the panes have changed since then.
  private var isOutdated = false

  /// A change that a thread writes.
  private struct Writing {
    let change: PaneFileChange
    /// Returns the error of the write.
    let task: BackgroundTask<ControlError?>
  }

  /// The time between two saves of settings. It grows while settings change all the time, so that a clock that changes
  /// each second does not write to a disk as often.
  private static let shortestInterval = Duration.milliseconds(250)
  private static let longestInterval = Duration.seconds(30)
  /// A daemon that has run for so long does not crash because of its panes.
  private static let trial = Duration.seconds(10)

  init(path: String, logger: Logger) {
    file = PaneFile(path: path)
    self.logger = logger
  }

  /// The time at which `update` must be called; nil if there is nothing to do.
  var deadline: Duration? { [nextSave, trialEnd].compactMap(\.self).min() }

  /// Forgets the panes of the last daemon.
  func forget() { file.forget() }

  /// The panes of the last daemon, without those whose time is over.
  mutating func load(now: Duration) -> [Pane] {
    do throws(PaneFileError) {
      let saved = try file.load()
      declared = saved.declared
      if !saved.panes.isEmpty {
        crashes = CrashCounter(path: file.crashPath)
        trialEnd = now + Self.trial
      }
      return saved.panes.filter { $0.end.map { $0.remaining(at: now) > .zero } ?? true }
    } catch {
      logger.warning("\(error)")
      return []
    }
  }

  /// The panes follow another declaration from now on.
  mutating func declare(_ panes: [Pane]) { declared = panes.map(\.declaration) }

  /// Becomes readable when `update` must be called; -1 if only its deadline counts.
  var descriptor: Int32 { writing?.task.descriptor ?? -1 }

  /// Whether all panes are saved, but for settings that are saved later.
  var isSettled: Bool { writing == nil }

  /// Saves the panes after a request, or notes that they must be saved later. If `isSettled` is false then, the reply
  /// must wait until it is true.
  mutating func note(_ request: Request, now: Duration, panes: () -> [Pane]) {
    if !request.hasEffect || request.isEphemeral { return }
    if changesSettings(request) {
      if let lastSave, now - lastSave < interval {
        nextSave = lastSave + interval
        return
      }
      let isRare = lastSave.map { now - $0 > Self.longestInterval } ?? true
      interval = isRare ? Self.shortestInterval : min(interval * 2, Self.longestInterval)
    }
    save(panes(), now: now)
  }

  /// Saves the panes after one has been removed by itself.
  mutating func noteRemoval(now: Duration, panes: () -> [Pane]) { save(panes(), now: now) }

  /// Whether a request changes only settings of a saved pane.
  private func changesSettings(_ request: Request) -> Bool {
    switch request {
    case .set, .redraw: true
    case .add(let name, _, _, orSet: true, _, _): file.contains(name)
    default: false
    }
  }

  /// Does what is due.
  mutating func update(now: Duration, panes: () -> [Pane]) {
    if let writing, let error = writing.task.take() {
      self.writing = nil
      finish(writing.change, error, now: now)
      if isOutdated { save(panes(), now: now) }
    }
    if let nextSave, nextSave <= now {
      interval = min(interval * 2, Self.longestInterval)
      save(panes(), now: now)
    }
    if let trialEnd, trialEnd <= now { endTrial() }
  }

  /// Saves the panes of a daemon that ends as it should.
  mutating func finish(_ panes: [Pane], now: Duration) {
    if let writing {
      _ = waitUntilReady(
        [pollfd(fd: writing.task.descriptor, events: Int16(POLLIN), revents: 0)], timeout: 2000)
      update(now: now) { panes }
    }
    if let change = file.change(to: saved(panes)) { finish(change, change.write(), now: now) }
    endTrial()
  }

  private func saved(_ panes: [Pane]) -> SavedPanes {
    SavedPanes(panes.compactMap(\.kept), declared: declared)
  }

  private mutating func save(_ panes: [Pane], now: Duration) {
    lastSave = now
    nextSave = nil
    isOutdated = writing != nil
    if isOutdated { return }
    guard let change = file.change(to: saved(panes)) else { return }
    if let task = try? BackgroundTask({ change.write() }) {
      writing = Writing(change: change, task: task)
    } else {
      finish(change, change.write(), now: now)
    }
  }

  /// Records a change that was written, or logs an error once.
  private mutating func finish(_ change: PaneFileChange, _ error: ControlError?, now: Duration) {
    if let error {
      if error != lastError { logger.warning("panes are not saved: \(error)") }
      nextSave = now + interval
    } else {
      file.record(change)
    }
    lastError = error
  }

  private mutating func endTrial() {
    trialEnd = nil
    crashes?.end()
    crashes = nil
  }
}
