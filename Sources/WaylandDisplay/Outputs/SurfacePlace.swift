import Panes
import Raster

/// The place of a surface on an output. Compositors place surfaces at whole logical pixels, and round their edges to pixels.
struct SurfacePlace: Equatable {
  /// Relative to the corner of the output, in logical pixels.
  let logical: Rect
  /// In pixels, in the coordinates of the display: the size of its buffers. It may reach beyond the output by a pixel.
  let rect: Rect
  let scale: Double

  /// A small surface that contains `rect`, which is in the coordinates of the display. Its edges are between pixels where
  /// such edges are near.
  init(covering rect: Rect, on output: Rect, scale: Double) {
    func edge(_ logical: Int) -> Int { Int((Double(logical) * scale).rounded()) }
    func logical(_ range: Range<Int>) -> Range<Int> {
      var low = Int((Double(range.lowerBound) / scale).rounded(.down))
      var high = Int((Double(range.upperBound) / scale).rounded(.up))
      while edge(low) > range.lowerBound { low -= 1 }
      while edge(high) < range.upperBound { high += 1 }
      return low..<max(low + 1, high)
    }
    // All compositors place an edge in the same way if it is exactly between two pixels. Otherwise wayfire stretches the surface
    // by a part of a pixel, which mixes its pixels.
    func whole(_ range: Range<Int>, within output: Int) -> Range<Int> {
      func isWhole(_ logical: Int) -> Bool {
        abs(Double(logical) * scale - Double(edge(logical))) < 1e-6
      }
      let low = (range.lowerBound - 12...range.lowerBound).last { isWhole($0) && $0 >= 0 }
      let high = (range.upperBound...range.upperBound + 12).first {
        isWhole($0) && edge($0) <= output
      }
      return (low ?? range.lowerBound)..<(high ?? range.upperBound)
    }
    func pixels(_ range: Range<Int>, from origin: Int) -> Range<Int> {
      origin + edge(range.lowerBound)..<origin + edge(range.upperBound)
    }
    let (columns, rows) = (
      whole(logical(rect.x - output.x..<rect.maxX - output.x), within: output.width),
      whole(logical(rect.y - output.y..<rect.maxY - output.y), within: output.height)
    )
    self.logical = Rect(columns, rows)
    self.rect = Rect(pixels(columns, from: output.x), pixels(rows, from: output.y))
    self.scale = scale
  }

  /// The smallest rectangle of logical pixels, relative to the surface, that contains `part`.
  func local(_ part: Rect) -> Rect {
    func down(_ value: Int) -> Int { Int((Double(value) / scale).rounded(.down)) }
    func up(_ value: Int) -> Int { Int((Double(value) / scale).rounded(.up)) }
    return Rect(
      down(part.x - rect.x)..<up(part.maxX - rect.x),
      down(part.y - rect.y)..<up(part.maxY - rect.y))
  }
}
