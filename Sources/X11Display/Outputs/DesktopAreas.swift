import CXCB
import Raster

/// The work areas that a window manager publishes for its desktops (EWMH `_NET_WORKAREA`), and the current desktop.
struct DesktopAreas {
  private let workAreas, currentDesktop: UInt32
  private var areas: [Rect] = []
  private var current = 0
  private var pendingCount = 0

  init(_ x: inout XConnection, _ atoms: Atoms) {
    (workAreas, currentDesktop) = (atoms.workAreas, atoms.currentDesktop)
    for atom in [workAreas, currentDesktop] { request(&x, atom) }
  }

  var isAsking: Bool { pendingCount > 0 }

  /// The work area of the current desktop; nil if the window manager publishes none.
  var area: Rect? { areas.indices.contains(current) ? areas[current] : areas.first }

  /// Handles a change of a property of the root.
  mutating func propertyChanged(_ x: inout XConnection, _ atom: UInt32) {
    if atom == workAreas || atom == currentDesktop { request(&x, atom) }
  }

  private mutating func request(_ x: inout XConnection, _ atom: UInt32) {
    pendingCount += 1
    x.requestProperty(atom, of: x.root, upTo: 4096)
  }

  /// Applies the value of a property of the root; nil if there is none.
  mutating func apply(_ value: PropertyValue?, _ atom: UInt32) {
    guard atom == workAreas || atom == currentDesktop else { return }
    pendingCount -= 1
    let numbers = value?.words ?? []
    if atom == currentDesktop {
      current = numbers.first.map { Int($0) } ?? 0
    } else {
      areas = stride(from: 0, to: numbers.count - 3, by: 4).map { i in
        let four = numbers[i..<i + 4].map { Int(Int32(bitPattern: $0)) }
        return Rect(x: four[0], y: four[1], width: max(0, four[2]), height: max(0, four[3]))
      }
    }
  }
}
