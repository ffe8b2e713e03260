/// The state whose changes `subscribe` reports. The reports of panes have no counters and no times, which change by themselves.
package struct ObservedState: Equatable, Sendable {
  /// The lowest first.
  package var panes: [PaneReport]
  package var outputs: [OutputReport]
  package var isConnected: Bool
  package var isLocked: Bool
  /// The configuration file, and the number of times that it was read without an error.
  package var configuration: String?
  package var reloads: Int
  package var errors: [String]

  package init(
    panes: [PaneReport] = [], outputs: [OutputReport] = [], isConnected: Bool = true,
    isLocked: Bool = false, configuration: String? = nil, reloads: Int = 0, errors: [String] = []
  ) {
    self.panes = panes.map { pane in
      var pane = pane
      pane.frames = 0
      pane.remainingSeconds = nil
      return pane
    }
    self.outputs = outputs
    self.isConnected = isConnected
    self.isLocked = isLocked
    self.configuration = configuration
    self.reloads = reloads
    self.errors = errors
  }

  /// The events that lead from a former state to this one. Panes, outputs and errors have different names each.
  package func events(since old: ObservedState) -> [EventReport] {
    var events: [EventReport] = []
    if isConnected != old.isConnected {
      events.append(EventReport(isConnected ? .displayFound : .displayLost))
    }
    if isLocked != old.isLocked { events.append(EventReport(isLocked ? .locked : .unlocked)) }
    events += outputEvents(since: old)
    if reloads != old.reloads { events.append(EventReport(.reload, text: configuration)) }
    events += paneEvents(since: old)
    events += old.errors.filter { !errors.contains($0) }.map { EventReport(.errorEnded, text: $0) }
    events += errors.filter { !old.errors.contains($0) }.map { EventReport(.error, text: $0) }
    return events
  }

  private func outputEvents(since old: ObservedState) -> [EventReport] {
    let removed = old.outputs.filter { output in !outputs.contains { $0.name == output.name } }
    return removed.map { EventReport(.outputRemoved, output: $0) }
      + outputs.compactMap { output in
        guard let former = old.outputs.first(where: { $0.name == output.name }) else {
          return EventReport(.outputAdded, output: output)
        }
        return former == output ? nil : EventReport(.outputChanged, output: output)
      }
  }

  private func paneEvents(since old: ObservedState) -> [EventReport] {
    let known = Dictionary(old.panes.map { ($0.name, $0) }) { $1 }
    let names = Set(panes.map(\.name))
    let removed = old.panes.filter { !names.contains($0.name) }
    var events = removed.map { EventReport(.paneRemoved, pane: $0) }
    for pane in panes {
      guard let former = known[pane.name] else {
        events.append(EventReport(.paneAdded, pane: pane))
        continue
      }
      events += kinds(from: former, to: pane).map { EventReport($0, pane: pane) }
    }
    let kept = old.panes.map(\.name).filter { names.contains($0) }
    let added = panes.map(\.name).filter { known[$0] == nil }
    let order = panes.map(\.name)
    if kept + added != order { events.append(EventReport(.panesReordered, panes: order)) }
    return events
  }

  private func kinds(from old: PaneReport, to new: PaneReport) -> [EventKind] {
    var kinds: [EventKind] = []
    if old.isShown != new.isShown { kinds.append(new.isShown ? .paneShown : .paneHidden) }
    if old.places != new.places { kinds.append(.paneMoved) }
    if old.settings != new.settings { kinds.append(.paneChanged) }
    return kinds
  }
}
