import Panes

/// The windows that belong to each pane behind windows.
struct TargetDivision {
  /// The windows of each pane, by its name, the lowest first.
  private(set) var windows: [String: [WindowID]] = [:]
  /// The windows that a pane may have, but a search in their titles gave up.
  private(set) var undecided: [String: [WindowID]] = [:]

  /// No pane has a window.
  init() {}

  /// Gives each window to the first pane that matches it. A pane for any window that asks for blur comes after all other panes,
  /// so it gets only windows that no other pane matches.
  init(of targets: [TargetWindow], among panes: [Pane]) {
    func isForAnyRequest(_ pane: Pane) -> Bool {
      pane.placement.behind?.match.isForAnyRequest == true
    }
    let ordered = panes.filter { !isForAnyRequest($0) } + panes.filter { isForAnyRequest($0) }
    for target in targets {
      for pane in ordered {
        let finding = pane.placement.behind?.match.search(target.properties)
        if finding == .tooCostly { undecided[pane.name, default: []].append(target.id) }
        if finding != .found { continue }
        windows[pane.name, default: []].append(target.id)
        break
      }
    }
  }
}
