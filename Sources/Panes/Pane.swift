package import Frost
package import Raster

/// One piece of frosted glass, as a user declares it.
package struct Pane: Equatable, Sendable {
  package let name: String
  package var placement: Placement
  package var material: Material
  /// The named material that `material` was made from, as a user writes it.
  package var materialName: String?
  package var outline: OutlineStyle
  package var sees: Sight
  package var input: InputMode
  /// What it holds, drawn in this order.
  package var contents: [PaneContent]
  /// Whether it is wanted on the screen.
  package var isShown: Bool

  package init(
    name: String, placement: Placement, material: Material = .plain,
    outline: OutlineStyle = OutlineStyle(), sees: Sight = .windows, input: InputMode = .pass,
    contents: [PaneContent] = [], isShown: Bool = true
  ) {
    self.name = name
    self.placement = placement
    self.material = material
    self.outline = outline
    self.sees = sees
    self.input = input
    self.contents = contents
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

  /// The whole rectangle, which may reach beyond the edges of the screen `screen`.
  package func frame(on screen: Rect) -> Rect {
    switch self {
    case .geometry(let geometry): geometry.rect(on: screen)
    }
  }

  /// The same, cut at the screen's edges; empty when it lies outside.
  package func rect(on screen: Rect) -> Rect { frame(on: screen).intersection(screen) }

  /// Its size, which no screen changes.
  package var size: (width: Int, height: Int) {
    switch self {
    case .geometry(let geometry): (geometry.width, geometry.height)
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
