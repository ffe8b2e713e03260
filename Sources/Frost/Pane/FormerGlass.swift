package import Raster

/// The glass that a pane showed before its output changed, as a picture. Drawn over the present glass, it makes the
/// change a cross-fade. All rectangles are in the coordinates of the screen.
package final class FormerGlass {
  /// The rectangle of the whole pane.
  package let frame: Rect
  /// The part of the pane that the picture shows.
  package let part: Rect
  package let picture: Bitmap

  /// `picture` shows the glass in `part` of a pane at `frame`, premultiplied BGRA. Traps if it has another size than
  /// `part`, or if `part` is empty.
  package init(_ picture: Bitmap, of part: Rect, frame: Rect) {
    precondition(!part.isEmpty && (picture.width, picture.height) == (part.width, part.height))
    self.picture = picture
    self.part = part
    self.frame = frame
  }

  /// The same glass on a pane at another place, of which `newPart`, not empty, is visible. It is stretched with the
  /// pane, interpolated linearly, and beyond the old part it shows the nearest pixel of it.
  package func moved(to newFrame: Rect, part newPart: Rect) -> FormerGlass {
    let columns = newPart.columns.map {
      Sample(at: $0, of: newFrame.columns, from: frame.columns, part.columns)
    }
    let rows = newPart.rows.map { Sample(at: $0, of: newFrame.rows, from: frame.rows, part.rows) }
    let isSame = columns.isIdentity(picture.width) && rows.isIdentity(picture.height)
    let moved = isSame ? picture : picture.interpolated(columns: columns).interpolated(rows: rows)
    return FormerGlass(moved, of: newPart, frame: newFrame)
  }
}

/// Former glass over the present glass of a pane.
package struct FormerLayer {
  package let glass: FormerGlass
  /// The weight of the former glass, 0 to 1.
  package let weight: Double

  package init(_ glass: FormerGlass, weight: Double) {
    (self.glass, self.weight) = (glass, weight)
  }

  func draw(_ target: Rect, over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout) {
    let picture = glass.picture.pixels
    mix(
      target, of: picture.span, PixelLayout(glass.part), weight: weight,
      into: &pixels, layout)
  }
}

extension FormerLayer: Equatable {
  package static func == (one: FormerLayer, other: FormerLayer) -> Bool {
    one.glass === other.glass && one.weight == other.weight
  }
}

/// A place between two pixels of a line.
private struct Sample {
  let first, second: Int
  /// The weight of the second one, 0 to 1.
  let weight: Double

  /// The place of the centre of a pixel in `line` when the whole line is stretched to `old`, of which only `part`, which
  /// starts at index 0, has pixels.
  init(at pixel: Int, of line: Range<Int>, from old: Range<Int>, _ part: Range<Int>) {
    let scale = Double(old.count) / Double(line.count)
    let place = (Double(pixel - line.lowerBound) + 0.5) * scale - 0.5
    let inPart = place + Double(old.lowerBound - part.lowerBound)
    let last = Double(part.count - 1)
    let clamped = min(last, max(0, inPart))
    first = Int(clamped)
    second = min(part.count - 1, first + 1)
    weight = clamped - clamped.rounded(.down)
  }
}

extension [Sample] {
  /// Whether the samples are all pixels of a line of `count` pixels.
  fileprivate func isIdentity(_ count: Int) -> Bool {
    self.count == count && enumerated().allSatisfy { $1.first == $0 && $1.weight == 0 }
  }
}

extension Bitmap {
  fileprivate func interpolated(columns: [Sample]) -> Bitmap {
    let weights = columns.map { Weight.rounded($0.weight) }
    var result = Bitmap(width: columns.count, height: height)
    for y in 0..<height {
      for (x, sample) in columns.enumerated() {
        let (first, second) = (pixels[y * width + sample.first], pixels[y * width + sample.second])
        result.pixels[y * columns.count + x] = mixed(first, second, weights[x])
      }
    }
    return result
  }

  fileprivate func interpolated(rows: [Sample]) -> Bitmap {
    var result = Bitmap(width: width, height: rows.count)
    let source = PixelLayout(bounds)
    for (y, sample) in rows.enumerated() {
      // The layout `below` puts the second row of the sample at row `y` of the result.
      let line = Rect(x: 0, y: y, width: width, height: 1)
      var target = result.pixels.mutableSpan
      copyPixels(
        from: pixels.span, at: sample.first * width, to: &target, at: y * width, count: width)
      if sample.weight == 0 { continue }
      let below = PixelLayout(source.bounds.translated(x: 0, y: y - sample.second))
      mix(
        line, of: pixels.span, below, weight: sample.weight, into: &target,
        PixelLayout(Rect(x: 0, y: 0, width: width, height: rows.count)))
    }
    return result
  }
}
