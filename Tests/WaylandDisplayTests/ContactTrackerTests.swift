import Engine
import TestDice
import Testing

@testable import WaylandDisplay

/// Contacts without a compositor. Seats and surfaces are numbers.
@Suite struct ContactTrackerTests {
  private typealias Tracker = ContactTracker<Int, Int>
  private typealias Event = PointingEvent<Int>

  private static let target = ContactTarget(
    overlay: OverlayID(number: 7), x: 100, y: 50, scale: 1.5)

  private func report(
    _ id: Contact.ID, _ phase: Contact.Phase, _ x: Double, _ y: Double, _ time: UInt32
  ) -> Tracker.Report {
    Tracker.Report(
      overlay: Self.target.overlay, contact: Contact(id, phase, x: x, y: y, time: time))
  }

  /// The reports of events of one seat on surface 1, the only one that reports contacts.
  private func reports(_ events: Event...) -> [Tracker.Report] {
    var tracker = Tracker()
    return events.flatMap { tracker.handle($0, of: 0) { $0 == 1 ? Self.target : nil } }
  }

  @Test func pressMovesAndReleaseAreAContactInPixels() {
    #expect(
      reports(
        .pointerEntered(1, x: 2, y: 4), .pointerMoved(x: 4, y: 6, time: 1),
        .buttonPressed(time: 2), .pointerMoved(x: -10, y: 8.5, time: 3),
        .buttonReleased(time: 4), .pointerMoved(x: 1, y: 1, time: 5)
      ) == [
        report(.pointer, .began, 106, 59, 2), report(.pointer, .moved, 85, 62.75, 3),
        report(.pointer, .ended, 85, 62.75, 4),
      ])
  }

  @Test func otherSurfacesReportNothing() {
    #expect(
      reports(
        .pointerEntered(2, x: 2, y: 4), .buttonPressed(time: 2),
        .pointerMoved(x: 1, y: 8, time: 3), .buttonReleased(time: 4),
        .fingerDown(0, 2, x: 0, y: 0, time: 5), .fingerUp(0, time: 6)
      ).isEmpty)
  }

  @Test func pointerThatIsLostEndsItsContact() {
    for event: Event in [.pointerLeft, .pointerRemoved] {
      #expect(
        reports(.pointerEntered(1, x: 0, y: 0), .buttonPressed(time: 9), event)
          == [report(.pointer, .began, 100, 50, 9), report(.pointer, .ended, 100, 50, 9)])
    }
  }

  @Test func cancelEndsAllTouches() {
    #expect(
      reports(
        .fingerDown(3, 1, x: 0, y: 0, time: 1), .fingerDown(5, 1, x: 2, y: 0, time: 2),
        .fingerMoved(3, x: 4, y: 0, time: 3), .touchCancelled, .fingerUp(3, time: 4)
      ) == [
        report(.finger(1), .began, 100, 50, 1), report(.finger(2), .began, 103, 50, 2),
        report(.finger(1), .moved, 106, 50, 3), report(.finger(1), .ended, 106, 50, 3),
        report(.finger(2), .ended, 103, 50, 2),
      ])
  }

  /// The corner of the surface at the press counts until the release.
  @Test func movedSurfaceDoesNotMoveTheContact() {
    var tracker = Tracker()
    var corner = 100.0
    func handle(_ event: Event) -> Double? {
      tracker.handle(event, of: 0) { _ in
        ContactTarget(overlay: OverlayID(number: 1), x: corner, y: 0, scale: 1)
      }.first?.contact.x
    }
    #expect(handle(.pointerEntered(1, x: 5, y: 0)) == nil)
    #expect(handle(.buttonPressed(time: 0)) == 105)
    corner = 60
    #expect(handle(.pointerMoved(x: 6, y: 0, time: 1)) == 106)
  }

  @Test func pointersOfTwoSeatsMakeOneContact() {
    var tracker = Tracker()
    func handle(_ event: Event, _ seat: Int) -> [Contact.Phase] {
      tracker.handle(event, of: seat) { _ in Self.target }.map(\.contact.phase)
    }
    for seat in 0...1 { #expect(handle(.pointerEntered(1, x: 0, y: 0), seat) == []) }
    #expect(handle(.buttonPressed(time: 0), 0) == [.began])
    #expect(handle(.buttonPressed(time: 1), 1) == [])
    #expect(handle(.pointerMoved(x: 1, y: 1, time: 2), 1) == [])
    #expect(handle(.buttonReleased(time: 3), 1) == [])
    #expect(handle(.buttonReleased(time: 4), 0) == [.ended])
    #expect(handle(.buttonPressed(time: 5), 1) == [.began])
  }

  /// Random events of seats and surfaces.
  private struct Storm {
    var dice: Dice
    var tracker = Tracker()
    /// By surface; what is not here is destroyed or reports nothing.
    var targets: [Int: ContactTarget] = [:]
    /// By contact in progress.
    var open: [Contact.ID: (surface: Int, last: Contact)] = [:]
    var time: UInt32 = .max - 50
    private var nextSurface = 0

    static let seats = 0...2

    init(seed: Int) { dice = Dice(seed: seed) }

    mutating func changeSurfaces() {
      switch dice.roll(0...3) {
      case 0:
        nextSurface += 1
        targets[nextSurface] = ContactTarget(
          overlay: OverlayID(number: UInt32(nextSurface)), x: Double(dice.roll(0...99)),
          y: Double(dice.roll(0...99)), scale: Double(dice.roll(2...6)) / 2)
      case 1: targets[dice.roll(0...nextSurface)] = nil
      default: break
      }
      open = open.filter { targets[$0.value.surface] != nil }
    }

    mutating func randomEvent() -> Event {
      time &+= UInt32(dice.roll(0...9))
      let (x, y) = (Double(dice.roll(-20...20)) / 4, Double(dice.roll(-20...20)) / 4)
      let surface = dice.roll(max(0, nextSurface - 3)...nextSurface)
      let finger = Int32(dice.roll(0...2))
      return switch dice.roll(0...15) {
      case 0...1: .pointerEntered(surface, x: x, y: y)
      case 2: .pointerLeft
      case 3: dice.roll(0...3) == 0 ? .pointerRemoved : .touchCancelled
      case 4...6: .pointerMoved(x: x, y: y, time: time)
      case 7...8: .buttonPressed(time: time)
      case 9: .buttonReleased(time: time)
      case 10...11: .fingerDown(finger, surface, x: x, y: y, time: time)
      case 12...14: .fingerMoved(finger, x: x, y: y, time: time)
      default: .fingerUp(finger, time: time)
      }
    }

    mutating func handle(_ event: Event, of seat: Int) {
      let targets = targets
      for report in tracker.handle(event, of: seat, { targets[$0] }) { check(report, event) }
      #expect(tracker.isEmpty == open.isEmpty, "\(dice)")
    }

    /// A contact begins once, on a surface that reports contacts; it moves on the same overlay, and ends where it was.
    private mutating func check(_ report: Tracker.Report, _ event: Event) {
      let contact = report.contact
      let surface = Int(report.overlay.number)
      #expect(targets[surface]?.overlay == report.overlay, "\(dice)")
      let last = open[contact.id]
      #expect(last == nil || last?.surface == surface, "\(dice)")
      #expect((last == nil) == (contact.phase == .began), "\(dice)")
      if contact.phase == .ended {
        #expect(contact.x == last?.last.x && contact.y == last?.last.y, "\(dice)")
        open[contact.id] = nil
      } else {
        #expect(contact.time == time, "\(dice)")
        open[contact.id] = (surface, contact)
      }
      if case .fingerMoved(_, let x, let y, _) = event, let target = targets[surface] {
        #expect(contact.x == target.x + x * target.scale, "\(dice)")
        #expect(contact.y == target.y + y * target.scale, "\(dice)")
      }
    }
  }

  @Test(arguments: 0..<200) func anyEventsMakeWholeContacts(seed: Int) {
    var storm = Storm(seed: seed)
    for _ in 0..<200 {
      storm.changeSurfaces()
      let event = storm.randomEvent()
      storm.handle(event, of: storm.dice.roll(Storm.seats))
    }
    // Without devices there are no contacts, and new ones work.
    for seat in Storm.seats {
      storm.handle(.pointerRemoved, of: seat)
      storm.handle(.touchCancelled, of: seat)
    }
    #expect(storm.open.isEmpty && storm.tracker.isEmpty)
    storm.targets[1] = ContactTarget(overlay: OverlayID(number: 1), x: 0, y: 0, scale: 1)
    storm.handle(.pointerEntered(1, x: 0, y: 0), of: 0)
    storm.handle(.buttonPressed(time: storm.time), of: 0)
    storm.handle(.fingerDown(0, 1, x: 0, y: 0, time: storm.time), of: 0)
    #expect(storm.open.count == 2)
  }
}
