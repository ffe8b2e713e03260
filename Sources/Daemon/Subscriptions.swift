import Control

/// The clients that get events. While there are none, nothing is observed.
///
/// The state is compared with the one that a client was told last, and only when the client has received all earlier events. So a
/// slow client gets fewer events, but the last state in any case, and its events take a bounded amount of memory.
struct Subscriptions {
  private var subscribers: [Subscriber] = []
  /// The time of the last look at the state; nil if a client does not know the state yet.
  private var lastLook: Duration?
  /// The time at which `update` is needed, even if nothing else happens.
  private(set) var deadline: Duration?
  private var rates = RateClock()

  private struct Subscriber {
    let client: ClientID
    let kinds: Set<EventKind>
    /// The state that its events have reported.
    var told = ObservedState()
  }

  /// The shortest time between two looks at the state.
  private static let interval = Duration.milliseconds(50)

  /// Begins with the state as events. Without kinds a client gets all.
  mutating func add(_ client: ClientID, _ kinds: [EventKind]) {
    let kinds = kinds.isEmpty ? EventKind.allCases : kinds
    subscribers.append(Subscriber(client: client, kinds: Set(kinds)))
    lastLook = nil
  }

  /// Must be called whenever something may have changed.
  mutating func update(
    now: Duration, by control: inout ControlServer, counters: () -> FrameCounters,
    state: () -> ObservedState
  ) {
    if subscribers.isEmpty { return }
    subscribers.removeAll { control.hasRoom($0.client) == nil }
    if subscribers.contains(where: { $0.kinds.contains(.rates) }) {
      if let report = rates.update(now: now, counters) {
        for subscriber in subscribers where subscriber.kinds.contains(.rates) {
          control.post([EventReport(.rates, rates: report)], to: subscriber.client)
        }
      }
    } else {
      rates = RateClock()
    }
    let nextLook = lastLook.map { $0 + Self.interval }
    if let nextLook, now < nextLook {
      deadline = [nextLook, rates.deadline].compactMap(\.self).min()
    } else {
      lastLook = now
      deadline = rates.deadline
      tell(state(), by: &control)
    }
    if subscribers.isEmpty { deadline = nil }
  }

  private mutating func tell(_ state: ObservedState, by control: inout ControlServer) {
    for i in subscribers.indices where control.hasRoom(subscribers[i].client) == true {
      let events = state.events(since: subscribers[i].told)
        .filter { subscribers[i].kinds.contains($0.event) }
      subscribers[i].told = state
      control.post(events, to: subscribers[i].client)
    }
  }
}

/// The counters of frames since the start.
struct FrameCounters: Equatable {
  var frames = 0
  var captures = 0
  var pixels = 0
  /// The frames of each pane.
  var panes: [String: Int] = [:]
}

/// Computes rates once a second while frames are drawn. One report without frames follows the last one.
private struct RateClock {
  private(set) var deadline: Duration?
  private var start: (time: Duration, counters: FrameCounters)?

  mutating func update(now: Duration, _ counters: () -> FrameCounters) -> RateReport? {
    if let deadline, now < deadline { return nil }
    let counters = counters()
    guard let (time, former) = start, former != counters || deadline != nil else {
      start = start ?? (now, counters)
      return nil
    }
    if deadline == nil {
      // The first frames after a pause begin a new second.
      deadline = now + .seconds(1)
      start = (now, former)
      return nil
    }
    deadline = former == counters ? nil : now + .seconds(1)
    start = (now, counters)
    return RateReport(from: former, to: counters, seconds: (now - time) / .seconds(1))
  }
}

extension RateReport {
  fileprivate init(from old: FrameCounters, to new: FrameCounters, seconds: Double) {
    func rate(_ count: Int) -> Double { (Double(count) / seconds * 10).rounded() / 10 }
    let panes = new.panes.compactMapValues { $0 == 0 ? nil : $0 }
    self.init(
      frames: rate(new.frames - old.frames), captures: rate(new.captures - old.captures),
      pixels: rate(new.pixels - old.pixels),
      panes: panes.reduce(into: [:]) { rates, pane in
        let count = pane.value - (old.panes[pane.key] ?? 0)
        if count > 0 { rates[pane.key] = rate(count) }
      })
  }
}
