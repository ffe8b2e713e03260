import CXCB
import Raster

/// Determines whether windows with alpha are blended with the pixels below them.
///
/// A compositor owns its selection for some time before and after it redirects windows. In that
/// time windows are not blended, and their translucent parts are black. So a window outside the
/// screen is used: the server reports it as visible only while windows are redirected. Automatic
/// redirection (`xcompmgr -a`) does not blend. So manual redirection is tested on a second,
/// unmapped window; a test on the first one would change its visibility.
struct BlendingProbe {
  private let window, testWindow: UInt32
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

  init(_ x: inout XConnection, hasCompositor: Bool) {
    self.hasCompositor = hasCompositor
    canHaveAlpha = x.screen.alphaVisual != nil
    let corner = Rect(x: -1, y: -1, width: 1, height: 1)
    testWindow = x.createWindow(XConnection.NewWindow(rect: corner))
    window = x.createWindow(
      XConnection.NewWindow(rect: corner, events: XCB_EVENT_MASK_VISIBILITY_CHANGE.rawValue))
    x.setInputRegion(window, Region())
    x.lower(window)
    x.map(window)
  }

  /// Handles that another client destroyed, unmapped or reparented a window. If it is one of these, both are made
  /// again. Returns the windows that do not exist any more.
  mutating func noteLoss(of lost: UInt32, _ x: inout XConnection) -> [UInt32] {
    let windows = [window, testWindow]
    if !windows.contains(lost) { return [] }
    for window in windows { x.destroyWindow(window) }
    self = BlendingProbe(&x, hasCompositor: hasCompositor)
    return windows
  }

  /// Whether a test is in progress.
  var isTesting: Bool { test != .idle }

  mutating func setCompositor(_ x: inout XConnection, _ hasCompositor: Bool) {
    self.hasCompositor = hasCompositor
    startTest(&x)
  }

  mutating func takeVisibility(_ x: inout XConnection, of id: UInt32, isFull: Bool) {
    if id != window { return }
    isRedirected = isFull
    startTest(&x)
  }

  private mutating func startTest(_ x: inout XConnection) {
    if case .open(let isRefused, _) = test {
      test = .open(isRefused: isRefused, isOutdated: true)
    } else if hasCompositor, isRedirected, canHaveAlpha {
      x.tryManualRedirect(testWindow)
      x.requestMarker(.redirectTest)
      test = .open(isRefused: false, isOutdated: false)
    } else {
      blendsAlpha = false
    }
  }

  /// Handles a failed request. Returns whether it belongs to the test.
  mutating func takeFailure(_ error: XError) -> Bool {
    guard error.subject == testWindow, case .open(_, let isOutdated) = test,
      error.request == .tryManualRedirect || error.request == .undoManualRedirect
    else { return false }
    test = .open(isRefused: true, isOutdated: isOutdated)
    return true
  }

  /// Handles the end of a test.
  mutating func takeTestEnd(_ x: inout XConnection) {
    guard case .open(let isRefused, let isOutdated) = test else { return }
    test = .idle
    blendsAlpha = isRefused
    if isOutdated { startTest(&x) }
  }
}
