import Desktop

/// Whether windows with alpha are blended with what lies below them.
extension X11Desktop {
  package var blendsAlpha: Bool {
    stack.hasCompositor && probe?.isBlended == true && x.alpha != nil
  }

  /// What is redirected automatically, as `xcompmgr -a` has it, nobody blends. A twin is asked, which is
  /// never mapped: a question that redirects the probe itself would be an event of its own.
  mutating func askProbe() {
    guard let known = probe else { return }
    probe?.isBlended = known.isSeen && x.isRedirectedByHand(known.twin)
  }

  /// A compositor owns its selection long before it redirects windows, and long after: while nobody
  /// blends a window with alpha, what is translucent in it looks black.
  mutating func noteBlending(
    before: Bool, _ events: inout [DesktopEvent]
  ) throws(DesktopError) {
    if blendsAlpha == before { return }
    for overlay in overlays.values { overlay.setBlended(x, blendsAlpha) }
    // Before anything else: it is on the screen.
    try x.flush()
    events.append(.blendingChanged)
  }
}
