/// The veil below texts in float64, from the opacity that each pixel needs: the largest needs of blocks of 8x8 pixels
/// with a margin, each surrounded by a paraboloid, filtered and interpolated.
struct VeilModel {
  private let origin: (x: Int, y: Int)
  private var blocks: [Block: Double] = [:]

  private struct Block: Hashable {
    var x, y: Int
  }

  /// `needs` calls its parameter with the position and the need of each pixel that must contrast with a text. Blocks
  /// start at `origin`.
  init(
    from origin: (x: Int, y: Int),
    needs: ((_ x: Int, _ y: Int, _ need: Double) -> Void) -> Void
  ) {
    self.origin = origin
    var greatest: [Block: Double] = [:]
    needs { x, y, need in
      if need == 0 { return }
      func block(_ distance: Int) -> Int {
        Int((Double(distance) / 8).rounded(.down))
      }
      greatest[Block(x: block(x - origin.x), y: block(y - origin.y)), default: 0].raise(to: need)
    }
    var dilated: [Block: Double] = [:]
    for (block, need) in greatest {
      for y in -12...12 {
        for x in -12...12 {
          let height = need + min(0.04, 4 * need) - 0.01024 * Double(x * x + y * y)
          if height <= 0 { continue }
          dilated[Block(x: block.x + x, y: block.y + y), default: 0].raise(to: height)
        }
      }
    }
    let taps = [1.0, 4, 6, 4, 1]
    for (block, height) in dilated {
      for y in -2...2 {
        for x in -2...2 {
          let share = taps[x + 2] * taps[y + 2] / 256
          blocks[Block(x: block.x + x, y: block.y + y), default: 0] += share * height
        }
      }
    }
  }

  /// The opacity at a pixel.
  subscript(x: Int, y: Int) -> Double {
    func position(_ distance: Int) -> (Int, Double) {
      let center = (Double(distance) + 0.5) / 8 - 0.5
      return (Int(center.rounded(.down)), center - center.rounded(.down))
    }
    let (left, right) = position(x - origin.x)
    let (top, bottom) = position(y - origin.y)
    func value(_ x: Int, _ y: Int) -> Double { blocks[Block(x: x, y: y)] ?? 0 }
    let above = value(left, top) * (1 - right) + value(left + 1, top) * right
    let below = value(left, top + 1) * (1 - right) + value(left + 1, top + 1) * right
    return min(1, above * (1 - bottom) + below * bottom)
  }
}

extension Double {
  fileprivate mutating func raise(to value: Double) { self = max(self, value) }
}
