import Control
import Engine
import Linux
import Logging
import Panes

/// Has the declared wallpaper drawn for the outputs on which panes show it. `backdropctl redraw --wallpaper` does it in a process
/// of its own, also when the file of the picture changes.
struct WallpaperPainting: ~Copyable {
  private let display: String
  private let logger: Logger
  private var declared: DeclaredWallpaper?
  /// The outputs that need the wallpaper since the last `update`.
  private(set) var targets: [WallpaperTarget] = []
  /// The targets of the pictures that were drawn.
  private var painted: [WallpaperTarget] = []
  /// The number of started helpers. Pictures of earlier helpers are outdated.
  private var number = 0
  /// Nil without a file.
  private var watch: FileWatch?
  private var helper = Helper()
  /// The source of the wallpaper that panes show, and whether the display must be told.
  private var source = WallpaperSource.screen
  private var isSourceNew = false
  /// Why the wallpaper is not drawn; nil if it is.
  private(set) var error: String?

  init(display: String, logger: Logger) {
    self.display = display
    self.logger = logger
  }

  /// Become readable when `update` must be called.
  var descriptors: [Int32] { [watchDescriptor, helper.descriptor] }

  private var watchDescriptor: Int32 {
    switch watch {
    case .some(let watch): watch.descriptor
    case .none: -1
    }
  }

  /// The time at which `update` must be called.
  var deadline: Duration? { helper.deadline }

  /// Whether a picture is drawn, or will be soon.
  var isBusy: Bool { helper.isBusy }

  /// The pictures to draw; nil if there are none.
  var report: WallpaperReport? {
    guard let declared, !targets.isEmpty else { return nil }
    return WallpaperReport(number: number, declared, on: targets)
  }

  /// Does what is due. `ready` are the descriptors that are readable, `wanted` are the outputs that need the wallpaper.
  mutating func update(now: Duration, ready: [Int32], on wanted: [WallpaperTarget]) {
    if ready.contains(watchDescriptor), watch?.takeChange() == true {
      watchFile()
      paint(at: now + Helper.settlingTime)
    }
    if wanted != targets {
      targets = wanted
      if wanted.contains(where: { !painted.contains($0) }) { paint(at: now) }
    }
    if helper.retry.takeDue(now: now), !isBusy, painted.isEmpty { paint(at: now) }
    if let outcome = helper.takeOutcome(now: now), outcome.end != .succeeded {
      fail(outcome.messages.last ?? "backdropctl has not drawn it")
    }
    if helper.takeTurn(now: now) { start(now: now) }
  }

  /// The source of the wallpaper that panes show; nil if it has not changed since the last call.
  mutating func takeSource() -> WallpaperSource? {
    defer { isSourceNew = false }
    return isSourceNew ? source : nil
  }

  /// Uses the pictures that a helper has drawn.
  mutating func apply(_ pictures: [WallpaperPicture], number: Int) {
    if number != self.number { return }
    error = nil
    painted = targets.filter { target in pictures.contains { $0.output == target.output } }
    setSource(.pictures(pictures))
  }

  /// Makes `takeSource` return the source again, for another display.
  mutating func forgetDisplay() { isSourceNew = true }

  private mutating func setSource(_ new: WallpaperSource) {
    source = new
    isSourceNew = true
  }

  /// Follows the declared wallpaper; nil if there is none.
  mutating func declare(_ new: DeclaredWallpaper?, now: Duration) {
    if new == declared { return }
    declared = new
    error = nil
    painted = []
    watchFile()
    setSource(new == nil ? .screen : .awaited)
    paint(at: now)
  }

  private mutating func watchFile() {
    guard let path = declared?.path else { return watch = nil }
    if watch == nil {
      watch = FileWatch([path])
    } else {
      _ = watch?.watch([path])
    }
  }

  /// Has the wallpaper drawn at a time, in place of what is being drawn.
  private mutating func paint(at time: Duration) {
    number += 1
    helper.cancel()
    helper.plan(at: declared == nil || targets.isEmpty ? nil : time)
    // When an output needs the wallpaper again, the file may have changed, so the picture must be drawn again.
    if targets.isEmpty { painted = [] }
  }

  private mutating func start(now: Duration) {
    do throws(SystemError) {
      try helper.start(["redraw", "--wallpaper", "--display", display], now: now)
      helper.retry.recordSuccess()
    } catch {
      fail("cannot run backdropctl: \(error)")
    }
  }

  /// Lets panes show the same wallpaper as without the setting.
  private mutating func fail(_ text: String) {
    error = text
    logger.warning("the setting wallpaper has no effect: \(text)")
    painted = []
    setSource(.screen)
  }
}
