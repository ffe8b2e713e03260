import Frost
import Panes
import Raster
import TestDice
import Testing

/// A row of the table of named materials, written a second time.
private struct Recipe: CustomStringConvertible {
  var name: String
  var sigma: Double
  var model: ToneModel
  var description: String { name }

  init(
    _ name: String, _ sigma: Double, saturation: Double = 1, _ layers: (String, UInt32, Double)...
  ) {
    self.name = name
    self.sigma = sigma
    model = ToneModel(
      saturation: saturation,
      layers: layers.map { mode, hex, opacity in
        (mode, [16, 8, 0].map { Double(hex >> UInt32($0) & 255) / 255 }, opacity)
      })
  }
}

private let recipes = [
  Recipe("glass-light", 30, saturation: 1.8, ("normal", 0xFFFFFF, 0.6)),
  Recipe("glass-dark", 30, saturation: 1.8, ("normal", 0x1C1C1E, 0.6)),
  Recipe("clear", 30, saturation: 1.5),
  Recipe("light", 30, saturation: 1.8, ("normal", 0xFFFFFF, 0.3)),
  Recipe("extra-light", 20, saturation: 1.8, ("normal", 0xF7F7F7, 0.82)),
  Recipe("dark", 20, saturation: 1.8, ("normal", 0x1C1C1C, 0.73)),
  Recipe("tint #2060C0", 10, saturation: -1, ("normal", 0x2060C0, 0.6)),
  Recipe("tint #2060C033", 10, saturation: -1, ("normal", 0x2060C0, 0.2)),
  Recipe("ultra-thin-light", 24, ("normal", 0xBFBFBF, 0.44), ("color-dodge", 0x0D0D0D, 1)),
  Recipe("ultra-thin-dark", 24, ("normal", 0x252525, 0.55), ("overlay", 0x9C9C9C, 1)),
  Recipe("thin-light", 24, ("normal", 0xA6A6A6, 0.70), ("color-dodge", 0x333333, 1)),
  Recipe("thin-dark", 24, ("normal", 0x252525, 0.70), ("overlay", 0x9C9C9C, 1)),
  Recipe("regular-light", 24, ("normal", 0xB3B3B3, 0.82), ("color-dodge", 0x383838, 1)),
  Recipe("regular-dark", 24, ("normal", 0x252525, 0.82), ("overlay", 0x8C8C8C, 1)),
  Recipe("thick-light", 24, ("normal", 0x999999, 0.97), ("color-dodge", 0x5C5C5C, 1)),
  Recipe("thick-dark", 24, ("normal", 0x252525, 0.90), ("overlay", 0x7C7C7C, 1)),
  Recipe(
    "acrylic", 30, saturation: 1.25, ("luminosity", 0xF6F6F6, 0.854), ("normal", 0xFFFFFF, 0.36)),
  Recipe("acrylic-light", 30, saturation: 1.25, ("luminosity", 0xFCFCFC, 0.85)),
  Recipe(
    "acrylic-dark", 30, saturation: 1.25, ("luminosity", 0x2C2C2C, 0.96),
    ("normal", 0x2C2C2C, 0.15)),
  // A saturation of .67 leaves the whole factor, .9.
  Recipe(
    "mica #204060", 30, saturation: 1.25, ("luminosity", 0x204060, 0.854),
    ("normal", 0x204060, 0.72)),
  Recipe(
    "mica-light", 30, saturation: 1.25, ("luminosity", 0xF3F3F3, 1), ("normal", 0xF3F3F3, 0.5)),
  Recipe(
    "mica-dark", 30, saturation: 1.25, ("luminosity", 0x202020, 1), ("normal", 0x202020, 0.8)),
]

@Suite struct MaterialModelTests {
  @Test func allNamedMaterialsAreInTheTable() {
    let names = Swift.Set(recipes.map { $0.name.split(separator: " ").first.map(String.init) })
    #expect(names == Swift.Set(NamedMaterial.all.map(\.name)))
    #expect(NamedMaterial.all.count == names.count)
  }

  /// On flat colours, including black, white and pure colours, the blur has no error, so this is
  /// the error of the tone.
  @Test(arguments: recipes)
  private func namedMaterialEqualsItsRecipe(recipe: Recipe) throws {
    var dice = Dice(seed: 40)
    let material = try exactMaterial(recipe.name)
    #expect(material.sigma == recipe.sigma, "\(dice)")
    for round in 0..<400 {
      // The first eight are the corners of the colour cube.
      let corner = [0, 1, 2].reduce(0) { (color: UInt32, axis: Int) in
        color << 8 | (round >> axis & 1 == 1 ? 255 : 0)
      }
      let colour = round < 8 ? corner : UInt32(truncatingIfNeeded: dice.next())
      let picture = Bitmap(width: 3, height: 2, filledWith: colour | 0xff00_0000)
      let error = deviation(of: material, on: picture, recipe.model).largest
      #expect(error <= 1, "\(dice): \(recipe.name): \(colour) \(error)")
    }
  }

  /// On pictures the error is that of the blur, except between cells of which the tone is clamped
  /// or not linear. The bounds are slightly above the largest errors of 16 seeds. The worst picture
  /// that was found is small, with every hue, black, white and hard edges.
  @Test(arguments: recipes)
  private func namedMaterialIsAccurateOnPictures(recipe: Recipe) throws {
    var dice = Dice(seed: 42)
    let material = try exactMaterial(recipe.name)
    let desktop = Bitmap.desktop(width: 320, height: 240, using: &dice)
    let error = deviation(of: material, on: desktop, recipe.model)
    // Below a nearly white luminosity layer colours that differ little from gray are amplified, and so
    // is the error of the blur.
    let bound = recipe.model.layers.contains { $0.mode == "luminosity" } ? 3.5 : 2
    #expect(error.psnr >= 55 && error.largest <= bound, "\(dice): \(recipe.name): \(error)")
    let hard = deviation(of: material, on: .hues(width: 300, height: 200), recipe.model)
    #expect(hard.psnr >= 54 && hard.largest <= bound, "\(dice): \(recipe.name): \(hard)")
  }

  private func exactMaterial(_ name: String) throws -> Material {
    var material = try MaterialChoice(parsing: name).material
    (material.noise, material.isDithered) = (0, false)
    return material
  }

  /// The same for random tones on flat colours.
  @Test func randomToneEqualsModel() {
    var dice = Dice(seed: 41)
    for round in 0..<300 {
      let tone = Tone.random(using: &dice)
      let colour = UInt32(truncatingIfNeeded: dice.next()) | 0xff00_0000
      let picture = Bitmap(width: 21, height: 9, filledWith: colour)
      let material = Material(sigma: 6, tone: tone, isDithered: false)
      let error = deviation(of: material, on: picture, ToneModel(tone)).largest
      #expect(error <= 1, "\(dice): round \(round): \(error), \(tone)")
    }
  }

  private func deviation(
    of material: Material, on picture: Bitmap, _ model: ToneModel
  ) -> Deviation {
    let blurred = gaussian(picture, sigma: material.sigma)
    let right = stride(from: 0, to: blurred.count, by: 3).flatMap { i in
      model.toned(blurred[i..<i + 3].map { $0 / 255 }).map { 255 * $0 }
    }
    return FrostTests.deviation(of: frosted(picture, material: material), from: right)
  }
}

extension Bitmap {
  /// All hues from left to right, from white at the top to black at the bottom, with stripes.
  fileprivate static func hues(width: Int, height: Int) -> Bitmap {
    var picture = Bitmap(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let hue = 6 * Double(x) / Double(width)
        let light = (x + y) / 30 % 4 == 0 ? 1 : 2 - 2 * Double(y) / Double(height)
        let pure = [abs(hue - 3) - 1, 2 - abs(hue - 2), 2 - abs(hue - 4)]
        picture[x, y] = pure.reduce(0xff) { color, channel in
          let base = min(max(channel, 0), 1)
          let value = light > 1 ? base + (1 - base) * (light - 1) : base * light
          return color << 8 | UInt32((255 * value).rounded())
        }
      }
    }
    return picture
  }
}
