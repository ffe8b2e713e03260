import Glibc

/// The events that the loop of the daemon waits for. Each part declares its descriptors and its time in `Daemon.declareInterest`.
enum LoopPart: CaseIterable {
  case display, signals, alarm, memoryPressure, memoryEvents, session, heartbeat
  case clients, subscriptions, pictures, preparations, replacedContents
  case savedPanes, configuration, drawings, wallpaper, clickCommands
}

/// The events that all parts wait for in one iteration of the loop.
struct LoopInterests {
  private var polled: [pollfd] = []
  private var parts: [LoopPart] = []
  /// The time at which a part has something to do; nil if only descriptors tell.
  private(set) var deadline: Duration?
  /// Whether a part has something to do now.
  private(set) var isDue = false

  /// A part waits for events of a descriptor, which is ignored if it is -1.
  mutating func add(_ part: LoopPart, _ descriptor: Int32, _ events: Int16 = Int16(POLLIN)) {
    if descriptor < 0 { return }
    polled.append(pollfd(fd: descriptor, events: events, revents: 0))
    parts.append(part)
  }

  /// A part has something to do at a time, if it is not nil.
  mutating func add(deadline time: Duration?) {
    guard let time else { return }
    deadline = deadline.map { min($0, time) } ?? time
  }

  /// A part has something to do now, if `isDue`.
  mutating func add(isDue: Bool) { self.isDue = self.isDue || isDue }

  /// Blocks until a descriptor is ready, at most `timeout` milliseconds if it is not -1.
  func wait(timeout: Int32) -> LoopEvents {
    let ready = waitUntilReady(polled, timeout: timeout)
    var events = LoopEvents()
    // A descriptor can belong to one part only.
    var next = 0
    for (descriptor, flags) in ready {
      while polled[next].fd != descriptor { next += 1 }
      events.add(parts[next], descriptor, flags)
      next += 1
    }
    return events
  }
}

/// The ready descriptors of the parts.
struct LoopEvents {
  private var items: [(part: LoopPart, descriptor: Int32, events: Int16)] = []

  mutating func add(_ part: LoopPart, _ descriptor: Int32, _ events: Int16) {
    items.append((part, descriptor, events))
  }

  /// Whether a descriptor of a part is ready.
  func contains(_ part: LoopPart) -> Bool { items.contains { $0.part == part } }

  /// The descriptors of a part that are ready.
  func descriptors(of part: LoopPart) -> [Int32] {
    items.filter { $0.part == part }.map(\.descriptor)
  }

  /// The same with their events.
  func events(of part: LoopPart) -> [(descriptor: Int32, events: Int16)] {
    items.filter { $0.part == part }.map { ($0.descriptor, $0.events) }
  }
}
