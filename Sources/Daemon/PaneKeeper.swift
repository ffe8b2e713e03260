import Control
import Glibc
import Logging
import Panes

/// Saves the panes, so that the next daemon of the display has them: at once when panes are added, removed, shown or
/// hidden, and changes of settings, which may be animations, at intervals. A thread writes, because a disk can be slow.
struct PaneKeeper {
  /// The panes that the configuration declared when it was last read.
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
  /// `tried` has the panes of the file that this daemon, or one before, has had for the time of a trial; `trials` has the ends of
  /// the trials of the others.
  private var tried: Set<String> = []
  private var trials: [String: Duration] = [:]
  /// Until this time a crash counts as caused by a request.
  private var requestEnd: Duration?
  private var lastError: ControlError?
  private var writing: Writing?
  /// Whether the panes may have changed since the thread of `writing` started.
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
  /// The time after a request within which a crash counts as its own.
  private static let requestTime = Duration.milliseconds(500)

  init(path: String, logger: Logger) {
    file = PaneFile(path: path)
    self.logger = logger
  }

  /// The time at which `update` must be called; nil if there is nothing to do.
  var deadline: Duration? {
    [nextSave, trialEnd, requestEnd, trials.values.min()].compactMap(\.self).min()
  }

  /// Forgets the panes of the last daemon.
  func forget() { file.forget() }

  /// The panes of the last daemon, without those whose time is over.
  mutating func load(now: Duration) -> [Pane] {
    let saved: SavedPanes
    do throws(PaneFileError) {
      saved = try file.load()
    } catch {
      logger.warning("\(error)")
      saved = error.rest
      // Their file has another name now.
      if let change = file.change(to: saved) { finish(change, change.write(), now: now) }
    }
    declared = saved.declared
    tried = saved.tried
    for pane in saved.panes where !tried.contains(pane.name) {
      trials[pane.name] = now + Self.trial
    }
    if !saved.panes.isEmpty {
      crashes = CrashCounter(path: file.crashPath)
      trialEnd = now + Self.trial
    }
    return saved.panes.filter { $0.end.map { $0.remaining(at: now) > .zero } ?? true }
  }

  // MARK: Crashes

  /// Records that a client's request begins: from now on a crash does not count as caused by the panes.
  func beginRequest() { crashes?.pause(true) }

  /// Records that a request was performed. `request` is nil if it is wrong, or is read on another thread. Its effects may still
  /// cause a crash.
  mutating func endRequest(_ request: Request?, now: Duration) {
    if crashes == nil { return }
    if request.map({ $0.hasEffect && !$0.isOfConfiguration }) ?? true {
      requestEnd = now + Self.requestTime
    } else if requestEnd == nil {
      crashes?.pause(false)
    }
  }

  // MARK: Saving

  /// The panes follow another declaration from now on.
  mutating func declare(_ panes: [Pane]) { declared = panes.map(\.declaration) }

  /// Becomes readable when `update` must be called; -1 if only its deadline counts.
  var descriptor: Int32 { writing?.task.descriptor ?? -1 }

  /// Whether no change is being written. Settings may still have to be saved later.
  var isSettled: Bool { writing == nil }

  /// Saves the panes after a request that changes them, now or later. If `isSettled` is false then, the reply
  /// must wait until it is true.
  mutating func saveIfNeeded(after request: Request, now: Duration, panes: () -> [Pane]) {
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
  mutating func saveAfterRemoval(now: Duration, panes: () -> [Pane]) { save(panes(), now: now) }

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
    if let end = requestEnd, end <= now {
      requestEnd = nil
      crashes?.pause(false)
    }
    recordTried(now: now)
  }

  /// Records which panes have not crashed the daemon, and that this must be saved.
  private mutating func recordTried(now: Duration) {
    let ended = trials.filter { $0.value <= now }.keys
    if ended.isEmpty { return }
    for name in ended { trials[name] = nil }
    tried.formUnion(ended)
    nextSave = nextSave ?? max(now, (lastSave ?? now) + interval)
  }

  /// Saves the panes of a daemon that ends as it should. Waits for the thread that writes, because two writers at a time would
  /// mix their panes in one file. If the disk does not answer within `patience`, `isSettled` stays false, and the file is as it
  /// was.
  mutating func finish(_ panes: [Pane], now: Duration, patience: Duration = .seconds(10)) {
    if let writing {
      _ = waitUntilReady(
        [pollfd(fd: writing.task.descriptor, events: Int16(POLLIN), revents: 0)],
        timeout: Int32(patience / .milliseconds(1)))
      guard let error = writing.task.take() else {
        logger.warning("the last changes of panes are not saved: the disk does not answer")
        return
      }
      self.writing = nil
      finish(writing.change, error, now: now)
    }
    if let change = file.change(to: saved(panes, now: now)) {
      finish(change, change.write(), now: now)
    }
    endTrial()
  }

  /// The state to save. Panes that differ from those in the file are on trial from now on.
  private mutating func saved(_ panes: [Pane], now: Duration) -> SavedPanes {
    let kept = panes.compactMap(\.kept)
    for name in file.names(ofChanged: kept) { trials[name] = now + Self.trial }
    tried.subtract(trials.keys)
    let names = Set(kept.map(\.name))
    trials = trials.filter { names.contains($0.key) }
    tried.formIntersection(names)
    return SavedPanes(kept, declared: declared, tried: tried)
  }

  private mutating func save(_ panes: [Pane], now: Duration) {
    lastSave = now
    nextSave = nil
    isOutdated = writing != nil
    if isOutdated { return }
    guard let change = file.change(to: saved(panes, now: now)) else { return }
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
    (trialEnd, requestEnd) = (nil, nil)
    crashes?.end()
    crashes = nil
  }
}
