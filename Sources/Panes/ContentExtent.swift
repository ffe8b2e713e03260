/// How large the content of a pane is in each of its drawings, for a pane whose size follows it.
package struct ContentExtent: Equatable, Sendable {
  private let items: [Item]

  fileprivate struct Item: Equatable {
    let place: ContentPlace
    let drawings: [Drawing]
  }

  fileprivate struct Drawing: Equatable {
    let scope: DrawingScope?
    let width, height: Int
  }

  init(_ contents: [PaneContent]) {
    items = contents.map { content in
      Item(
        place: content.place,
        drawings: content.drawings.map {
          Drawing(scope: $0.scope, width: $0.picture.width, height: $0.picture.height)
        })
    }
  }

  /// Without content.
  static let none = ContentExtent([])

  /// Whether there is content.
  var isEmpty: Bool { items.isEmpty }

  /// The size of a pane that has room for each item and the space around it, in pixels; at least 1x1. `target` is the
  /// largest pane, for which the items are drawn. An item that is not drawn for its scale yet has an estimated size.
  func size(on target: ContentTarget) -> (width: Int, height: Int) {
    let sizes = items.map { item in
      let (width, height) = item.size(on: target)
      let place = item.place.scaled(by: target.unit)
      return (
        width: width + place.x.space(Self.horizontalSpace, scale: target.scale),
        height: height + place.y.space(Self.verticalSpace, scale: target.scale)
      )
    }
    return (max(1, sizes.map(\.width).max() ?? 1), max(1, sizes.map(\.height).max() ?? 1))
  }

  /// The distance of a centred item from each edge, at scale 1.
  private static let horizontalSpace = 20.0
  private static let verticalSpace = 12.0
}

extension ContentExtent.Item {
  fileprivate func size(on target: ContentTarget) -> (width: Int, height: Int) {
    if let drawing = drawings.last(where: { $0.scope?.includes(place, on: target) ?? true }) {
      return (drawing.width, drawing.height)
    }
    let first = drawings[0]
    let factor = target.scale / (first.scope?.scale ?? target.scale)
    return (first.width.scaled(by: factor), first.height.scaled(by: factor))
  }
}

extension ContentPlace.Position {
  /// The pixels beside an item at this position on one axis, on both sides together: the same as in
  /// `ContentPlace.room`, but more beside a centred one.
  fileprivate func space(_ space: Double, scale: Double) -> Int {
    switch self {
    case .center: 2 * Int((space * scale).rounded())
    case .fromStart(let distance), .fromEnd(let distance):
      distance + min(distance, ContentPlace.oppositeMargin(scale: scale))
    }
  }
}
