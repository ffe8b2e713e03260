package import Frost
package import Raster

/// One piece of frosted glass, as a user declares it.
package struct Pane: Equatable, Sendable {
  package let name: String
  package var placement: Placement
  package var material: Material
  /// The named material that `material` was made from, as a user writes it.
  package var materialName: String?
  package var sees: Sight
  package var input: InputMode
  /// Whether it is wanted on the screen.
  package var isShown: Bool

  package init(
    name: String, placement: Placement, material: Material = .plain, sees: Sight = .windows,
    input: InputMode = .pass, isShown: Bool = true
  ) {
    self.name = name
    self.placement = placement
    self.material = material
    self.sees = sees
    self.input = input
    self.isShown = isShown
  }
}

/// Where a pane is.
package enum Placement: Equatable, Sendable {
  case geometry(Geometry)

  /// As a user writes it.
  package var text: String {
    switch self {
    case .geometry(let geometry): "\(geometry)"
    }
  }

  /// The rectangle on the screen `screen`, cut at its edges; empty when it lies outside.
  package func rect(on screen: Rect) -> Rect {
    switch self {
    case .geometry(let geometry): geometry.rect(on: screen).intersection(screen)
    }
  }
}

/// What becomes of a click on a pane.
package enum InputMode: String, CaseIterable, Sendable {
  /// It reaches what lies below.
  case pass
  /// The pane takes it.
  case grab
}

extension Material {
  /// What a pane is made of when nothing is said.
  package static let plain = Material(sigma: 20)
}
