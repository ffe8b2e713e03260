package import Raster

/// The even background of a window: the colour that most of its pixels have exactly.
package struct Background: Equatable, Sendable {
  /// 0xRRGGBB.
  package let color: UInt32
  /// The share of pixels that have this colour exactly, and of those that differ from it by at most 12 levels, 0 to 1.
  package let exact, near: Double
  /// The other colours, at most 16, that surfaces of the window have: each on at least .4 % of its pixels, and less than 64 levels
  /// from the background. The most frequent ones first.
  package let surfaces: [UInt32]

  package init(color: UInt32, exact: Double, near: Double, surfaces: [UInt32]) {
    (self.color, self.exact, self.near, self.surfaces) = (color, exact, near, surfaces)
  }

  /// Whether it is so frequent that glass may replace it. Real programs have 68 to 91 % of near pixels, a photo 29 %.
  package var isEven: Bool { exact >= 0.15 && near >= 0.3 }

  /// The relative luminance, 0 to 1 (WCAG 2).
  package var luminance: Double { Double(LightTables.sRGB.light(of: color).luminance) }
}

/// The colours of a window, from about 60,000 of its pixels, or from all of a smaller one.
package struct ColorSample: Sendable {
  private let counts: [UInt32: Int]
  private let total: Double

  /// The colours in a part of a window. Nil if it is empty.
  package init?(of window: PixelGrid, _ rect: Rect) {
    self.init(rect.intersection(window.output)) { row, pixels in
      window.copy(row, into: &pixels, PixelLayout(row))
    }
  }

  /// The colours of a picture. Nil if it is empty.
  package init?(of picture: Bitmap) {
    self.init(Rect(x: 0, y: 0, width: picture.width, height: picture.height)) { row, pixels in
      for x in 0..<row.width { pixels[x] = picture[x, row.y] }
    }
  }

  private init?(_ rect: Rect, copyRow: (Rect, inout MutableSpan<UInt32>) -> Void) {
    if rect.isEmpty { return nil }
    counts = colorCounts(in: rect, limit: 60_000, copyRow)
    total = Double(counts.values.reduce(0, +))
  }

  /// The most frequent colour as a background; the darker one of two that are equally frequent.
  package var mostFrequent: Background {
    background(counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0)
  }

  /// A colour, 0xRRGGBB, as a background.
  package func background(_ color: UInt32) -> Background {
    var near = 0
    var others: [(color: UInt32, count: Int)] = []
    for (other, count) in counts {
      let distance = distance(other, color)
      if distance <= SurfaceTest.tolerance {
        near += count
      } else if distance < 64, Double(count) >= 0.004 * total {
        others.append((other, count))
      }
    }
    let surfaces = others.sorted { ($0.count, $1.color) > ($1.count, $0.color) }.prefix(16)
    return Background(
      color: color, exact: Double(counts[color] ?? 0) / total, near: Double(near) / total,
      surfaces: surfaces.map(\.color))
  }
}

/// The largest difference of a channel.
private func distance(_ one: UInt32, _ other: UInt32) -> Int {
  [0, 8, 16].map { shift in
    abs(Int(one >> UInt32(shift) & 0xff) - Int(other >> UInt32(shift) & 0xff))
  }.max() ?? 0
}

/// The number of pixels of each colour, 0xRRGGBB, of at most about `limit` pixels that are evenly distributed in `rect`, not empty.
/// `copyRow` copies a row of pixels.
private func colorCounts(
  in rect: Rect, limit: Int, _ copyRow: (Rect, inout MutableSpan<UInt32>) -> Void
) -> [UInt32: Int] {
  var counts: [UInt32: Int] = [:]
  let step = max(1, (Double(rect.area) / Double(limit)).squareRoot())
  let height = max(1, Int(Double(rect.height) / step))
  var row = [UInt32](repeating: 0, count: rect.width)
  // Rows and columns at even distances would miss the lines of a text, or see nothing else. Those of a sequence with the golden
  // ratio fall everywhere.
  var shift = 0.5
  for index in 0..<height {
    let y =
      rect.y
      + min(rect.height - 1, Int((Double(index) + shift) * Double(rect.height) / Double(height)))
    var pixels = row.mutableSpan
    copyRow(Rect(x: rect.x, y: y, width: rect.width, height: 1), &pixels)
    var x = shift * step
    while Int(x) < rect.width {
      counts[row[Int(x)] & 0xff_ffff, default: 0] += 1
      x += step
    }
    shift = (shift + 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
  }
  return counts
}
