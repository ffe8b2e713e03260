/// The colour of glass that something else blurs: laid over a blurred backdrop, it looks like a tone of it.
///
/// A sheet over a backdrop is affine: colour + (1 - alpha) * backdrop. It equals the tone for black and, in the mean of the
/// three channels, for white. A tone that is one layer of colour is that layer.
struct SheetColor: Equatable {
  /// Premultiplied BGRA.
  let pixel: UInt32

  init(of tone: ToneSteps) {
    let full = UInt16(Plane.full)
    // Blue and red of a black and a white pixel, then green and alpha.
    var values: [UInt16] = [0, 0, full, full, 0, full, full, full]
    var span = values.mutableSpan
    tone.apply(to: &span, at: 0, pitch: 4, cellCount: 2)
    let black = [values[0], values[4], values[1]].map(Int.init)
    let white = [values[2], values[6], values[3]].map(Int.init)
    let slope = zip(black, white).reduce(0) { $0 + max(0, $1.1 - $1.0) } / 3
    let alpha = Int(full) - min(slope, Int(full))
    /// Rounds a value with 6 fraction bits.
    func byte(_ value: Int) -> UInt32 { UInt32((value + 32) >> 6) }
    pixel =
      black.enumerated().reduce(byte(alpha) << 24) {
        $0 | byte(min($1.element, alpha)) << (8 * UInt32($1.offset))
      }
  }
}
