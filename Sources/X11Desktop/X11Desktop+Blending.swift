import Desktop

/// Whether windows with alpha are blended with what lies below them.
extension X11Desktop {
  /// Finds out anew. A compositor owns its selection long before it redirects windows, and long after:
  /// while nobody blends a window with alpha, what is translucent in it looks black.
  ///
  /// What is redirected automatically, as `xcompmgr -a` has it, nobody blends. Of that the probe's twin is
  /// asked, which is never mapped: a question that redirects the probe itself would be an event of its own.
  mutating func askProbe(_ events: inout [DesktopEvent]) throws(DesktopError) {
    guard let probe else { return }
    let isBlended =
      stack.hasCompositor && probe.isSeen && x.alpha != nil && x.isRedirectedByHand(probe.twin)
    if isBlended == blendsAlpha { return }
    blendsAlpha = isBlended
    for overlay in overlays.values { overlay.setBlended(x, isBlended) }
    // Before anything else: it is on the screen.
    try x.flush()
    events.append(.blendingChanged)
  }
}
