import CXCB

/// The property of the root that tells applications that requests for blur are fulfilled. A window manager that fulfils
/// them has set it already; then it stays as it is.
struct BlurAnnouncement {
  private let atom: UInt32
  /// A window of the daemon.
  private let owner: UInt32
  private var isWanted = false
  private var isSet = false

  init(_ atom: UInt32, owner: UInt32) {
    self.atom = atom
    self.owner = owner
  }

  /// Announces, or withdraws.
  mutating func set(_ x: inout XConnection, _ isWanted: Bool) {
    if self.isWanted == isWanted { return }
    self.isWanted = isWanted
    if isWanted { return x.requestProperty(atom, of: x.root, upTo: 8) }
    if isSet { x.deleteProperty(x.root, atom) }
    isSet = false
  }

  /// Asks for a property of the root that has changed.
  func propertyChanged(_ x: inout XConnection, _ atom: UInt32) {
    if atom == self.atom, isWanted { x.requestProperty(atom, of: x.root, upTo: 8) }
  }

  /// Applies a reply about a property of the root.
  mutating func apply(_ value: PropertyValue?, _ atom: UInt32, _ x: inout XConnection) {
    guard atom == self.atom, isWanted else { return }
    // A killed daemon leaves two words, the first of which is the atom itself.
    let isOurs = value.map { $0.words.count == 2 && $0.words[0] == atom } ?? true
    isSet = isOurs
    if isOurs, value?.words != [atom, owner] {
      x.setProperty(
        x.root, atom, type: XCB_ATOM_CARDINAL.rawValue, words: [atom, owner])
    }
  }
}
