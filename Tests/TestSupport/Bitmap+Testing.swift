import Glibc
package import Raster
import TestDice

extension Bitmap {
  /// Noise from a seed. If not `opaque` the alpha is random too, and colours are premultiplied by it.
  package static func noise(width: Int, height: Int, seed: UInt64, opaque: Bool = true) -> Bitmap {
    var dice = Dice(seed: seed)
    if opaque { return .noise(width: width, height: height, using: &dice) }
    let pixels = (0..<width * height).map { _ in premultiplied(dice.next()) }
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  /// The part inside `rect`, which must lie within the picture.
  package func cropped(to rect: Rect) -> Bitmap {
    precondition(bounds.contains(rect))
    let rows = rect.rows.flatMap { y in pixels[y * width + rect.x..<y * width + rect.maxX] }
    return Bitmap(width: rect.width, height: rect.height, pixels: rows)
  }

  /// A description of the difference from a picture of the same size; nil if there is none. With
  /// `#expect(seen.difference(from: wanted) == nil)` a failure is a line and not megabytes of pixels. With the environment's
  /// TEST_PICTURES=folder both pictures are written there, as `File-line-seen.png` and `File-line-wanted.png`.
  package func difference(
    from other: Bitmap, tolerance: Int = 0, file: StaticString = #fileID, line: Int = #line
  ) -> String? {
    guard bounds == other.bounds else { return "\(bounds) is not \(other.bounds)" }
    let wrong = pixels.indices.filter { distance(pixels[$0], other.pixels[$0]) > tolerance }
    guard let first = wrong.first else { return nil }
    write(for: "seen", file, line)
    other.write(for: "wanted", file, line)
    let worst = wrong.map { distance(pixels[$0], other.pixels[$0]) }.max() ?? 0
    let rows = wrong.map { $0 / width }
    let columns = wrong.map { $0 % width }
    let hull = Rect(
      (columns.min() ?? 0)..<(columns.max() ?? 0) + 1, (rows.min() ?? 0)..<(rows.max() ?? 0) + 1)
    let seen = String(pixels[first], radix: 16)
    let wanted = String(other.pixels[first], radix: 16)
    return "\(wrong.count) of \(pixels.count) pixels differ, all in \(hull), by up to \(worst);"
      + " the first at \(first % width),\(first / width) is \(seen), not \(wanted)"
  }
}

extension Bitmap {
  /// Writes the picture into the folder TEST_PICTURES, if there is one. Colours stay premultiplied.
  fileprivate func write(for purpose: String, _ file: StaticString, _ line: Int) {
    guard let folder = picturesFolder else { return }
    let name = "\(file)".split(separator: "/").last?.split(separator: ".").first ?? "picture"
    do throws(TestFailure) {
      try writePNG(straight: self, to: "\(folder)/\(name)-\(line)-\(purpose).png")
    } catch {
      fatalError("TEST_PICTURES: \(error)")
    }
  }
}

private let picturesFolder = unsafe getenv("TEST_PICTURES").map { unsafe String(cString: $0) }

private func premultiplied(_ bits: UInt64) -> UInt32 {
  let alpha = UInt32(bits >> 24 & 0xFF)
  var pixel = alpha << 24
  for shift: UInt64 in [0, 8, 16] {
    pixel |= (UInt32(bits >> shift & 0xFF) * alpha / 255) << UInt32(shift)
  }
  return pixel
}

/// The largest difference in a channel.
private func distance(_ one: UInt32, _ other: UInt32) -> Int {
  if one == other { return 0 }
  return [0, 8, 16, 24].map { abs(Int(one >> $0 & 0xFF) - Int(other >> $0 & 0xFF)) }.max() ?? 0
}
