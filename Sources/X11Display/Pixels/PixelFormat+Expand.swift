extension PixelFormat {
  /// Converts an image that the server wrote, from the first word of `pixels` on, to packed BGRX pixels in place.
  /// Traps if `pixels` has less than `width * height` words. Without effect for `bgrx8`.
  func expand(_ pixels: inout MutableSpan<UInt32>, width: Int, height: Int) {
    precondition(width >= 0 && height >= 0 && width * height <= pixels.count)
    switch self {
    case .bgrx8: break
    case .rgb565: expandPairs(&pixels, width: width, height: height)
    case .rgb30: for i in 0..<width * height { pixels[i] = narrowed(pixels[i]) }
    }
  }
}

/// Expands rows from the last one on, because they become longer: each overwrites only words of itself and of later
/// rows. A loop that reads and writes the same span is not vectorised, hence the second row.
private func expandPairs(_ pixels: inout MutableSpan<UInt32>, width: Int, height: Int) {
  let wordCount = PixelFormat.rgb565.wordsPerRow(width: width)
  var row = [UInt32](repeating: 0, count: width)
  for y in (0..<height).reversed() {
    var expanded = row.mutableSpan
    expandPairs(pixels.span.extracting(y * wordCount..<(y + 1) * wordCount), to: &expanded)
    let start = y * width
    for x in 0..<width { pixels[start &+ x] = row[x] }
  }
}

/// Expands a row of pairs, the left pixel in the lower half. The last word of an odd row has only that half.
@_lifetime(row: copy row)
private func expandPairs(_ words: Span<UInt32>, to row: inout MutableSpan<UInt32>) {
  precondition(words.count == (row.count + 1) / 2)
  for i in 0..<row.count / 2 {
    let pair = words[i]
    row[2 &* i] = expanded(pair & 0xffff)
    row[2 &* i &+ 1] = expanded(pair >> 16)
  }
  if row.count % 2 == 1 { row[row.count - 1] = expanded(words[words.count - 1] & 0xffff) }
}

/// A pixel of 5, 6 and 5 bits as BGRX: the upper bits of each colour are repeated below it.
@inline(__always)
private func expanded(_ pixel: UInt32) -> UInt32 {
  let red = (pixel & 0xf800) << 8 | (pixel & 0xe000) << 3
  let green = (pixel & 0x7e0) << 5 | (pixel & 0x600) >> 1
  let blue = (pixel & 0x1f) << 3 | (pixel & 0x1c) >> 2
  return red | green | blue
}

/// A pixel of three times 10 bits as BGRX, each colour rounded to 8 bits.
@inline(__always)
private func narrowed(_ pixel: UInt32) -> UInt32 {
  func rounded(_ color: UInt32) -> UInt32 {
    // color * 255 / 1023 to the nearest, without a division.
    let product = color &* 255 &+ 511
    return (product &+ (product >> 10) &+ 1) >> 10
  }
  return rounded(pixel >> 20 & 0x3ff) << 16 | rounded(pixel >> 10 & 0x3ff) << 8
    | rounded(pixel & 0x3ff)
}
