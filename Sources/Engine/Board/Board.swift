import Panes

/// The wanted state of the screen: the panes in stacking order, and the windows of the panes behind windows.
struct Board {
  /// The panes in stacking order, the lowest first. A pane on all outputs has an entry for each.
  var entries: [PaneEntry] = []
  var targets = TargetDivision()

  /// Each pane once, the lowest first.
  var panes: [Pane] {
    var names: Set<String> = []
    return entries.map(\.pane).filter { names.insert($0.name).inserted }
  }

  /// The first entry of a pane; nil if no pane has this name.
  func entry(of name: String) -> PaneEntry? { entries.first { $0.pane.name == name } }

  /// The entry that an overlay shows; nil if there is none.
  func entry(of overlay: OverlayID) -> PaneEntry? { entries.first { $0.overlay == overlay } }

  func entries(of name: String) -> [PaneEntry] { entries.filter { $0.pane.name == name } }

  /// The first entry of a pane. Throws `unknownName`.
  func find(_ name: String) throws(EngineError) -> PaneEntry {
    guard let entry = entry(of: name) else {
      throw .pane(.unknownName(name, known: panes.map(\.name)))
    }
    return entry
  }

  /// Sorts the panes by their layers, each layer in its present order, those behind windows last.
  mutating func sort() { entries = sortedByLayer(entries, \.pane) }

  /// The stacking order of the overlays.
  var order: [StackedOverlay] {
    entries.map {
      StackedOverlay(
        $0.overlay, $0.pane.layer, at: $0.site.window, isOver: $0.isOver,
        isTargetNamed: $0.pane.placement.behind?.match.namesWindows == true)
    }
  }
}
