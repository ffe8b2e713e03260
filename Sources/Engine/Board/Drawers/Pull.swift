/// The pull of a drawer by the pointer or a finger.
struct Pull: Equatable {
  let contact: Contact.ID
  /// The difference of the position of the drawer and the coordinate of the contact along its travel.
  private let offset: Double
  /// The position of the drawer at the begin.
  private let start: Double
  private var samples: [Sample] = []

  private struct Sample: Equatable {
    let time: UInt32
    let position: Double
  }

  /// The time before the release in which the speed is measured, in milliseconds.
  private static let window: UInt32 = 80
  /// The shortest time for which a move counts, in milliseconds: the period of a pointer at 125 Hz, the usual rate of USB. A
  /// server that was busy gives several moves the same time.
  private static let shortestTime: UInt32 = 8

  /// `coordinate` is that of the contact, which grows as the drawer opens.
  init(_ contact: Contact.ID, from position: Double, coordinate: Double, time: UInt32) {
    self.contact = contact
    offset = position - coordinate
    start = position
    samples = [Sample(time: time, position: position)]
  }

  /// The position of the drawer after a move of the contact, between 0 and `length`.
  mutating func position(at coordinate: Double, time: UInt32, length: Double) -> Double {
    let position = min(length, max(0, coordinate + offset))
    samples.append(Sample(time: time, position: position))
    let first = samples.lastIndex { time &- $0.time >= Self.window } ?? 0
    samples.removeFirst(first)
    return position
  }

  /// The velocity at the release, in pixels per second; 0 if the contact rested before, or if the drawer is within `slop`
  /// pixels of where it was: a tap is no throw.
  func velocity(at time: UInt32, slop: Double) -> Double {
    let recent = samples.filter { time &- $0.time <= Self.window }
    guard let first = recent.first, let last = recent.last, abs(last.position - start) > slop
    else { return 0 }
    return (last.position - first.position) * 1000
      / Double(max(Self.shortestTime, time &- first.time))
  }
}
