import Engine
import WaylandClient

/// An event of a pointer or of fingers. Places are in logical pixels, relative to the surface.
enum PointingEvent<Surface: Hashable>: Equatable {
  /// The pointer is on a surface of this client now.
  case pointerEntered(Surface, x: Double, y: Double)
  case pointerLeft
  case pointerMoved(x: Double, y: Double, time: UInt32)
  case buttonPressed(time: UInt32)
  case buttonReleased(time: UInt32)
  /// The seat has no pointer any more.
  case pointerRemoved
  case fingerDown(Int32, Surface, x: Double, y: Double, time: UInt32)
  case fingerMoved(Int32, x: Double, y: Double, time: UInt32)
  case fingerUp(Int32, time: UInt32)
  /// The compositor uses all touches for something else, or the seat has no touch screen any more.
  case touchCancelled
}

/// An overlay that reports contacts, and how places on its surface become places on the display.
struct ContactTarget: Equatable {
  let overlay: OverlayID
  /// The corner of the surface in the coordinates of the display.
  let x, y: Double
  /// The pixels of a logical pixel.
  let scale: Double
}

/// The contacts of all seats, from the events of their pointers and fingers. A value that needs no compositor.
///
/// A contact keeps the target with which it began, so its places are relative to the position of the surface at the press. Sway
/// reports such places until the release; other compositors report places relative to the current position of the surface. Both
/// are equal, because the surface of a drawer does not move (`OverlayState.travel`).
struct ContactTracker<Seat: Hashable, Surface: Hashable> {
  private var pointers: [Seat: Pointer] = [:]
  private var fingers: [Finger: Held] = [:]
  private var lastFinger: UInt32 = 0

  /// A pointer on a surface of this client.
  private struct Pointer {
    let surface: Surface
    var x, y: Double
    var held: Held?
  }

  /// The fingers of several seats may have the same number.
  private struct Finger: Hashable {
    let seat: Seat
    let number: Int32
  }

  /// A contact in progress.
  private struct Held {
    let surface: Surface
    let target: ContactTarget
    /// The contact that was reported last.
    var contact: Contact

    init(
      _ id: Contact.ID, _ surface: Surface, _ target: ContactTarget, x: Double, y: Double,
      time: UInt32
    ) {
      (self.surface, self.target) = (surface, target)
      contact = Contact(
        id, .began, x: target.x + x * target.scale, y: target.y + y * target.scale, time: time)
    }

    func moved(x: Double, y: Double, time: UInt32) -> Held {
      var new = Held(contact.id, surface, target, x: x, y: y, time: time)
      new.contact.phase = .moved
      return new
    }

    var report: Report { Report(overlay: target.overlay, contact: contact) }
  }

  /// Contacts on an overlay.
  struct Report: Equatable {
    let overlay: OverlayID
    let contact: Contact
  }

  /// Whether no contact is in progress.
  var isEmpty: Bool { fingers.isEmpty && !pointers.values.contains { $0.held != nil } }

  /// Applies an event of a seat. `target` returns the overlay of a surface; nil if there is none any more, or if it reports
  /// no contacts. The end of a contact on such a surface is not reported.
  mutating func handle(
    _ event: PointingEvent<Surface>, of seat: Seat, _ target: (Surface) -> ContactTarget?
  ) -> [Report] {
    forget { target($0) == nil }
    switch event {
    case .pointerEntered(let surface, let x, let y):
      let reports = endPointer(of: seat)
      pointers[seat] = Pointer(surface: surface, x: x, y: y)
      return reports
    case .pointerLeft, .pointerRemoved:
      let reports = endPointer(of: seat)
      pointers[seat] = nil
      return reports
    case .pointerMoved(let x, let y, let time):
      pointers[seat]?.x = x
      pointers[seat]?.y = y
      guard let held = pointers[seat]?.held?.moved(x: x, y: y, time: time) else { return [] }
      pointers[seat]?.held = held
      return [held.report]
    case .buttonPressed(let time): return press(seat, time: time, target)
    case .buttonReleased(let time): return endPointer(of: seat, time: time)
    case .fingerDown(let number, let surface, let x, let y, let time):
      let finger = Finger(seat: seat, number: number)
      let reports = end(finger)
      guard let target = target(surface) else { return reports }
      lastFinger &+= 1
      let held = Held(.finger(lastFinger), surface, target, x: x, y: y, time: time)
      fingers[finger] = held
      return reports + [held.report]
    case .fingerMoved(let number, let x, let y, let time):
      let finger = Finger(seat: seat, number: number)
      guard let held = fingers[finger]?.moved(x: x, y: y, time: time) else { return [] }
      fingers[finger] = held
      return [held.report]
    case .fingerUp(let number, let time):
      return end(Finger(seat: seat, number: number), time: time)
    case .touchCancelled:
      return fingers.keys.filter { $0.seat == seat }.sorted { $0.number < $1.number }
        .flatMap { end($0) }
    }
  }

  /// Forgets contacts on surfaces.
  private mutating func forget(_ isGone: (Surface) -> Bool) {
    for (seat, pointer) in pointers where pointer.held.map({ isGone($0.surface) }) == true {
      pointers[seat]?.held = nil
    }
    for (finger, held) in fingers where isGone(held.surface) { fingers[finger] = nil }
  }

  private mutating func press(
    _ seat: Seat, time: UInt32, _ target: (Surface) -> ContactTarget?
  ) -> [Report] {
    // The pointers of all seats have the same contact ID, so only one pointer can make a contact at a time.
    guard let pointer = pointers[seat], !pointers.values.contains(where: { $0.held != nil }),
      let target = target(pointer.surface)
    else { return [] }
    let held = Held(.pointer, pointer.surface, target, x: pointer.x, y: pointer.y, time: time)
    pointers[seat]?.held = held
    return [held.report]
  }

  /// Ends a contact at its last place. Without a `time` it ends at the time of its last event.
  private mutating func endPointer(of seat: Seat, time: UInt32? = nil) -> [Report] {
    let held = pointers[seat]?.held
    pointers[seat]?.held = nil
    return end(held, time: time)
  }

  private mutating func end(_ finger: Finger, time: UInt32? = nil) -> [Report] {
    end(fingers.removeValue(forKey: finger), time: time)
  }

  private func end(_ held: Held?, time: UInt32?) -> [Report] {
    guard var held else { return [] }
    held.contact.phase = .ended
    held.contact.time = time ?? held.contact.time
    return [held.report]
  }
}
