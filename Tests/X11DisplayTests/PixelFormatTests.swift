import Raster
import TestDice
import Testing

@testable import X11Display

/// The conversion of pixels of other depths, compared with plain definitions.
@Suite struct PixelFormatTests {
  private static let formats: [PixelFormat] = [.bgrx8, .rgb565, .rgb30]

  // MARK: Known formats

  @Test func onlyConvertibleFormatsAreKnown() {
    let narrow = PixelFormat.Masks(red: 0xf800, green: 0x7e0, blue: 0x1f)
    let usual = PixelFormat.Masks(red: 0xff_0000, green: 0xff00, blue: 0xff)
    let swapped = PixelFormat.Masks(red: 0xff, green: 0xff00, blue: 0xff_0000)
    let deep = PixelFormat.Masks(red: 0x3ff0_0000, green: 0xf_fc00, blue: 0x3ff)
    let old = PixelFormat.Masks(red: 0x7c00, green: 0x3e0, blue: 0x1f)
    #expect(PixelFormat(depth: 16, bitsPerPixel: 16, narrow) == .rgb565)
    #expect(PixelFormat(depth: 24, bitsPerPixel: 32, usual) == .bgrx8)
    #expect(PixelFormat(depth: 30, bitsPerPixel: 32, deep) == .rgb30)
    #expect(PixelFormat(depth: 24, bitsPerPixel: 24, usual) == nil)
    #expect(PixelFormat(depth: 24, bitsPerPixel: 32, swapped) == nil)
    #expect(PixelFormat(depth: 16, bitsPerPixel: 32, narrow) == nil)
    #expect(PixelFormat(depth: 15, bitsPerPixel: 16, old) == nil)
  }

  // MARK: Images

  @Test(arguments: formats, 0..<100)
  func expandedImageEqualsItsPixels(format: PixelFormat, seed: Int) {
    var dice = Dice(seed: seed)
    let (width, height) = (dice.roll(0...70), dice.roll(0...9))
    let values = (0..<width * height).map { _ in format.randomValue(using: &dice) }
    // The words after the image have any value before, and keep it.
    let rest = (0..<dice.roll(0...5)).map { _ in UInt32(truncatingIfNeeded: dice.next()) }
    let image = format.image(values, width: width, height: height) {
      UInt32(dice.roll(0...0xffff))
    }
    var words = image + Array(repeating: 0x5555_5555, count: width * height - image.count) + rest
    var span = words.mutableSpan
    format.expand(&span, width: width, height: height)
    let expected = values.map { format.plainColor(of: $0) }
    #expect(words == expected + rest, "\(dice): \(width)x\(height)")
  }

  @Test(arguments: formats, 0..<100)
  func compressedImageEqualsItsPixels(format: PixelFormat, seed: Int) {
    var dice = Dice(seed: seed)
    let rect = Rect(
      x: dice.roll(-40...40), y: dice.roll(-40...40), width: dice.roll(0...70),
      height: dice.roll(0...9))
    var words = (0..<rect.area).map { _ in UInt32(truncatingIfNeeded: dice.next()) }
    let values = words.enumerated().map { i, color in
      format.plainValue(of: color, x: rect.x + i % rect.width, y: rect.y + i / rect.width)
    }
    let expected = format.image(values, width: rect.width, height: rect.height)
    var span = words.mutableSpan
    format.compress(&span, of: rect)
    #expect(Array(words.prefix(expected.count)) == expected, "\(dice): \(rect)")
  }

  /// Captured pixels of the screen are drawn without a change.
  @Test(arguments: formats, 0..<20)
  func expandedImageIsCompressedToItself(format: PixelFormat, seed: Int) {
    var dice = Dice(seed: seed)
    let rect = Rect(
      x: dice.roll(-40...40), y: dice.roll(-40...40), width: dice.roll(1...40),
      height: dice.roll(1...40))
    // Values of 10 bits, only those that 8 bits have.
    let values = (0..<rect.area).map { _ in
      format.plainValue(of: format.plainColor(of: format.randomValue(using: &dice)), x: 0, y: 0)
    }
    let image = format.image(values, width: rect.width, height: rect.height)
    var words = image + Array(repeating: 0, count: rect.area - image.count)
    var span = words.mutableSpan
    format.expand(&span, width: rect.width, height: rect.height)
    format.compress(&span, of: rect)
    #expect(Array(words.prefix(image.count)) == image, "\(dice): \(rect)")
  }

  // MARK: Colours

  @Test func tenBitsAreRounded() {
    for value in 0..<UInt32(1024) {
      var words = [value << 20 | (1023 - value) << 10 | value]
      var span = words.mutableSpan
      PixelFormat.rgb30.expand(&span, width: 1, height: 1)
      #expect(
        words == [PixelFormat.rgb30.plainColor(of: value << 20 | (1023 - value) << 10 | value)])
    }
  }

  /// The dither has no error of its mean but 1/64 of the step between two values.
  @Test(arguments: 0..<4)
  func ditherKeepsTheMean(seed: Int) {
    var dice = Dice(seed: seed)
    for level in 0..<UInt32(256) {
      let block = Rect(x: dice.roll(-99...99), y: dice.roll(-99...99), width: 8, height: 8)
      var words = [UInt32](repeating: level << 16 | (255 - level) << 8 | level, count: 64)
      var span = words.mutableSpan
      PixelFormat.rgb565.compress(&span, of: block)
      PixelFormat.rgb565.expand(&span, width: 8, height: 8)
      for (shift, wanted, step) in [(0, level, 9.0), (8, 255 - level, 5), (16, level, 9)] {
        let sum = words.reduce(0) { $0 + ($1 >> UInt32(shift) & 255) }
        let error = abs(Double(sum) / 64 - Double(wanted))
        #expect(error <= step / 64, "\(level), \(shift): \(error)")
      }
    }
  }

  /// Parts of the screen that are drawn one after the other fit together.
  @Test(arguments: 0..<20)
  func ditherIsFixedToTheScreen(seed: Int) {
    var dice = Dice(seed: seed)
    let whole = Rect(x: dice.roll(-40...40), y: dice.roll(-40...40), width: 40, height: 30)
    let picture = Bitmap.noise(width: 40, height: 30, using: &dice)
    func onScreen(_ rect: Rect) -> Bitmap {
      var part = Bitmap(
        rect.translated(x: -whole.x, y: -whole.y), of: picture.pixels.span,
        PixelLayout(picture.bounds))
      var span = part.pixels.mutableSpan
      PixelFormat.rgb565.compress(&span, of: rect)
      PixelFormat.rgb565.expand(&span, width: rect.width, height: rect.height)
      return part
    }
    let part = dice.rect(in: whole)
    let cut = Bitmap(part, of: onScreen(whole).pixels.span, PixelLayout(whole))
    #expect(onScreen(part) == cut, "\(dice): \(part) of \(whole)")
  }

  @Test func colorsWithoutDitherKeepTheirUpperBits() {
    #expect(PixelFormat.bgrx8.pixel(0x80_8080) == 0x80_8080)
    #expect(PixelFormat.rgb565.pixel(0x80_8080) == 0x8410)
    #expect(PixelFormat.rgb30.pixel(0xff_0080) == 0x3ff0_0202)
  }
}

// MARK: Plain definitions

extension PixelFormat {
  fileprivate func randomValue(using dice: inout Dice) -> UInt32 {
    let value = UInt32(truncatingIfNeeded: dice.next())
    return self == .rgb565 ? value & 0xffff : value
  }

  /// An image of values, with padding at the end of odd rows of 16-bit values.
  fileprivate func image(
    _ values: [UInt32], width: Int, height: Int, padding: () -> UInt32 = { 0 }
  ) -> [UInt32] {
    if self != .rgb565 { return values }
    var words: [UInt32] = []
    for y in 0..<height {
      for x in stride(from: 0, to: width, by: 2) {
        let right = x + 1 < width ? values[y * width + x + 1] : padding()
        words.append(values[y * width + x] | right << 16)
      }
    }
    return words
  }

  /// The BGRX colour of a value; for BGRX the value itself.
  fileprivate func plainColor(of value: UInt32) -> UInt32 {
    switch self {
    case .bgrx8: return value
    case .rgb565:
      return Self.extended(value >> 11, 5) << 16 | Self.extended(value >> 5 & 63, 6) << 8
        | Self.extended(value & 31, 5)
    case .rgb30:
      return [20, 10, 0].reduce(0) { (color: UInt32, shift: UInt32) in
        let share = Double(value >> shift & 1023) / 1023
        return color << 8 | UInt32((share * 255).rounded())
      }
    }
  }

  /// The value of a BGRX colour at a place of the screen.
  fileprivate func plainValue(of color: UInt32, x: Int, y: Int) -> UInt32 {
    let (red, green, blue) = (color >> 16 & 255, color >> 8 & 255, color & 255)
    switch self {
    case .bgrx8: return color
    case .rgb565:
      return Self.dithered(red, 5, x, y) << 11 | Self.dithered(green, 6, x, y) << 5
        | Self.dithered(blue, 5, x, y)
    case .rgb30:
      return [red, green, blue].reduce(0) { $0 << 10 | $1 << 2 | $1 >> 6 }
    }
  }

  /// A value of 5 or 6 bits as 8 bits, the upper bits repeated.
  private static func extended(_ value: UInt32, _ bits: UInt32) -> UInt32 {
    value << (8 - bits) | value >> (2 * bits - 8)
  }

  /// The upper one of the two values next to a colour where its part of the step is above the threshold.
  private static func dithered(_ color: UInt32, _ bits: UInt32, _ x: Int, _ y: Int) -> UInt32 {
    let below = (0..<UInt32(1) << bits).last { extended($0, bits) <= color } ?? 0
    let rest = color - extended(below, bits)
    if rest == 0 { return below }
    let step = extended(below + 1, bits) - extended(below, bits)
    // Bayer's matrix, built from its 2x2 blocks.
    let threshold = (0..<3).reduce(0) { sum, bit in
      let (column, row) = (x >> bit & 1, y >> bit & 1)
      return sum * 4 + [[0, 2], [3, 1]][row][column]
    }
    return below + (Int((64 + step / 2) / step * rest) > threshold ? 1 : 0)
  }
}
