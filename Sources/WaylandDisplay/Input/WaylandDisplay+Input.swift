package import Engine
import WaylandClient

/// Pointers, touch screens and keyboards.
///
/// A surface takes clicks in its input region; elsewhere clicks reach the surface below it. A pointer is bound only if an overlay
/// reports contacts.
extension WaylandDisplay {
  // MARK: Keyboard

  /// Takes the keyboard of all seats exclusively. With the other mode, on demand, a surface gets the keyboard only after a click,
  /// and in sway it loses the keyboard when a layer surface moves.
  package mutating func requestFocus(of overlay: OverlayID, time: UInt32) {
    guard let surface = overlays[overlay]?.surface, seats.contains(where: \.hasKeyboard) else {
      return
    }
    surface.setTakesKeyboard(true, connection)
    updateSeats()
  }

  package mutating func releaseFocus(of overlay: OverlayID) {
    overlays[overlay]?.surface?.setTakesKeyboard(false, connection)
  }

  // MARK: Seats

  mutating func addSeat(_ id: Int, _ global: Globals.Global) {
    let version = min(InterfaceTable.seat.version, global.version)
    seats.append(InputSeat(id: id, connection.bind(.seat, id, global), version: version))
  }

  mutating func removeSeat(_ id: Int) {
    guard let index = seats.firstIndex(where: { $0.id == id }) else { return }
    var seat = seats.remove(at: index)
    for event in seat.close(connection) { handle(event, of: id) }
  }

  /// Binds the devices that overlays need.
  mutating func updateSeats() {
    let surfaces = overlays.values.compactMap(\.surface)
    let reportsContacts = surfaces.contains(where: \.reportsContacts)
    let takesKeyboard = surfaces.contains(where: \.role.takesKeyboard)
    for index in seats.indices {
      let lost = seats[index].update(
        reportsContacts: reportsContacts, takesKeyboard: takesKeyboard, connection)
      for event in lost { handle(event, of: seats[index].id) }
    }
  }

  /// Applies an event of a seat or of one of its devices. Returns whether it is one.
  mutating func handleInput(_ event: WaylandEvent) -> Bool {
    for index in seats.indices {
      let seat = seats[index]
      if event.object == seat.object {
        if SeatEvent(rawValue: event.opcode) == .capabilities {
          seats[index].setCapabilities(event.number(0))
          updateSeats()
        }
        return true
      }
      if event.object == seat.keyboard?.object {
        if let surface = seats[index].handleKeyboardEvent(event),
          let target = contactTargets[surface]
        {
          events.append(.escapePressed(target.overlay))
        }
        return true
      }
      if event.object == seat.pointer || event.object == seat.touch {
        if let event = seat.pointingEvent(event) { handle(event, of: seat.id) }
        return true
      }
    }
    return false
  }

  private mutating func handle(_ event: PointingEvent<WaylandObject>, of seat: Int) {
    let targets = contactTargets
    for report in contacts.handle(event, of: seat, { targets[$0] }) {
      events.append(.contact(report.overlay, report.contact))
    }
  }

  /// The overlays that report contacts, by their surfaces.
  private var contactTargets: [WaylandObject: ContactTarget] {
    var targets: [WaylandObject: ContactTarget] = [:]
    for (id, overlay) in overlays {
      guard let surface = overlay.surface, surface.reportsContacts else { continue }
      let place = surface.place
      targets[surface.role.surface] = ContactTarget(
        overlay: id, x: Double(place.rect.x), y: Double(place.rect.y), scale: place.scale)
    }
    return targets
  }
}
