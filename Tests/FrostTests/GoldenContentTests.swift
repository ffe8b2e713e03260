import Frost
import Glibc
import Panes
import Raster
import TestDice
import Testing

/// Compares whole pictures of panes with content, and of panes with all parts, with a float64
/// model.
@Suite struct GoldenContentTests {
  /// Bound: one rounding for the glass, and one for each item over it.
  @Test func plainContentEqualsModel() {
    for backdrop in Bitmap.smooth(width: 150, height: 110) {
      let recipe = pane(
        on: backdrop,
        [
          .init(picture: .icon(width: 40, height: 30), x: 10, y: 12, vibrancy: nil),
          .init(picture: .icon(width: 30, height: 40), x: 35, y: 20, vibrancy: nil),
          .init(picture: .icon(width: 30, height: 30), x: 80, y: 55, vibrancy: nil),
        ])
      expectGolden(recipe, within: 1.25, "plain")
    }
  }

  /// A shape is rounded once more than its glass. The veil is computed from the largest of many rounded pixels of glass,
  /// and then it, the ground and the letters of a text are rounded.
  @Test(arguments: Vibrancy.allCases, [Polarity.light, .dark])
  func vibrantContentEqualsModelOnEachPolarity(vibrancy: Vibrancy, polarity: Polarity) {
    for backdrop in Bitmap.smooth(width: 150, height: 110) {
      for tint in polarity.tints {
        var recipe = letters(vibrancy, on: backdrop)
        recipe.material.tone = Tone(saturation: 1.4, tint: tint)
        expectGolden(recipe, within: vibrancy.bound, "\(vibrancy), \(polarity)")
      }
    }
  }

  /// Along the letters, the glass changes from darker to brighter than their contrast allows.
  @Test(arguments: Vibrancy.allCases)
  func veilFollowsGlass(vibrancy: Vibrancy) {
    for dark in [12.0, 40] {
      let recipe = letters(vibrancy, on: .slope(width: 150, height: 110, from: dark))
      expectGolden(recipe, within: vibrancy.bound, "\(vibrancy), from \(dark)")
    }
  }

  private func letters(_ vibrancy: Vibrancy, on backdrop: Bitmap) -> PaneRecipe {
    let picture = Bitmap.letters(width: 50, height: 26)
    return pane(on: backdrop, [.init(picture: picture, x: 20, y: 18, vibrancy: vibrancy)])
  }

  /// The veil of a text is below the letters of another, in any order, and over shapes and pictures below a later text.
  @Test(arguments: [0.25, 0.8])
  func veilIsDrawnBelowAllTexts(white: Double) {
    for backdrop in Bitmap.smooth(width: 150, height: 110) {
      for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
        let items: [PaneRecipe.Item] = [
          .init(picture: .letters(width: 40, height: 16), x: 10, y: 10, vibrancy: .label),
          .init(picture: .letters(width: 40, height: 16), x: 14, y: 22, vibrancy: .secondary),
          .init(picture: .icon(width: 20, height: 20), x: 44, y: 14, vibrancy: nil),
          .init(picture: .letters(width: 30, height: 30), x: 50, y: 30, vibrancy: .fill),
          .init(picture: .letters(width: 30, height: 16), x: 60, y: 40, vibrancy: .quaternary),
        ]
        var recipe = pane(on: backdrop, order.map { items[$0] })
        recipe.material.tone = Tone(tint: Color(white: white, alpha: 0.7))
        expectGolden(recipe, within: 1.9, "\(order)")
      }
    }
  }

  // MARK: Everything

  /// The bound at an edge is that of a decoration alone: everything else is rounded less often
  /// there.
  @Test func paneWithAllPartsEqualsModel() {
    for backdrop in Bitmap.smooth(width: 150, height: 110) {
      expectGolden(everything(on: backdrop), within: 2.5, "everything")
    }
  }

  @Test func paneWithAllPartsOnDesktopEqualsModel() {
    var dice = Dice(seed: 620)
    let recipe = everything(on: .desktop(width: 150, height: 110, using: &dice))
    expectGolden(recipe, within: 2.5, psnr: 55, "\(dice): a desktop")
  }

  /// The pane alone: pixels around it are transparent.
  @Test func paneWithAllPartsOnTranslucentPictureEqualsModel() {
    for backdrop in Bitmap.smooth(width: 110, height: 80) {
      var recipe = everything(on: backdrop.translucent())
      recipe.isOpaque = false
      recipe.isAlone = true
      recipe.pane = backdrop.bounds
      expectGolden(recipe, within: 1.5, "translucent")
    }
  }

  private func pane(on backdrop: Bitmap, _ items: [PaneRecipe.Item]) -> PaneRecipe {
    PaneRecipe(
      backdrop: backdrop, pane: Rect(x: 19, y: 15, width: 110, height: 80),
      material: Material(sigma: 6, isDithered: false), items: items)
  }

  private func everything(on backdrop: Bitmap) -> PaneRecipe {
    var recipe = pane(
      on: backdrop,
      [
        .init(picture: .icon(width: 60, height: 40), x: -8, y: -6, vibrancy: nil),
        .init(picture: .letters(width: 40, height: 20), x: 8, y: 26, vibrancy: .label),
        .init(picture: .letters(width: 30, height: 20), x: 12, y: 44, vibrancy: .tertiary),
        .init(picture: .letters(width: 50, height: 30), x: 66, y: 54, vibrancy: .separator),
        .init(picture: .letters(width: 30, height: 16), x: 76, y: 8, vibrancy: .secondary),
      ])
    recipe.material.tone = Tone(saturation: 1.8, tint: Color(white: 0.11, alpha: 0.6))
    recipe.style = DecorationStyle(
      corner: Corner(radius: 14, curve: .continuous),
      border: Border(width: 1.5, color: Color(white: 1, alpha: 0.5)),
      shadow: Shadow(offsetX: 4, offsetY: 8, radius: 14, opacity: 0.6, color: Color(white: 0)))
    return recipe
  }
}

extension Vibrancy {
  /// The largest error in levels.
  fileprivate var bound: Double {
    [.label, .secondary, .tertiary, .quaternary].contains(self) ? 1.6 : 1.1
  }
}

extension Polarity {
  /// Tints of glass for which it is the right polarity.
  fileprivate var tints: [Color] {
    switch self {
    case .light: [Color(white: 0, alpha: 0.7), Color(white: 0.3, alpha: 0.8)]
    case .dark: [Color(white: 1, alpha: 0.6), Color(white: 0.6, alpha: 0.8)]
    }
  }
}

extension Bitmap {
  /// A white ring, bar and hairline with antialiased edges.
  fileprivate static func letters(width: Int, height: Int) -> Bitmap {
    let middle = Double(height) / 2
    return Bitmap(width: width, height: height) { x, y in
      let (x, y) = (Double(x) + 0.5, Double(y) + 0.5)
      let square = (x - middle) * (x - middle) + (y - middle) * (y - middle)
      let ring = 2 - abs(square.squareRoot() - 0.65 * middle)
      let bar = 2 - abs(x - 2.2 * middle)
      let hairline = x > 2.5 * middle && abs(y - 0.8 * middle) < 0.5 ? 0.45 : 0
      let isInside = x > 1 && y > 1 && y < 2 * middle - 1
      return (isInside ? min(1, max(0, ring, bar, hairline)) : 0, [1, 1, 1])
    }
  }

  /// Colours with increasing opacity to the right.
  fileprivate static func icon(width: Int, height: Int) -> Bitmap {
    Bitmap(width: width, height: height) { x, y in
      let (right, down) = (Double(x) / Double(width - 1), Double(y) / Double(height - 1))
      return (0.1 + 0.9 * right, [down, (x / 5 + y / 5) % 2 == 0 ? 1 : 0.2, 1 - down])
    }
  }

  /// From dark to bright, slightly blue at the left and reddish at the right.
  fileprivate static func slope(width: Int, height: Int, from dark: Double) -> Bitmap {
    Bitmap(width: width, height: height) { x, y in
      let level = dark + 1.4 * Double(x)
      return (1, [level + 8, level, level - 8 + 0.16 * Double(y)].map { min(1, $0 / 255) })
    }
  }

  fileprivate func translucent() -> Bitmap {
    Bitmap(width: width, height: height) { x, y in
      let alpha = 0.4 + 0.5 * Double(x) / Double(width)
      return (alpha, [0, 8, 16].map { Double(self[x, y] >> $0 & 255) / 255 })
    }
  }

  private init(
    width: Int, height: Int,
    _ pixel: (_ x: Int, _ y: Int) -> (alpha: Double, color: [Double])
  ) {
    self.init(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let (alpha, color) = pixel(x, y)
        let alphaLevel = (255 * alpha).rounded()
        self[x, y] = color.reversed().reduce(UInt32(alphaLevel)) {
          $0 << 8 | UInt32((alphaLevel * $1).rounded())
        }
      }
    }
  }
}
