// The parts of a pane that its settings declare together.
extension PaneSettings {
  /// The drawer that the settings declare; nil if they declare no edge. Throws `contradiction` if there is a geometry,
  /// `needless` if there is a setting of a drawer without an edge, and `outOfRange` if the anchor is not at the edge.
  func drawer() throws(PaneError) -> Drawer? {
    guard let edge else {
      for (setting, isGiven) in [
        ("peek", peek != nil), ("elasticity", elasticity != nil),
        ("drag-handle", dragHandle != nil),
      ] where isGiven {
        throw .needless(setting: setting, without: "edge")
      }
      return nil
    }
    if geometry != nil { throw .contradiction(setting: "edge", other: "geometry") }
    if let anchor, !edge.anchors.contains(anchor) {
      throw .outOfRange(
        setting: "anchor", text: anchor.rawValue,
        expected: edge.anchors.map(\.rawValue).joined(separator: " or ")
          + " for a drawer at the edge '\(edge.rawValue)'")
    }
    return Drawer(
      edge: edge, peek: peek ?? 0,
      elasticity: elasticity ?? Drawer.defaultElasticity, handle: dragHandle)
  }

  /// Whether the pane belongs behind windows.
  package var isBehindWindows: Bool {
    windowClass != nil || instance != nil || role != nil || title != nil || windowType != nil
      || window != nil || overrideRedirect != nil || requests != nil
  }

  /// The windows behind which the pane belongs; nil if the settings name none. Throws `needless` if they name none but have a
  /// setting that only panes behind windows can have, and `contradiction` if they name some and have a setting that such panes
  /// cannot have.
  func windowMatch() throws(PaneError) -> WindowMatch? {
    var match = WindowMatch()
    (match.windowClass, match.instance, match.role) = (windowClass, instance, role)
    (match.title, match.type, match.window) = (title, windowType, window)
    (match.isOverrideRedirect, match.asksForBlur) = (overrideRedirect, requests)
    guard isBehindWindows else {
      for (setting, isGiven) in [
        ("exclude", exclude != nil), ("inset", inset != nil),
        ("translucent", translucent != nil), ("background", background != nil),
        ("background-opacity", backgroundOpacity != nil), ("keep-pictures", keepPictures != nil),
      ] where isGiven {
        throw .needless(setting: setting, without: "class")
      }
      return nil
    }
    for (setting, isGiven) in [
      ("geometry", geometry != nil), ("size", size != nil), ("anchor", anchor != nil),
      ("margin", margin != nil), ("edge", edge != nil), ("output", output != nil),
      ("workarea", workArea != nil), ("layer", stackingLayer != nil),
      ("content", contents != nil), ("input", input != nil),
      ("click", click != nil),
    ] where isGiven {
      throw .contradiction(setting: setting, other: "conditions on windows")
    }
    if sees == .panes {
      throw .contradiction(setting: "sees panes", other: "conditions on windows")
    }
    match.exclusions = exclude ?? []
    return match
  }

  /// Whether something is visible through windows; nil for panes that are not behind windows.
  var translucency: Translucency? { isBehindWindows ? translucent ?? .auto : nil }

  /// How windows get glass in place of their background; nil for panes that are not behind windows.
  var keying: Keying? {
    isBehindWindows
      ? Keying(
        background: background ?? .auto, opacity: backgroundOpacity ?? Keying.defaultOpacity,
        keepsPictures: keepPictures ?? true) : nil
  }

  /// The placement that the settings declare. Throws `missing` if there is neither a geometry nor a size, and
  /// `contradiction` if there are both.
  package func placement() throws(PaneError) -> Placement {
    if let match = try windowMatch() {
      return Placement(
        .behind(match, inset: inset ?? .none), on: .screen, unit: units ?? .pixels)
    }
    // A pane at an edge, a corner or the centre would cover panels there. One with a size alone may be a whole output.
    let keepsWorkArea = workArea ?? (anchor != nil || edge != nil)
    if let geometry {
      for (setting, isGiven) in [
        ("size", size != nil), ("anchor", anchor != nil), ("margin", margin != nil),
      ] where isGiven {
        throw .contradiction(setting: setting, other: "geometry")
      }
      return Placement(
        .geometry(geometry), on: output ?? .screen, keepsWorkArea: keepsWorkArea,
        unit: units ?? .pixels)
    }
    guard let size else { throw .missing(setting: "geometry", other: "size") }
    return Placement(
      .anchored(anchor ?? edge?.anchor ?? .center, size, margin ?? .none), on: output ?? .primary,
      keepsWorkArea: keepsWorkArea, unit: units ?? .pixels, contents: contents ?? [])
  }

  /// The handling of clicks. Throws `contradiction` if they pass and run a command.
  func inputMode() throws(PaneError) -> InputMode {
    if click == nil { return input ?? .pass }
    if input == .pass { throw .contradiction(setting: "click", other: "input pass") }
    return .grab
  }
}
