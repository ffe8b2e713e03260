import CXCB
import Engine
import Glibc
import Raster

/// Becomes the owner of the selection `_BACKDROPD_Sn`, so that only one daemon serves a display,
/// with the protocol of window managers and compositors (ICCCM 2.8). Throws `alreadyServed` if
/// another daemon owns it and `replacesOther` is false, or if that daemon does not end. Waits for
/// the server; for use at the start only. Returns the owner of the selection, a window that is never mapped.
func takeService(
  _ x: inout XConnection, _ atoms: Atoms, replacesOther: Bool
) throws(DisplayError) -> UInt32 {
  let owner = x.selectionOwner(atoms.service)
  try x.check()
  if owner != 0 {
    x.selectEvents(owner, XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue)
    // The server may not know yet that a daemon was killed.
    if !replacesOther, try !hasEnded(owner, &x, within: .milliseconds(250)) {
      throw alreadyServed(by: owner, &x, atoms)
    }
  }
  let window = makeServiceOwner(&x, atoms)
  try x.roundTrip()
  let newOwner = x.selectionOwner(atoms.service)
  try x.check()
  guard newOwner == window else {
    throw .alreadyServed("another backdropd started on this display at the same time")
  }
  // A replaced daemon releases the display within one loop iteration.
  if owner != 0, replacesOther, try !hasEnded(owner, &x, within: .seconds(5)) {
    throw .alreadyServed("the backdropd that serves this display does not end; stop it first")
  }
  return window
}

private func alreadyServed(
  by owner: UInt32, _ x: inout XConnection, _ atoms: Atoms
) -> DisplayError {
  let process = x.propertyWord(owner, atoms.netProcess, type: XCB_ATOM_CARDINAL.rawValue)
  return .alreadyServed(
    "a backdropd\(process.map { " (process \($0))" } ?? "") serves this display already; "
      + "'backdropd --replace' replaces it")
}

/// Makes the daemon the owner of the selection. Returns the window that owns it, which is never mapped.
func makeServiceOwner(_ x: inout XConnection, _ atoms: Atoms) -> UInt32 {
  let corner = Rect(x: -1, y: -1, width: 1, height: 1)
  let window = x.createWindow(XConnection.NewWindow(rect: corner))
  x.setProperty(
    window, atoms.netProcess, type: XCB_ATOM_CARDINAL.rawValue, words: [processID()])
  x.setSelectionOwner(atoms.service, window)
  return window
}

/// Waits until a window of a daemon that ends is destroyed. Returns whether it is.
private func hasEnded(
  _ window: UInt32, _ x: inout XConnection, within limit: Duration
) throws(DisplayError) -> Bool {
  // If it was destroyed before its events were selected, none reports that.
  try x.roundTrip()
  let clock = ContinuousClock()
  let deadline = clock.now + limit
  while clock.now < deadline {
    var reads = true
    while let item = try x.nextItem(reads: &reads) {
      switch item {
      case .event(.destroyed(window)): return true
      case .failure(let error) where error.subject == window: return true
      default: continue
      }
    }
    var polled = pollfd(fd: x.descriptor, events: Int16(POLLIN), revents: 0)
    unsafe poll(&polled, 1, 10)
  }
  return false
}
