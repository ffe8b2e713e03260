import TestDice
import Testing

@testable import Control

/// The events between two states.
@Suite struct ObservedStateTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func eventsLeadFromOneStateToTheNext(seed: UInt64) {
    var dice = Dice(seed: seed)
    var state = ObservedState()
    for _ in 0..<5 {
      let next = ObservedState.random(after: state, using: &dice)
      let events = next.events(since: state)
      state.configuration = next.configuration
      for event in events { state.apply(event) }
      #expect(state == next, "seed \(seed)")
      #expect(next.events(since: next).isEmpty)
    }
  }

  @Test func countersAndTimesAreNoEvents() {
    let pane = PaneReport(
      name: "a", places: [], isShown: true, settings: [:], frames: 1, remainingSeconds: 9)
    var later = pane
    later.frames = 2
    later.remainingSeconds = 8
    #expect(ObservedState(panes: [later]).events(since: ObservedState(panes: [pane])).isEmpty)
  }
}

extension ObservedState {
  /// Some of its panes, outputs and errors, changed, and others.
  fileprivate static func random(after old: ObservedState, using dice: inout Dice) -> ObservedState
  {
    var panes = old.panes.filter { _ in dice.roll(0...3) > 0 }.map { pane in
      var pane = pane
      if dice.roll(0...3) == 0 { pane.isShown.toggle() }
      if dice.roll(0...3) == 0 { pane.settings["sigma"] = .number(Double(dice.roll(0...9))) }
      if dice.roll(0...3) == 0 {
        pane.places = [PlaceReport(output: "A", frame: "\(dice.roll(0...3))", rect: "")]
      }
      return pane
    }
    for name in ["a", "b", "c", "d"] where !panes.contains(where: { $0.name == name }) {
      guard dice.roll(0...2) == 0 else { continue }
      var pane = PaneReport.random(using: &dice)
      pane.name = name
      panes.insert(pane, at: dice.roll(0...panes.count))
    }
    if dice.roll(0...3) == 0 { panes.shuffle(using: &dice) }
    let outputs = ["A", "B"].filter { _ in dice.roll(0...3) > 0 }.map { name in
      old.outputs.first { $0.name == name && dice.roll(0...1) == 0 }
        ?? OutputReport(name: name, active: true, primary: .random(using: &dice), scale: 1)
    }
    return ObservedState(
      panes: panes, outputs: outputs, isConnected: dice.roll(0...3) > 0,
      isLocked: dice.roll(0...3) == 0, configuration: "/etc/x\(dice.roll(0...1))",
      reloads: old.reloads + dice.roll(0...1),
      errors: ["e", "f"].filter { _ in dice.roll(0...2) == 0 })
  }

  /// Applies an event, as a client does that keeps the state.
  fileprivate mutating func apply(_ event: EventReport) {
    switch event.event {
    case .paneAdded: event.pane.map { panes.append($0) }
    case .paneRemoved: panes.removeAll { $0.name == event.pane?.name }
    case .paneShown, .paneHidden, .paneMoved, .paneChanged:
      guard let pane = event.pane, let i = panes.firstIndex(where: { $0.name == pane.name })
      else { return }
      panes[i] = pane
    case .panesReordered:
      panes = (event.panes ?? []).compactMap { name in panes.first { $0.name == name } }
    case .outputAdded, .outputChanged:
      outputs.removeAll { $0.name == event.output?.name }
      event.output.map { outputs.append($0) }
      outputs.sort { $0.name < $1.name }
    case .outputRemoved: outputs.removeAll { $0.name == event.output?.name }
    case .displayLost, .displayFound: isConnected = event.event == .displayFound
    case .locked, .unlocked: isLocked = event.event == .locked
    case .reload: reloads += 1
    case .error:
      event.text.map { errors.append($0) }
      errors.sort()
    case .errorEnded: errors.removeAll { $0 == event.text }
    case .rates: break
    }
  }
}
