import CXCB
import Desktop
import Raster

/// One daemon a display: whoever owns the selection `_BACKDROPD_Sn`, as window managers and
/// compositors do it.
extension X11Desktop {
  func takeService(replacesOther: Bool) throws(DesktopError) {
    let owner = x.selectionOwner(names.service)
    if owner != 0, !replacesOther {
      let process = x.propertyWord(owner, names.netProcess, type: XCB_ATOM_CARDINAL.rawValue)
      throw .alreadyServed(
        "a backdropd\(process.map { " (process \($0))" } ?? "") serves this display already; "
          + "'backdropd --replace' takes over from it")
    }
    let window = x.createWindow(XConnection.NewWindow(rect: .serviceWindow))
    x.setProperty(
      window, names.netProcess, type: XCB_ATOM_CARDINAL.rawValue, words: [processID()])
    unsafe xcb_set_selection_owner(x.raw, window, names.service, 0)
    try x.roundTrip()
    guard x.selectionOwner(names.service) == window else {
      throw .alreadyServed("another backdropd has just taken this display")
    }
  }
}

extension Rect {
  /// It is never mapped.
  fileprivate static let serviceWindow = Rect(x: -1, y: -1, width: 1, height: 1)
}
