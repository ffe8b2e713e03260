package import Panes
import Raster

// The effects of requests on panes.
extension Engine where Server: ~Copyable {
  /// The state of a pane on each of its outputs. Empty if no pane has this name.
  package func states(of name: String) -> [PaneState] {
    board.entries(of: name).map {
      PaneState($0, awaitsWallpaper: awaitsWallpaper($0), outputs: server.outputs)
    }
  }

  /// Adds a pane on top of the others of its layer. One whose output is not there waits for it. With a fade its glass starts clear. Throws `tooMany`,
  /// `duplicateName`, `offScreen`, `contentOutside` or `outOfRange`; then nothing has changed.
  package mutating func add(_ pane: Pane, fade: Fade = .none) throws(EngineError) {
    guard panes.count < Self.paneLimit else { throw .pane(.tooMany(limit: Self.paneLimit)) }
    guard !board.entries.contains(where: { $0.pane.name == pane.name }) else {
      throw .pane(.duplicateName(pane.name))
    }
    try checkPlace(of: pane)
    try checkContent(of: panes + [pane])
    insert(pane, fade: fade)
    followTargets()
  }

  /// Adds a pane, or replaces the one with the same name by it. The new pane gets the position of the old one among the panes of
  /// its layer, and the state of its drawer. So to put the same pane again changes only its end. Throws like `add`, but not
  /// `duplicateName`.
  package mutating func put(_ pane: Pane, fade: Fade = .none) throws(EngineError) {
    guard let old = board.entry(of: pane.name)?.pane else { return try add(pane, fade: fade) }
    let pane = pane.keepingDrawings(of: old)
    try checkPlace(of: pane, replacing: old)
    try checkContent(of: panes.map { $0.name == pane.name ? pane : $0 })
    replace(by: pane, fade: fade)
    followTargets()
  }

  /// Changes the settings of a pane. Throws `unknownName` or an error of the changed pane; then
  /// nothing has changed. The next daemon does not get an ephemeral change.
  package mutating func change(
    _ name: String, _ change: PaneChange, isEphemeral: Bool = false, fade: Fade = .none
  ) throws(EngineError) {
    let entry = try board.find(name)
    let pane: Pane
    do { pane = try entry.pane.changed(by: change, isEphemeral: isEphemeral) } catch {
      throw .pane(error)
    }
    try checkPlace(of: pane, replacing: entry.pane)
    try checkContent(of: panes.map { $0.name == name ? pane : $0 })
    replace(by: pane, fade: fade)
    followTargets()
  }

  /// Shows or hides a pane. Throws `unknownName`.
  package mutating func setShown(
    _ name: String, _ isShown: Bool, fade: Fade = .none
  ) throws(EngineError) {
    let entry = try board.find(name)
    var pane = entry.pane
    pane.isShown = isShown
    // Shown again while it fades at its end, it stays.
    if isShown, pane.end == .fading { pane.end = nil }
    replace(by: pane, fade: fade)
    followTargets()
  }

  /// Removes a pane. Throws `unknownName`.
  package mutating func remove(_ name: String) throws(EngineError) {
    _ = try board.find(name)
    for entry in board.entries(of: name) { discard(entry) }
    followTargets()
  }

  // MARK: Apply

  /// Replaces all panes by those of a list, the lowest first: adds, changes and removes panes.
  /// Everything is checked first, so an error changes nothing. Returns the action for each pane. A
  /// rehearsal changes nothing.
  package mutating func apply(
    _ wanted: [Pane], isRehearsal: Bool = false
  ) throws(EngineError) -> [PaneAction] {
    let old = panes
    let wanted = wanted.map { pane in
      old.first { $0.name == pane.name }.map { pane.keepingDrawings(of: $0) } ?? pane
    }
    try check(wanted)
    let removed = old.filter { pane in !wanted.contains { $0.name == pane.name } }
    let actions =
      removed.map { PaneAction(.remove, $0.name) }
      + wanted.map { pane in
        guard let known = old.first(where: { $0.name == pane.name }) else {
          return PaneAction(.add, pane.name)
        }
        return PaneAction(known == pane ? .keep : .change, pane.name)
      }
    if isRehearsal { return actions }
    for pane in removed { for entry in board.entries(of: pane.name) { discard(entry) } }
    for pane in wanted {
      if let entry = board.entry(of: pane.name) {
        if entry.pane != pane { replace(by: pane, fade: .none) }
      } else {
        insert(pane, fade: .none)
      }
    }
    reorder(wanted.map(\.name))
    followTargets()
    return actions
  }

  /// Adds the panes of an earlier daemon, the lowest first, at most `paneLimit`. Those outside their output wait for a
  /// larger one.
  package mutating func restore(_ panes: [Pane]) {
    for pane in panes where board.entry(of: pane.name) == nil && self.panes.count < Self.paneLimit {
      insert(pane, fade: .none)
    }
    followTargets()
  }

  private func check(_ wanted: [Pane]) throws(EngineError) {
    guard wanted.count <= Self.paneLimit else { throw .pane(.tooMany(limit: Self.paneLimit)) }
    var names: Set<String> = []
    for pane in wanted {
      guard names.insert(pane.name).inserted else { throw .pane(.duplicateName(pane.name)) }
      let old = board.entry(of: pane.name)?.pane
      do throws(EngineError) {
        // A list may be for several displays, of which some report no windows.
        try checkPlaceOnOutputs(of: pane, replacing: old)
      } catch .pane(let error) {
        throw .paneNamed(pane.name, error)
      }
    }
    try checkContent(of: wanted)
  }

  private mutating func reorder(_ names: [String]) {
    let ordered = names.flatMap { board.entries(of: $0) }
    let old = board.entries
    board.entries = ordered
    sortEntries()
    if old.elementsEqual(board.entries, by: ===) { return }
    cancelPainting()
    // Another pane may be visible through the soft parts now.
    markChanged(board.entries.compactMap { $0.drawn?.bounds }, belowEntriesFrom: 0)
  }

  // MARK: Checks

  /// Throws `noWindows` if the display does not report windows.
  func checkWindows() throws(EngineError) {
    if !server.reportsWindows { throw .noWindows(server.report.name) }
  }

  /// Throws `noWindows` if a pane belongs behind windows that the display does not report, and otherwise like
  /// `checkPlaceOnOutputs`.
  private func checkPlace(of pane: Pane, replacing old: Pane? = nil) throws(EngineError) {
    if pane.placement.behind != nil, pane.placement != old?.placement { try checkWindows() }
    try checkPlaceOnOutputs(of: pane, replacing: old)
  }

  /// Throws `offScreen` if a pane with a new place is outside all of its outputs; `outOfRange` or `contentOutside` if its size
  /// depends on the output and a new corner or new content does not fit there. Outputs that are not there may have any size. A pane
  /// that a smaller output left outside can still be changed in other ways.
  private func checkPlaceOnOutputs(of pane: Pane, replacing old: Pane?) throws(EngineError) {
    guard let first = possibleOutputs(of: pane).first else { return }
    let visible = possibleOutputs(of: pane).first { !pane.placement.rect(on: $0).isEmpty }
    if visible == nil, pane.placement != old?.placement {
      let isScreen = pane.placement.output == .screen
      throw .pane(.offScreen(pane, on: first, isScreen: isScreen))
    }
    let isSame =
      pane.placement == old?.placement && pane.settings.corner == old?.settings.corner
      && pane.contents == old?.contents
    // A pane with a fixed size was checked when it was made.
    if isSame || pane.placement.fixedSize != nil { return }
    let frame = pane.placement.frame(on: visible ?? first)
    let unit = pane.placement.unit.pixels(on: visible ?? first)
    do { try pane.check(on: (frame.width, frame.height), unit: unit) } catch { throw .pane(error) }
  }

  /// Throws `outOfRange` if the pictures of all panes have too many pixels.
  func checkContent(of panes: [Pane]) throws(EngineError) {
    let count = panes.reduce(0) { sum, pane in
      pane.contents.reduce(sum) { $0 + $1.pixelCount }
    }
    do { try PaneContent.check(totalPixels: count) } catch { throw .pane(error) }
  }
}
