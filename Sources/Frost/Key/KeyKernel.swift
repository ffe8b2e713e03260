/// The arithmetic of `BackgroundKey`, four pixels at a time, with at most one level of error. The even 16-bit lanes of a vector
/// belong to blue or green, the odd ones to red or alpha.
struct KeyKernel {
  private let color: (even: Signed, odd: Signed)
  /// 2^22 / max(128, range) for pixels above and below the colour; 0 for alpha.
  private let above: (even: Signed, odd: Signed)
  private let below: (even: Signed, odd: Signed)
  /// In units of 2^-15.
  private let strength: Signed
  private let hasAlpha: Bool
  /// Four pixels of the background, and the bits of a pixel that count.
  private let background, mask: SIMD4<UInt32>

  init(_ key: BackgroundKey) {
    func level(_ shift: UInt32) -> Int { Int(key.color >> shift & 0xff) }
    func lanes(_ shift: UInt32, _ value: (Int) -> Int16, alpha: Int16) -> Signed {
      let next = shift == 0 ? value(level(16)) : alpha
      return Signed(repeating: value(level(shift)), and: next)
    }
    func factor(_ range: Int) -> Int16 { Int16(min(32767, (1 << 22) / max(128, range))) }
    color = (lanes(0, Int16.init, alpha: 0), lanes(8, Int16.init, alpha: 0))
    above = (lanes(0, { factor(255 - $0) }, alpha: 0), lanes(8, { factor(255 - $0) }, alpha: 0))
    below = (lanes(0, factor, alpha: 0), lanes(8, factor, alpha: 0))
    strength = Signed(repeating: Int16(min(32767, (max(0, key.strength) * 32768).rounded())))
    hasAlpha = key.hasAlpha
    mask = SIMD4(repeating: key.hasAlpha ? 0xffff_ffff : 0x00ff_ffff)
    background = SIMD4(repeating: key.hasAlpha ? key.color | 0xff00_0000 : key.color)
  }

  /// Draws a row. `weights` are those of the cells of `SurfaceCells`, in units of 2^-12; the second one belongs to the cell at whose
  /// pixel `offset` the row begins. Traps if a span is too short.
  @_lifetime(glass: copy glass)
  func draw(
    _ window: Span<UInt32>, at from: Int, weights: Span<Int16>, offset: Int,
    overGlass glass: inout MutableSpan<UInt32>, at to: Int, count: Int
  ) {
    precondition(offset >= 0 && (offset + count + 3) / 4 + 2 <= weights.count)
    precondition(from >= 0 && count >= 0 && from + count <= window.count)
    precondition(to >= 0 && to + count <= glass.count)
    let plain = plainShare(areCellsLargest: true)
    var x = 0
    while x < count {
      let cell = (offset &+ x) &>> 2 &+ 1
      let first = (offset &+ x) & 3
      let (left, own, right) = (weights[cell &- 1], weights[cell], weights[cell &+ 1])
      if first == 0, x &+ 4 <= count {
        let pixels: SIMD4<UInt32> = window.load(at: from &+ x)
        let below: SIMD4<UInt32> = glass.load(at: to &+ x)
        let isLargest = left & own & right == SurfaceCells.largest
        glass.store(
          isLargest && isPlain(pixels)
            ? plainResult(below, plain) : result(pixels, below, pixelWeights(left, own, right)),
          at: to &+ x)
        x &+= 4
      } else {
        let weights = pixelWeights(left, own, right)
        for i in first..<min(4, first &+ count &- x) {
          let weight = Signed(repeating: weights[2 &* i])
          draw(window[from &+ x], weight, overGlass: &glass, at: to &+ x)
          x &+= 1
        }
      }
    }
  }

  /// The weights of the four pixels of a cell, interpolated from those of the cell and its neighbours in units of 2^-12, in both
  /// lanes of each pixel, in units of 2^-15.
  @inline(__always)
  private func pixelWeights(_ left: Int16, _ own: Int16, _ right: Int16) -> Signed {
    Signed(repeating: left) &* Signed(3, 3, 1, 1, 0, 0, 0, 0)
      &+ Signed(repeating: own) &* Signed(5, 5, 7, 7, 7, 7, 5, 5)
      &+ Signed(repeating: right) &* Signed(0, 0, 0, 0, 1, 1, 3, 3)
  }

  /// Draws a row in which all pixels have the largest weight of cells, or the weight 1 if they have none.
  @_lifetime(glass: copy glass)
  func draw(
    _ window: Span<UInt32>, at from: Int, areCellsLargest: Bool,
    overGlass glass: inout MutableSpan<UInt32>, at to: Int, count: Int
  ) {
    precondition(from >= 0 && count >= 0 && from + count <= window.count)
    precondition(to >= 0 && to + count <= glass.count)
    let weight = areCellsLargest ? Signed(repeating: 8 * SurfaceCells.largest) : nil
    let plain = plainShare(areCellsLargest: areCellsLargest)
    var x = 0
    while x &+ 4 <= count {
      let pixels: SIMD4<UInt32> = window.load(at: from &+ x)
      let below: SIMD4<UInt32> = glass.load(at: to &+ x)
      glass.store(
        isPlain(pixels) ? plainResult(below, plain) : result(pixels, below, weight), at: to &+ x)
      x &+= 4
    }
    while x < count {
      draw(window[from &+ x], weight, overGlass: &glass, at: to &+ x)
      x &+= 1
    }
  }

  @inline(__always)
  @_lifetime(glass: copy glass)
  private func draw(
    _ pixel: UInt32, _ weight: Signed?, overGlass glass: inout MutableSpan<UInt32>, at to: Int
  ) {
    glass[to] = result(SIMD4(repeating: pixel), SIMD4(repeating: glass[to]), weight)[0]
  }

  // MARK: Pixels of the background

  /// Whether four pixels have exactly the colour of the background, as most pixels of a page or a terminal do.
  @inline(__always)
  private func isPlain(_ pixels: SIMD4<UInt32>) -> Bool {
    let difference = pixels & mask ^ background
    let halves = difference.lowHalf | difference.highHalf
    return halves[0] | halves[1] == 0
  }

  /// The share of glass of the background, as `result` computes it.
  private func plainShare(areCellsLargest: Bool) -> Signed {
    let weight = areCellsLargest ? Signed(repeating: 8 * SurfaceCells.largest) : nil
    return share(channels(background), background, weight) &<< 2
  }

  /// What `result` gives for pixels of the background. It is between the background and the glass, so nothing is clamped.
  @inline(__always)
  private func plainResult(_ glass: SIMD4<UInt32>, _ share: Signed) -> SIMD4<UInt32> {
    let below = channels(glass)
    let even = color.even &+ part(below.even &- color.even, share)
    let odd = color.odd &+ part(below.odd &- color.odd, share)
    let colors = unsafe unsafeBitCast(even | odd &<< 8, to: SIMD4<UInt32>.self) & 0x00ff_ffff
    return colors | 0xff00_0000
  }

  // MARK: Any pixels

  @inline(__always)
  private func result(
    _ window: SIMD4<UInt32>, _ glass: SIMD4<UInt32>, _ weight: Signed?
  ) -> SIMD4<UInt32> {
    let (own, below) = (channels(window), channels(glass))
    var share = share(own, window, weight)
    // In units of 2^-15, below 1.
    share = share &<< 2
    let even = mixed(own.even, below.even &- color.even, share)
    let odd = mixed(own.odd, below.odd &- color.odd, share)
    let colors = unsafe unsafeBitCast(even | odd &<< 8, to: SIMD4<UInt32>.self) & 0x00ff_ffff
    return colors | (hasAlpha ? window & 0xff00_0000 : SIMD4(repeating: 0xff00_0000))
  }

  @inline(__always)
  private func channels(_ pixels: SIMD4<UInt32>) -> (even: Signed, odd: Signed) {
    let lanes = unsafe unsafeBitCast(pixels, to: Signed.self)
    return (lanes & 0xff, lanes &>> 8 & 0xff)
  }

  /// The share of glass of each pixel, in both of its lanes, in units of 2^-13, below 1.
  @inline(__always)
  private func share(
    _ own: (even: Signed, odd: Signed), _ window: SIMD4<UInt32>, _ weight: Signed?
  ) -> Signed {
    let even = opacity(own.even &- color.even, above.even, below.even)
    let odd = opacity(own.odd &- color.odd, above.odd, below.odd)
    let pair = unsafe unsafeBitCast(larger(even, odd), to: SIMD4<UInt32>.self)
    let swapped = pair &<< 16 | pair &>> 16
    let alpha = unsafe larger(
      unsafeBitCast(pair, to: Signed.self), unsafeBitCast(swapped, to: Signed.self))
    var share = multiplyHigh((8192 &- alpha) &<< 1, strength)
    if let weight { share = multiplyHigh(share &<< 1, weight) }
    if hasAlpha { share = multiplyHigh(share &<< 1, opaqueShare(of: window)) }
    return share
  }

  /// |difference| / max(128, range), in units of 2^-13.
  @inline(__always)
  private func opacity(_ difference: Signed, _ above: Signed, _ below: Signed) -> Signed {
    let zero = Signed()
    return multiplyHigh(larger(difference, zero) &<< 7, above)
      &+ multiplyHigh(larger(zero &- difference, zero) &<< 7, below)
  }

  /// (2 alpha - 255) / 255, at least 0, in both lanes of each pixel, in units of 2^-15.
  @inline(__always)
  private func opaqueShare(of window: SIMD4<UInt32>) -> Signed {
    let alpha = window &>> 24
    let twice = unsafe unsafeBitCast(alpha | alpha &<< 16, to: Signed.self) &<< 1 &- 255
    let positive = larger(twice, Signed())
    return positive &<< 7 &+ positive &>> 1
  }

  /// The channels of the window with a share of the difference added, from 0 to 255.
  @inline(__always)
  private func mixed(_ own: Signed, _ difference: Signed, _ share: Signed) -> Signed {
    smaller(larger(own &+ part(difference, share), Signed()), Signed(repeating: 255))
  }

  /// A share of a difference, rounded.
  @inline(__always)
  private func part(_ difference: Signed, _ share: Signed) -> Signed {
    (multiplyHigh(difference &<< 7, share) &+ 32) &>> 6
  }
}
