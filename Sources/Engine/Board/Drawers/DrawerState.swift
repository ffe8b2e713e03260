/// Where a drawer is between its ends, and what moves it. A value; the time is an argument.
struct DrawerState: Equatable {
  /// The distance of the ends in pixels.
  private(set) var length = 0.0
  /// The distance from the closed end.
  private(set) var position = 0.0
  /// Whether it is open, or goes to the open end.
  private(set) var isOpen = false
  private var motion = Motion.rest

  private enum Motion: Equatable {
    case rest
    case pulled(Pull)
    /// `start` is the time of the first frame.
    case falling(Fall, start: Duration?)
  }

  /// Whether it is not at rest.
  var isMoving: Bool { motion != .rest }
  /// Whether its position depends on the time.
  var isFalling: Bool { if case .falling = motion { true } else { false } }

  /// Sets the distance of the ends. A drawer whose travel changes comes to rest.
  mutating func setLength(_ new: Double) {
    if new == length { return }
    length = new
    rest()
  }

  /// Ends the motion at the end to which it went.
  mutating func rest() {
    motion = .rest
    position = isOpen ? length : 0
  }

  /// Begins a pull. Does nothing if it is being pulled.
  mutating func pull(_ contact: Contact.ID, coordinate: Double, time: UInt32) {
    if case .pulled = motion { return }
    motion = .pulled(Pull(contact, from: position, coordinate: coordinate, time: time))
  }

  /// Follows a contact, if it pulls the drawer.
  mutating func follow(_ contact: Contact.ID, coordinate: Double, time: UInt32) {
    guard case .pulled(var pull) = motion, pull.contact == contact else { return }
    position = pull.position(at: coordinate, time: time, length: length)
    motion = .pulled(pull)
  }

  /// Ends a pull: the drawer falls to an end. A pull by up to `slop` pixels is no throw. Does nothing if another contact
  /// pulls the drawer.
  mutating func letGo(_ contact: Contact.ID, time: UInt32, slop: Double, _ body: FallingBody) {
    guard case .pulled(let pull) = motion, pull.contact == contact else { return }
    fall(velocity: pull.velocity(at: time, slop: slop), body)
  }

  /// Ends a pull whose release will not be reported.
  mutating func loseContact(_ body: FallingBody) {
    if case .pulled = motion { fall(velocity: 0, body) }
  }

  private mutating func fall(velocity: Double, _ body: FallingBody) {
    isOpen = Fall.opens(from: position, velocity: velocity, length: length)
    fall(velocity, body)
  }

  /// Falls to an end from the present position at rest. Does nothing if it is there or goes there.
  mutating func move(toOpen isOpen: Bool, _ body: FallingBody) {
    if self.isOpen == isOpen, motion == .rest || isFalling { return }
    self.isOpen = isOpen
    fall(0, body)
  }

  private mutating func fall(_ velocity: Double, _ body: FallingBody) {
    let fall = Fall(
      from: position, velocity: velocity, isOpening: isOpen, length: length,
      elasticity: body.elasticity, gravity: body.gravity)
    motion = .falling(fall, start: nil)
  }

  /// Steps a fall to a time. The first call starts it.
  mutating func advance(now: Duration) {
    guard case .falling(let fall, let start) = motion else { return }
    let passed = (now - (start ?? now)) / .seconds(1)
    position = fall.position(at: passed)
    motion = passed >= fall.duration ? .rest : .falling(fall, start: start ?? now)
  }
}

/// The properties of a drawer that falls.
struct FallingBody: Equatable {
  /// The part of the speed that remains after a collision.
  let elasticity: Double
  /// The acceleration in pixels per second squared.
  let gravity: Double
}
