package import Raster

/// All content items of a pane, the lowest first.
package struct Contents: Sendable {
  private let items: [Content]
  /// Whether an item is below a later text. The veil of the texts is laid over it as over the glass, because the text
  /// must contrast with it too.
  private let isGround: [Bool]
  /// The vibrant items and the pictures below them.
  private let vibrantItems: [VibrantItem]
  /// The areas whose pixels must contrast with a text, from the pane's top left corner.
  let texts: [TextArea]

  /// The lowest item is the first.
  package init(_ items: [Content]) {
    self.items = items
    isGround = items.indices.map { items[$0].isBelowText(of: items[$0...]) }
    vibrantItems = items.indices.filter { items[$0].isVibrant && !items[$0].box.isEmpty }
      .map { VibrantItem(items[$0], over: items[..<$0]) }
    texts = items.compactMap { TextArea($0) }
  }

  /// Whether there is no item that is visible.
  var isEmpty: Bool { items.allSatisfy(\.box.isEmpty) }

  /// All pixels of a pane that the items may change, without their veil, in the coordinates of `pane`.
  func region(on pane: Rect) -> Region { Region(items.map { $0.bounds(of: pane) }) }

  /// The polarity with which the vibrant items contrast with the current glass, which may cover a part of
  /// the pane, and with the pictures below them. It is the same for all, because light and dark texts on one pane look
  /// wrong. `last` is the previous result, nil for the first time. Returns `last`, or light, if there is no vibrant
  /// item over the glass.
  package func polarity(of pane: Rect, on glass: borrowing Glass, last: Polarity?) -> Polarity {
    var (sum, area) = (0.0, 0)
    for item in vibrantItems {
      let covered = item.box.translated(x: pane.x, y: pane.y).intersection(glass.pane)
      if covered.isEmpty { continue }
      let visible = (1 - item.alpha) * glass.meanLuminance(of: covered)
      sum += (item.luminance + visible) * Double(covered.area)
      area += covered.area
    }
    if area == 0 { return last ?? .light }
    return Polarity(onLuminance: sum / Double(area), last: last)
  }

  /// Whether `polarity` depends on pixels of a region of the output.
  func dependsOn(_ region: Region, _ pane: Rect) -> Bool {
    vibrantItems.contains {
      !region.intersection($0.box.translated(x: pane.x, y: pane.y)).isEmpty
    }
  }

  /// Draws the part `target` of all items over glass with its veil: premultiplied BGRA; all rectangles are in the
  /// coordinates of the output.
  func draw(
    _ target: Rect, of pane: Rect, _ polarity: Polarity, below veil: Veil,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    for (item, isGround) in zip(items, isGround) {
      item.draw(
        target, of: pane, polarity, below: isGround ? veil : nil, over: &pixels, layout)
    }
  }

  /// Draws the part `target` of the items below texts over glass, without a veil. The parameters are those of `draw`.
  func drawGround(
    _ target: Rect, of pane: Rect, _ polarity: Polarity, over pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    for (item, isGround) in zip(items, isGround) where isGround {
      item.draw(target, of: pane, polarity, below: nil, over: &pixels, layout)
    }
  }
}

/// The area whose pixels must contrast with a text.
struct TextArea {
  /// From the pane's top left corner; beyond the antialiased edges of the strokes.
  let area: Rect
  let ink: Ink

  /// Nil if the item is no text.
  init?(_ item: Content) {
    guard let ink = item.ink else { return nil }
    self.ink = ink
    area = item.box.grown(by: 3)
  }
}

extension Content {
  /// Whether it is a picture or a shape below a text.
  fileprivate func isBelowText(of later: ArraySlice<Content>) -> Bool {
    ink == nil && later.contains { TextArea($0)?.area.intersects(box) ?? false }
  }
}

/// A vibrant item, and the mean of the pictures below it.
private struct VibrantItem {
  let box: Rect
  /// The mean opacity of the pictures, and their mean relative luminance over black; from 0 to 1, of samples.
  private(set) var alpha = 0.0
  private(set) var luminance = 0.0

  init(_ item: Content, over lower: ArraySlice<Content>) {
    box = item.box
    let lower = lower.filter { !$0.isVibrant && $0.box.intersects(item.box) }
    if lower.isEmpty { return }
    let (columns, rows) = (thinned(box.columns), thinned(box.rows))
    let share = 1 / Double(columns.count * rows.count)
    for y in rows {
      for x in columns {
        let pixel = lower.reduce(0) { over($1[x, y], $0) }
        alpha += share * Double(pixel >> 24) / 255
        luminance += share * Double(LightTables.sRGB.light(of: pixel).luminance)
      }
    }
  }
}
