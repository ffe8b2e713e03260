import Glibc
import TestDice
import Testing

@testable import Frost

/// Shadows are blurred at some pixels only, and interpolated between them.
struct ShadowBlurTests {
  @Test(arguments: 0..<20)
  func sampledBlurEqualsTheWholeSum(seed: Int) {
    var dice = Dice(seed: seed)
    let sigma = dice.roll(0...2) == 0 ? Double(dice.roll(0...8)) / 4 : Double(dice.roll(1...100))
    let side = dice.roll(1...40)
    let corner = (0..<side * side).map { _ in Double(dice.roll(0...255)) / 255 }
    // Symmetric about the diagonal.
    let square = (0..<side * side).map {
      (corner[$0] + corner[$0 % side * side + $0 / side]) / 2
    }
    let blur = ShadowBlur(sigma: sigma)
    let wide = side + 2 * blur.radius
    let blurred = blur.blurred(square, side: side)
    #expect(blurred.count == wide * wide)
    for _ in 0..<200 {
      let (x, y) = (dice.roll(0...wide - 1), dice.roll(0...wide - 1))
      var sum = 0.0
      for row in 0..<side {
        for column in 0..<side {
          let (right, down) = (abs(x - blur.radius - column), abs(y - blur.radius - row))
          if right > blur.radius || down > blur.radius { continue }
          sum += blur.weights[right] * blur.weights[down] * square[row * side + column]
        }
      }
      #expect(abs(blurred[y * wide + x] - sum) < 1e-4, "sigma \(sigma), side \(side)")
    }
  }

  /// The largest shadow takes little memory.
  @Test func patchOfTheLargestCornerIsSmall() {
    let shadow = Shadow(radius: 200, color: Color(white: 0))
    let corner = Corner(radius: 1024, curve: .continuous)
    let patch = ShadowPatch(shadow, corner: corner, width: 9000, height: 9000)
    #expect(patch.byteCount < 90_000_000)
  }
}
