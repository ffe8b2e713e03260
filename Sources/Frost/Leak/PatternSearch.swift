package import Raster

/// Finds where overlays are over a known picture: where the colours that leak through them are exactly those of the picture.
///
/// Blocks of 8x8 pixels from multiples of 8 on are judged as a whole.
package struct PatternSearch {
  /// Where pixels are compared.
  private let bounds: Rect
  private var pixels: [Pixel]

  private enum Pixel: UInt8 {
    case unknown
    /// The screen shows what the overlays would show over the picture, and also over the former backdrop.
    case same
    /// The screen shows what the overlays would show over the picture, but not over the former backdrop.
    case found
    /// The screen does not show what the overlays would show over the picture.
    case other
    /// Something is above the overlays.
    case covered
  }

  /// Prepares for pixels in a rectangle.
  package init(in rect: Rect) {
    bounds = Rect(
      (rect.x & ~7)..<((rect.maxX + 7) & ~7), (rect.y & ~7)..<((rect.maxY + 7) & ~7))
    pixels = Array(repeating: .unknown, count: bounds.area)
  }

  /// Compares the rectangle of some overlays on a screen (BGRX) with what they would look like over a picture (BGRX); `former`
  /// is what was below them before (BGRX). Traps if a layout or the bounds of the search do not cover it.
  package mutating func compare(
    _ overlays: OverlayPixels, onScreen screen: Span<UInt32>, _ screenLayout: PixelLayout,
    over picture: Span<UInt32>, _ layout: PixelLayout, after former: Span<UInt32>,
    _ formerLayout: PixelLayout
  ) {
    for y in overlays.bounds.rows {
      for x in overlays.bounds.columns {
        let shown = screen[screenLayout.index(x: x, y: y)] & 0x00ff_ffff
        let expected = overlays.shown(over: picture[layout.index(x: x, y: y)], x: x, y: y)
        let old = overlays.shown(over: former[formerLayout.index(x: x, y: y)], x: x, y: y)
        let i = (y - bounds.y) * bounds.width + x - bounds.x
        if shown == expected {
          pixels[i] = shown == old ? .same : .found
        } else {
          pixels[i] = overlays.isCovered(shown, x: x, y: y) ? .covered : .other
        }
      }
    }
  }

  /// Compares the rectangle of some overlays on a screen (BGRX) only as to whether something is above them.
  package mutating func recordCovers(
    of overlays: OverlayPixels, onScreen screen: Span<UInt32>, _ layout: PixelLayout
  ) {
    for y in overlays.bounds.rows {
      for x in overlays.bounds.columns {
        let shown = screen[layout.index(x: x, y: y)]
        pixels[(y - bounds.y) * bounds.width + x - bounds.x] =
          overlays.isCovered(shown, x: x, y: y) ? .covered : .other
      }
    }
  }

  /// The blocks in which the picture is below the overlays; and those in which something else may be. In the rest, something
  /// covers them.
  package var result: (found: Region, others: Region) {
    var (found, others) = ([Rect](), [Rect]())
    for top in stride(from: bounds.y, to: bounds.maxY, by: 8) {
      for left in stride(from: bounds.x, to: bounds.maxX, by: 8) {
        let block = Rect(x: left, y: top, width: 8, height: 8)
        switch judge(block) {
        case .found: found.append(block)
        case .other: others.append(block)
        default: break
        }
      }
    }
    return (Region(found), Region(others))
  }

  private func judge(_ block: Rect) -> Pixel {
    var (count, foundCount, isOther) = (0, 0, false)
    for y in block.rows {
      for x in block.columns {
        switch pixels[(y - bounds.y) * bounds.width + x - bounds.x] {
        case .unknown: break
        case .same: count += 1
        case .found: (count, foundCount) = (count + 1, foundCount + 1)
        case .other: isOther = true
        case .covered: return .covered
        }
      }
    }
    if isOther { return .other }
    if count == 0 { return .unknown }
    return 2 * foundCount >= count ? .found : .other
  }
}

extension OverlayPixels {
  /// Draws opaque pixels that change the colours of the overlays on the screen, compared with a backdrop (BGRX), but hardly
  /// visibly. Traps if a layout does not cover the overlays.
  package func drawPattern(
    over backdrop: Span<UInt32>, _ backdropLayout: PixelLayout, to pixels: inout [UInt32],
    _ layout: PixelLayout
  ) {
    precondition(layout.bounds.contains(bounds) && pixels.count >= layout.pixelCount)
    for y in bounds.rows {
      for x in bounds.columns {
        let share = share(x: x, y: y)
        // About one level and a half of the distance shows through the overlays.
        let distance = min(40, UInt32(382 / max(1, share)) + 1)
        let pixel = backdrop[backdropLayout.index(x: x, y: y)]
        pixels[layout.index(x: x, y: y)] = 0xff00_0000 | shifted(pixel, by: distance)
      }
    }
  }
}
