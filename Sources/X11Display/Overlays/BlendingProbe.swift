import CXCB
import Raster

/// Determines whether windows with alpha are blended with the pixels below them.
///
/// A compositor owns its selection for some time before and after it redirects windows. In that
/// time windows are not blended, and their translucent parts are black. So a window outside the
/// screen is used: the server reports it as visible only while windows are redirected. Automatic
/// redirection (`xcompmgr -a`) does not blend. So manual redirection is tested on a second,
/// unmapped window; a test on the first one would change its visibility.
///
/// A state machine: its functions return whether a test must be sent, see `XConnection.sendBlendingTest`.
struct BlendingProbe {
  private(set) var windows: ProbeWindows
  private let canHaveAlpha: Bool
  private var isRedirected = false
  private var hasCompositor: Bool
  private var test = Test.idle

  /// A test for manual redirection.
  private enum Test: Equatable {
    case idle
    /// The reply to its marker has not arrived. `isRefused`: a request of the test failed.
    /// `isOutdated`: the state changed since its start.
    case open(isRefused: Bool, isOutdated: Bool)
  }

  /// Whether windows with alpha are blended.
  private(set) var blendsAlpha = false

  /// `canHaveAlpha` is whether windows can have alpha.
  init(_ windows: ProbeWindows, canHaveAlpha: Bool, hasCompositor: Bool) {
    self.windows = windows
    self.canHaveAlpha = canHaveAlpha
    self.hasCompositor = hasCompositor
  }

  /// Begins again with other windows.
  mutating func restart(with windows: ProbeWindows) {
    self = BlendingProbe(windows, canHaveAlpha: canHaveAlpha, hasCompositor: hasCompositor)
  }

  /// Whether a test is in progress.
  var isTesting: Bool { test != .idle }

  /// A compositor owns its selection, or none does. Returns whether a test must be sent.
  mutating func setCompositor(_ hasCompositor: Bool) -> Bool {
    self.hasCompositor = hasCompositor
    return startTest()
  }

  /// A window is fully visible, or not. Returns whether a test must be sent.
  mutating func setVisibility(of window: UInt32, isFull: Bool) -> Bool {
    if window != windows.visible { return false }
    isRedirected = isFull
    return startTest()
  }

  private mutating func startTest() -> Bool {
    if case .open(let isRefused, _) = test {
      test = .open(isRefused: isRefused, isOutdated: true)
      return false
    }
    let isTested = hasCompositor && isRedirected && canHaveAlpha
    if isTested {
      test = .open(isRefused: false, isOutdated: false)
    } else {
      blendsAlpha = false
    }
    return isTested
  }

  /// Records that a request failed, if it belongs to the test. Returns whether it does.
  mutating func recordFailure(_ error: XError) -> Bool {
    guard error.subject == windows.tested, case .open(_, let isOutdated) = test,
      error.request == .tryManualRedirect || error.request == .undoManualRedirect
    else { return false }
    test = .open(isRefused: true, isOutdated: isOutdated)
    return true
  }

  /// The marker of a test has arrived. Returns whether another test must be sent.
  mutating func endTest() -> Bool {
    guard case .open(let isRefused, let isOutdated) = test else { return false }
    test = .idle
    blendsAlpha = isRefused
    return isOutdated && startTest()
  }
}

/// The windows of the probe.
struct ProbeWindows: Equatable {
  /// The window whose visibility is reported.
  let visible: UInt32
  /// The unmapped window that a test tries to redirect.
  let tested: UInt32

  var all: [UInt32] { [visible, tested] }
}

extension XConnection {
  mutating func createProbeWindows() -> ProbeWindows {
    let corner = Rect(x: -1, y: -1, width: 1, height: 1)
    let tested = createWindow(NewWindow(rect: corner))
    let visible = createWindow(
      NewWindow(rect: corner, events: XCB_EVENT_MASK_VISIBILITY_CHANGE.rawValue))
    setInputRegion(visible, Region())
    lower(visible)
    map(visible)
    return ProbeWindows(visible: visible, tested: tested)
  }

  /// Sends a test. `recordFailure` gets its errors, and `endTest` its end.
  mutating func sendBlendingTest(_ windows: ProbeWindows) {
    tryManualRedirect(windows.tested)
    requestMarker(.redirectTest)
  }
}
