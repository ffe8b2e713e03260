import Raster

extension PixelFormat {
  /// Converts packed BGRX pixels of a rectangle of the screen to an image for the server, from the first word of
  /// `pixels` on, in place. Traps if `pixels` has less than `rect.area` words. Without effect for `bgrx8`.
  ///
  /// 5 and 6 bits are dithered. The pattern is fixed to the screen, as that of `Grain`: a pane that moves keeps its
  /// pixels on the screen.
  func compress(_ pixels: inout MutableSpan<UInt32>, of rect: Rect) {
    precondition(rect.area <= pixels.count)
    switch self {
    case .bgrx8: break
    case .rgb565: compressPairs(&pixels, rect)
    case .rgb30: for i in 0..<rect.area { pixels[i] = widened(pixels[i]) }
    }
  }
}

/// A BGRX pixel as three times 10 bits: the upper bits of each colour are repeated below it.
@inline(__always)
func widened(_ pixel: UInt32) -> UInt32 {
  let (red, green, blue) = (pixel >> 16 & 0xff, pixel >> 8 & 0xff, pixel & 0xff)
  return (red << 2 | red >> 6) << 20 | (green << 2 | green >> 6) << 10 | blue << 2 | blue >> 6
}

/// Compresses rows from the first one on, because they become shorter: each overwrites only words of itself and of
/// earlier rows. A loop that reads and writes the same span is not vectorised, hence the second row.
private func compressPairs(_ pixels: inout MutableSpan<UInt32>, _ rect: Rect) {
  let wordCount = PixelFormat.rgb565.wordsPerRow(width: rect.width)
  var row = [UInt32](repeating: 0, count: rect.width)
  for y in 0..<rect.height {
    var compressed = row.mutableSpan
    compress(
      pixels.span.extracting(y * rect.width..<(y + 1) * rect.width), x: rect.x, y: rect.y + y,
      to: &compressed)
    packPairs(row.span, to: &pixels, at: y * wordCount)
  }
}

/// Compresses the pixels from (x, y) of the screen on, each to the lower half of a word.
@_lifetime(row: copy row)
private func compress(
  _ pixels: Span<UInt32>, x: Int, y: Int, to row: inout MutableSpan<UInt32>
) {
  precondition(pixels.count == row.count)
  let (x, y) = (UInt32(truncatingIfNeeded: x), UInt32(truncatingIfNeeded: y))
  for i in 0..<pixels.count {
    row[i] = dithered(pixels[i], 63 &- threshold(x &+ UInt32(truncatingIfNeeded: i), y))
  }
}

@_lifetime(words: copy words)
private func packPairs(_ row: Span<UInt32>, to words: inout MutableSpan<UInt32>, at start: Int) {
  let (pairCount, isOdd) = (row.count / 2, row.count % 2 == 1)
  precondition(start >= 0 && start + pairCount + (isOdd ? 1 : 0) <= words.count)
  for i in 0..<pairCount { words[start &+ i] = row[2 &* i] | row[2 &* i &+ 1] << 16 }
  if isOdd { words[start + pairCount] = row[row.count - 1] }
}

/// A threshold of Bayer's 8x8 matrix, 0 to 63.
@inline(__always)
private func threshold(_ x: UInt32, _ y: UInt32) -> UInt32 {
  let mixed = x ^ y
  return (mixed & 1) << 5 | (y & 1) << 4 | (mixed & 2) << 2 | (y & 2) << 1 | (mixed & 4) >> 1
    | (y & 4) >> 2
}

/// A BGRX pixel as 5, 6 and 5 bits, each colour one of the two next to it. It is the upper one at `k` of 64 pixels,
/// where k / 64 is the part of the step between them, rounded down. So a colour of 5 or 6 bits stays what it is.
///
/// - Parameter bias: 63 minus the threshold of the pixel.
@inline(__always)
private func dithered(_ pixel: UInt32, _ bias: UInt32) -> UInt32 {
  // Blue and red in the two halves of a word. The value v of 5 bits is v << 3 | v >> 2 in 8 bits, so a step is 8
  // levels, or 9 if v ends in 11. `below` is the largest v that is not above the colour.
  let blueRed = pixel & 0xff_00ff
  let below = (blueRed &- (blueRed >> 5 & 0x7_0007)) >> 3 & 0x1f_001f
  let rest = blueRed &- (below << 3 | below >> 2 & 0x7_0007)
  let isWide = ((below & 0x3_0003) &+ 0x1_0001) >> 2 & 0x1_0001
  // 64 / 8 for each level of the rest, and 7 instead of 64 / 9.
  let part = (rest << 3) &- (rest & ((isWide << 4) &- isWide))
  let near = below &+ ((part &+ bias &+ (bias << 16)) >> 6 & 0x1_0001)

  // The same with 6 bits and steps of 4 levels, or of 5 if v ends in 1111.
  let green = pixel >> 8 & 0xff
  let belowGreen = (green &- (green >> 6)) >> 2
  let restGreen = green &- (belowGreen << 2 | belowGreen >> 4)
  let isWideGreen = ((belowGreen & 0xf) &+ 1) >> 4
  // 64 / 4 for each level of the rest, and 13 instead of 64 / 5.
  let partGreen = (restGreen << 4) &- 3 &* (restGreen & ((isWideGreen << 3) &- isWideGreen))
  let nearGreen = belowGreen &+ ((partGreen &+ bias) >> 6)
  return near >> 5 & 0xf800 | nearGreen << 5 | near & 0x1f
}
