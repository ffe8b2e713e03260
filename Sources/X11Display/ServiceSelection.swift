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
  if owner != 0, !replacesOther {
    let process = x.propertyWord(owner, atoms.netProcess, type: XCB_ATOM_CARDINAL.rawValue)
    throw .alreadyServed(
      "a backdropd\(process.map { " (process \($0))" } ?? "") serves this display already; "
        + "'backdropd --replace' replaces it")
  }
  if owner != 0 { x.selectEvents(owner, XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue) }
  let window = makeServiceOwner(&x, atoms)
  try x.roundTrip()
  guard x.selectionOwner(atoms.service) == window else {
    throw .alreadyServed("another backdropd started on this display at the same time")
  }
  if owner != 0 { try awaitEnd(of: owner, &x) }
  return window
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

/// Waits until the replaced daemon has released the display, which takes it one loop iteration.
/// Throws `alreadyServed` after 5 seconds.
private func awaitEnd(of owner: UInt32, _ x: inout XConnection) throws(DisplayError) {
  try x.flush()
  for _ in 0..<50 {
    var reads = true
    while let item = try x.nextItem(reads: &reads) {
      if case .event(.destroyed(owner)) = item { return }
    }
    var polled = pollfd(fd: x.descriptor, events: Int16(POLLIN), revents: 0)
    unsafe poll(&polled, 1, 100)
  }
  throw .alreadyServed("the backdropd that serves this display does not end; stop it first")
}
