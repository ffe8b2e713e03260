import CXCB
import Desktop
import Glibc
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
    if owner != 0 { x.selectEvents(owner, XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue) }
    let window = x.createWindow(XConnection.NewWindow(rect: .serviceWindow))
    x.setProperty(
      window, names.netProcess, type: XCB_ATOM_CARDINAL.rawValue, words: [processID()])
    unsafe xcb_set_selection_owner(x.raw, window, names.service, 0)
    try x.roundTrip()
    guard x.selectionOwner(names.service) == window else {
      throw .alreadyServed("another backdropd has just taken this display")
    }
    if owner != 0 { try awaitEnd(of: owner) }
  }
}

extension X11Desktop {
  /// Waits until the daemon that we replace has let go of the display, which takes it one turn of its
  /// loop.
  private func awaitEnd(of owner: UInt32) throws(DesktopError) {
    try x.flush()
    for _ in 0..<50 {
      while let event = try x.nextEvent() {
        if event == .destroyed(owner) { return }
      }
      var polled = pollfd(fd: x.descriptor, events: Int16(POLLIN), revents: 0)
      unsafe poll(&polled, 1, 100)
    }
    throw .alreadyServed("the backdropd that serves this display does not end; stop it first")
  }
}

extension Rect {
  /// It is never mapped.
  fileprivate static let serviceWindow = Rect(x: -1, y: -1, width: 1, height: 1)
}
