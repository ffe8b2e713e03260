import Panes
import Raster

/// The outputs of panes. A pane has an entry for each output on which it belongs.
extension Engine where Server: ~Copyable {
  /// The outputs on which a pane may appear now; none if it waits for its output.
  func possibleOutputs(of pane: Pane) -> [Output] {
    // A pane behind windows goes where they are.
    if pane.placement.behind != nil { return [] }
    return switch pane.placement.output {
    case .screen: [server.screen]
    case .primary: [primaryOutput]
    case .pointer, .all: server.outputs.filter { !$0.isMirror }
    case .named(let name): server.outputs.filter { $0.name == name }
    }
  }

  /// The screen and its outputs.
  var currentOutputKeys: [OutputKey] { ([server.screen] + server.outputs).map { OutputKey($0) } }

  private var primaryOutput: Output {
    server.outputs.first(where: \.isPrimary) ?? server.outputs[0]
  }

  /// The sites of the entries of a pane: one, or one for each output or each window.
  func sites(of pane: Pane) -> [PaneSite] {
    if pane.placement.behind != nil {
      let windows = board.targets.windows[pane.name] ?? []
      return windows.isEmpty ? [.noWindow] : windows.map { .window($0) }
    }
    if pane.placement.output != .all { return [.output(pane.placement.output)] }
    return server.outputs.filter { !$0.isMirror }.map { .output(.named($0.name)) }
  }

  /// Finds the output of an entry. If it depends on the pointer, its position is requested when the pane appears.
  mutating func locate(_ entry: PaneEntry) {
    let output: Output?
    switch entry.site {
    case .window(let id):
      entry.target = server.targets.first { $0.id == id }?.declared(entry.pane.translucency)
      output = entry.target == nil ? nil : server.screen
    case .noWindow:
      entry.target = nil
      output = nil
    case .output(.screen): output = server.screen
    case .output(.primary), .output(.all): output = primaryOutput
    case .output(.named(let name)): output = server.outputs.first { $0.name == name }
    case .output(.pointer):
      output = server.outputs.first { $0.name == entry.output?.name }
      if output == nil, entry.pane.isShown, !isSuspended { server.requestPointer() }
    }
    updateGlassPlace(of: entry)
    setOutput(of: entry, output)
  }

  /// Sets the output of the panes that appear at the pointer: the one that contains it, or else the nearest one.
  mutating func placePointerPanes(x: Int, y: Int) {
    func distance(_ output: Output) -> Int {
      let bounds = output.bounds
      let (dx, dy) = (
        max(bounds.x - x, 0, x - bounds.maxX + 1), max(bounds.y - y, 0, y - bounds.maxY + 1)
      )
      return dx * dx + dy * dy
    }
    let nearest = server.outputs.min { distance($0) < distance($1) }
    for entry in board.entries where entry.site == .output(.pointer) && entry.output == nil {
      guard entry.pane.isShown else { continue }
      setOutput(of: entry, nearest)
      updateAppearance(of: entry)
    }
  }

  private mutating func setOutput(of entry: PaneEntry, _ output: Output?) {
    let old = entry.look
    if !entry.pane.contents.isEmpty { report(.contentChanged) }
    entry.output = output
    placeDrawer(of: entry)
    updateLook(of: entry, from: old)
  }

  /// Updates the look of a pane whose settings are the same. The look depends on the output: if the size of the pane follows the
  /// output, the corner may change, and content is drawn for a size and a scale. A transition between different looks ends,
  /// because the corner of the other look may be too large now.
  func updateLook(of entry: PaneEntry, from old: Look) {
    let look = entry.look
    if look == old { return }
    if let transition = entry.transition, entry.looks.parts.allSatisfy({ $0.look == old }) {
      entry.transition = transition.replacing(old, by: look)
      entry.looks = entry.looks.replacing(old, by: look)
    } else {
      entry.transition = nil
      entry.looks = LookMix(look)
    }
  }

  /// Follows a change of the screen or its outputs: panes on all of them get or lose entries, and all panes go where they
  /// belong now.
  mutating func updateOutputs() {
    let keys = currentOutputKeys
    if keys != outputKeys {
      cancelPainting()
      store.invalidateAll()
      outputKeys = keys
    }
    for pane in panes where board.entries(of: pane.name).map(\.site) != sites(of: pane) {
      replace(by: pane, fade: .none)
    }
    for entry in board.entries {
      locate(entry)
      leaveOldOutput(entry)
    }
    for entry in board.entries { updateAppearance(of: entry) }
  }

  /// Discards the drawn appearance of a pane if its output changed, because its cells can no longer be read. The overlay
  /// is unchanged until the pane is drawn on the new output, where its former glass fades out.
  private mutating func leaveOldOutput(_ entry: PaneEntry) {
    guard let output = entry.output else { return }
    let (key, screen) = (OutputKey(output), OutputKey(server.screen))
    let isOutdated = entry.appearances.contains {
      OutputKey($0.layout.output) != key || $0.pixelKey != nil && $0.pixelKey?.output != screen
    }
    if !isOutdated { return }
    if let wanted = entry.wanted, OutputKey(wanted.layout.output) != key {
      startOutputFade(of: entry)
    }
    uncover(entry)
    setPhase(of: entry, .hidden)
  }

  /// Starts the cross-fade from the glass that a pane shows; again from the same glass if it is not drawn yet.
  private func startOutputFade(of entry: PaneEntry) {
    if rotationFade == .none { return }
    let length = rotationFade.duration
    if let drawn = entry.drawn {
      let glass = drawn.currentGlass(threads: threads(for: drawn.pane.area))
      entry.outputFade = OutputFade(from: glass, length: length)
    } else {
      entry.outputFade = entry.outputFade?.restarted(length: length)
    }
  }
}
