import CXCB
import Glibc
import Raster

extension TestClient {
  /// Waits until a compositor has painted with all that was drawn and set before. It shows two windows of 2x2 pixels in the lower
  /// right corner meanwhile: half black above white. A compositor that has its selection but paints nothing yet leaves them black,
  /// as the server draws them.
  package func waitForCompositor(within timeout: Duration = .seconds(30)) throws(TestFailure) {
    let place = Rect(x: screen.maxX - 2, y: screen.maxY - 2, width: 2, height: 2)
    let white = try makeWindow(place, color: 0xFFFF_FFFF, overrideRedirect: true)
    let shade = try makeWindow(place, color: 0x8000_0000, argb: true, overrideRedirect: true)
    defer {
      shade.destroy()
      white.destroy()
    }
    let deadline = ContinuousClock.now + timeout
    while try !(0x70...0x90).contains(screenPixel(x: place.x, y: place.y) & 0xFF) {
      if ContinuousClock.now > deadline { throw TestFailure("the compositor paints nothing") }
      usleep(1000)
    }
  }

  /// Gives the selection of compositors to a window with a name, as that by which xcompmgr is known.
  package func nameCompositor(_ name: String) throws(TestFailure) {
    let place = Rect(x: -9, y: -9, width: 1, height: 1)
    let window = try makeWindow(place, color: 0, overrideRedirect: true, mapped: false)
    setTitle(name, of: window)
    unsafe _ = xcb_set_selection_owner(connection, window.id, atom("_NET_WM_CM_S0"), 0)
  }

  /// Simulates a compositor that starts or ends at once, and paints nothing.
  ///
  /// If redirection is not manual the server still paints redirected windows, and blends none of them, as with
  /// `xcompmgr -a`.
  package func setCompositing(_ isOn: Bool, isManual: Bool = true) {
    let mode = isManual ? XCB_COMPOSITE_REDIRECT_MANUAL : XCB_COMPOSITE_REDIRECT_AUTOMATIC
    let update = UInt8(mode.rawValue)
    if isOn {
      unsafe _ = xcb_composite_query_version(connection, 0, 4)
      unsafe _ = xcb_composite_redirect_subwindows(connection, root, update)
    } else {
      unsafe _ = xcb_composite_unredirect_subwindows(connection, root, update)
    }
    unsafe _ = xcb_set_selection_owner(connection, isOn ? root : 0, atom("_NET_WM_CM_S0"), 0)
  }
}
