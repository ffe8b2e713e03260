/// A press of the pointer or a finger on a pane: a click if it ends near the place where it began.
struct Press: Equatable {
  private let contact: Contact.ID
  private let x, y: Double

  /// The distance that a press may go at a scale, in pixels: that of GTK (`gtk-dnd-drag-threshold`). Qt has 10.
  static func slop(scale: Double) -> Double { 8 * scale }

  init(_ contact: Contact) {
    self.contact = contact.id
    (x, y) = (contact.x, contact.y)
  }

  /// Whether this is the same contact.
  func isContinued(by contact: Contact) -> Bool { contact.id == self.contact }

  /// Whether the contact is so far away at a scale that it is no click any more.
  func isLeft(by contact: Contact, scale: Double) -> Bool {
    max(abs(contact.x - x), abs(contact.y - y)) > Self.slop(scale: scale)
  }
}
