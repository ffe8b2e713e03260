import Control
import Glibc
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
  /// The panes whose pictures a thread is writing.
  private var writing: Writing?
  /// Whether the panes have changed since then.
  private var isOutdated = false

  private struct Writing {
    let panes: [Pane]
    let pictures: NewPictures
    /// Returns the error of the write.
    let task: BackgroundTask<ControlError?>
  }

  /// The shortest time between two saves of settings.
  private static let interval = Duration.milliseconds(250)
  /// Pictures of more bytes take some milliseconds to write.
  private static let largeByteCount = 1 << 20
  /// A daemon that has run for so long does not end because of its panes.
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
      let panes = try file.load()
      if !panes.isEmpty { trialEnd = now + Self.trial }
      return panes.filter { $0.end.map { $0.remaining(at: now) > .zero } ?? true }
    } catch {
      logger.warning("\(error)")
      return []
    }
  }

  /// Becomes readable when `update` must be called; -1 if only its deadline counts.
  var descriptor: Int32 { writing?.task.descriptor ?? -1 }

  /// Whether all panes are saved, but for settings that are saved later.
  var isSettled: Bool { writing == nil }

  /// Saves the panes after a request, or notes that they must be saved later. If `isSettled` is false then, the reply
  /// must wait until it is true.
  mutating func note(_ request: Request, now: Duration, panes: () -> [Pane]) {
    if !request.hasEffect { return }
    if changesSettings(request), let lastSave, now - lastSave < Self.interval {
      nextSave = lastSave + Self.interval
      return
    }
    save(panes(), now: now)
  }

  /// Saves the panes after one has been removed by itself.
  mutating func noteRemoval(now: Duration, panes: () -> [Pane]) { save(panes(), now: now) }

  /// Whether a request changes only settings of a saved pane.
  private func changesSettings(_ request: Request) -> Bool {
    switch request {
    case .set, .redraw: true
    case .add(let name, _, _, orSet: true, _): file.contains(name)
    default: false
    }
  }

  /// Does what is due.
  mutating func update(now: Duration, panes: () -> [Pane]) {
    if let writing, let error = writing.task.take() {
      self.writing = nil
      finish(writing.panes, writing.pictures, error, now: now)
      if isOutdated { save(panes(), now: now) }
    }
    if let nextSave, nextSave <= now { save(panes(), now: now) }
    if let trialEnd, trialEnd <= now { confirm() }
  }

  /// Saves the panes of a daemon that ends as it should.
  mutating func finish(_ panes: [Pane], now: Duration) {
    if let writing {
      _ = waitUntilReady(
        [pollfd(fd: writing.task.descriptor, events: Int16(POLLIN), revents: 0)], timeout: 2000)
      update(now: now) { panes }
    }
    let pictures = file.newPictures(of: panes)
    let error = pictures?.write()
    attempt { file throws(ControlError) in
      if let error { throw error }
      try file.save(panes, pictures)
    }
    confirm()
  }

  private mutating func save(_ panes: [Pane], now: Duration) {
    lastSave = now
    nextSave = nil
    isOutdated = writing != nil
    if isOutdated { return }
    guard let pictures = file.newPictures(of: panes) else {
      if !attempt({ file throws(ControlError) in try file.save(panes, nil) }) {
        nextSave = now + Self.interval
      }
      return
    }
    if pictures.byteCount > Self.largeByteCount,
      let task = try? BackgroundTask({ pictures.write() })
    {
      writing = Writing(panes: panes, pictures: pictures, task: task)
    } else {
      finish(panes, pictures, pictures.write(), now: now)
    }
  }

  /// Saves panes whose pictures were written, or could not be.
  private mutating func finish(
    _ panes: [Pane], _ pictures: NewPictures, _ error: ControlError?, now: Duration
  ) {
    let isSaved = attempt { file throws(ControlError) in
      if let error { throw error }
      try file.save(panes, pictures)
    }
    if !isSaved { nextSave = now + Self.interval }
  }

  private mutating func confirm() {
    trialEnd = nil
    attempt { file throws(ControlError) in try file.confirm() }
  }

  /// Returns whether `body` succeeded. Logs an error once.
  @discardableResult
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
