package import Engine
package import Panes
package import Raster

// Events that a test causes, and state that it inspects.
extension HeadlessDisplay {
  /// The overlay of a pane; nil if there is none.
  package func overlay(named name: String) -> Overlay? {
    windows.filter { $0.value.name == name }.min { $0.key.number < $1.key.number }?.value
  }

  /// The overlay with an identifier; nil if there is none.
  package func overlay(_ id: OverlayID) -> Overlay? { windows[id] }

  package var overlayCount: Int { windows.count }

  /// Whether the descriptor of a real display would be readable: an event or an answer is waiting.
  package var hasEvents: Bool {
    let hasRequests = capture != nil && !isAnswered || !waitingAnswers.isEmpty
    let hasBusyBuffers = releasesAtOnce && windows.values.contains { $0.busyBuffers > 0 }
    return !events.isEmpty || nextOutput != nil || isPointerRequested || !lost.isEmpty
      || heldBackCount > 0
      || answersAtOnce && (hasRequests || hasBusyBuffers)
  }

  /// Draws in the part `rect` of the backdrop, in the coordinates of the display, and reports its
  /// watched part.
  package func draw(_ rect: Rect, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
    var picture = nextOutput?.backdrop ?? backdrop
    let bounds = nextOutput?.output.bounds ?? self.bounds
    for y in rect.intersection(bounds).rows {
      for x in rect.intersection(bounds).columns {
        picture[x - bounds.x, y - bounds.y] = pixel(x, y)
      }
    }
    if nextOutput == nil { backdrop = picture } else { nextOutput?.backdrop = picture }
    damage(rect)
  }

  /// Whether the capture in progress will include what is drawn now. False for every second capture,
  /// so that both cases are tested.
  private var isCaptured: Bool {
    capture != nil && !isAnswered && !capturesAtStart && calls.captures % 2 == 0
  }

  /// Reports the watched part of `rect` as damaged.
  package func damage(_ rect: Rect) {
    for (view, region) in watched where view != .wallpaper {
      if case .client = view { continue }
      let seen = region.intersection(rect)
      if !seen.isEmpty { events.append(.damaged(view, seen, isCaptured: isCaptured)) }
    }
  }

  /// Reports `rect` as damaged in one view, watched or not.
  package func damage(_ rect: Rect, of view: View) {
    events.append(.damaged(view, Region(rect), isCaptured: isCaptured))
  }

  /// Replaces the windows that may have glass behind them.
  package func setTargets(_ targets: [TargetWindow]) {
    allTargets = targets
    if interest.isActive { events.append(.targetsChanged) }
  }

  /// Draws in the part `rect` of the client in a window, in its coordinates, and reports its watched part. A bitmap of another size
  /// than before replaces all of it; the targets should change with it.
  package func drawClient(
    _ id: WindowID, width: Int, height: Int, _ rect: Rect, _ pixel: (_ x: Int, _ y: Int) -> UInt32
  ) {
    var picture = clients[id] ?? Bitmap(width: width, height: height)
    if (picture.width, picture.height) != (width, height) {
      picture = Bitmap(width: width, height: height)
    }
    for y in rect.intersection(picture.bounds).rows {
      for x in rect.intersection(picture.bounds).columns { picture[x, y] = pixel(x, y) }
    }
    clients[id] = picture
    let seen = (watched[.client(id)] ?? Region()).intersection(rect)
    if !seen.isEmpty { events.append(.damaged(.client(id), seen, isCaptured: isCaptured)) }
  }

  /// Announces a change of the wallpaper in `rect`.
  package func announce(_ rect: Rect) { events.append(.wallpaperAnnounced(Region(rect))) }

  /// Changes a part of the backdrop without a report, such as after `announce`.
  package func drawSilently(_ rect: Rect, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
    let before = events
    draw(rect, pixel)
    events = before
  }

  /// Removes the pixels of an overlay in a part of the screen and reports the exposure.
  package func expose(_ name: String, _ rect: Rect) {
    for (id, window) in windows where window.name == name && window.isShown {
      let lost = rect.intersection(window.rect)
      if lost.isEmpty { continue }
      windows[id]?.lose(lost)
      events.append(.exposed(id, lost))
    }
  }

  /// Reports the pointer or a finger on an overlay.
  package func touch(_ overlay: OverlayID, _ contact: Contact) {
    events.append(.contact(overlay, contact))
  }

  /// Reports the key Escape.
  package func pressEscape(_ overlay: OverlayID) { events.append(.escapePressed(overlay)) }

  /// Destroys an overlay like another client. The next events report it.
  package func destroy(_ name: String) {
    for (id, window) in windows where window.name == name && window.isShown { lost.insert(id) }
  }

  /// Releases all buffers and reports this.
  package func releaseBuffers() {
    for id in windows.keys where windows[id]?.busyBuffers != 0 {
      windows[id]?.busyBuffers = 0
      events.append(.released(id))
    }
  }

  /// Places windows directly above the panes of a layer, in place of those that were there. Reports the
  /// watched part.
  package func setWindows(_ region: Region, above layer: StackingLayer) {
    let old = windowsAbove[layer] ?? Region()
    windowsAbove[layer] = region
    let changed = old.union(region)
    for case (.belowPanes(let upper), let watched) in watched where upper > layer {
      let seen = watched.intersection(changed)
      if seen.isEmpty { continue }
      events.append(.damaged(.belowPanes(upper), seen, isCaptured: isCaptured))
    }
  }

  /// Shows lock screens in a region and removes all others, and reports this.
  package func setLocked(_ region: Region) {
    if region == lockedRegion { return }
    lockedRegion = region
    events.append(.lockChanged)
  }

  /// Sets the scheme of the desktop.
  package func setColorScheme(_ scheme: ColorScheme?) {
    if scheme == colorScheme { return }
    colorScheme = scheme
    events.append(.colorSchemeChanged)
  }

  /// Starts or stops a compositor and reports this.
  package func setBlending(_ blendsAlpha: Bool) {
    if blendsAlpha == self.blendsAlpha { return }
    self.blendsAlpha = blendsAlpha
    events.append(.blendingChanged)
    updateVisibleParts()
  }

  /// Starts or stops to store the pixels of overlays on the screen only.
  package func setDirectOverlays(_ hasDirectOverlays: Bool) {
    self.hasDirectOverlays = hasDirectOverlays
    updateVisibleParts()
  }

  /// Changes the size, position and orientation of the screen with the next events. It has the outputs `parts`, or
  /// one if there are none. Traps if `backdrop` is empty.
  package func resize(
    to backdrop: Bitmap, orientation: Orientation = .normal, x: Int = 0, y: Int = 0,
    parts: [Output] = []
  ) {
    precondition(!backdrop.bounds.isEmpty)
    let bounds = backdrop.bounds.translated(x: x, y: y)
    let output = Output(name: "screen", bounds: bounds, orientation: orientation)
    nextOutput = (output, parts, backdrop)
    events.append(.screenChanged)
  }

  /// The bounds of the screen after the next events.
  package var nextBounds: Rect { nextOutput?.output.bounds ?? bounds }

  /// Changes the outputs of the screen with the next events.
  package func setOutputs(_ parts: [Output]) {
    nextOutput = (nextOutput?.output ?? screen, parts, nextOutput?.backdrop ?? backdrop)
    events.append(.outputsChanged)
  }
}
