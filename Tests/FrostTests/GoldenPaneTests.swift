import Frost
import Glibc
import Panes
import Raster
import TestDice
import Testing

/// Compares whole pictures of panes, glass and decoration, with a float64 model.
///
/// Without dither each rounding to 8 bits has an error of up to half a level. On these backdrops
/// without hard edges all other errors of the glass are smaller. The bounds are slightly above the
/// largest errors of 16 other seeds.
@Suite struct GoldenPaneTests {
  /// The glass is rounded once. At an edge, where a wave and its mirror image form a bend, the
  /// error of the blur is 0.36.
  @Test(arguments: [0, 0.7, 2, 3.4, 5, 6.3, 8, 12, 20, 40, 90])
  func blurIsGaussianOfTheMirroredBackdrop(sigma: Double) {
    for backdrop in Bitmap.smooth(width: 170, height: 130, waves: 100) {
      var recipe = PaneRecipe(backdrop: backdrop, pane: Rect(x: 31, y: 22, width: 90, height: 71))
      recipe.material.sigma = sigma
      let blurred = recipe.blurred()
      expectGolden(recipe, recipe.golden(of: blurred), within: 0.7, "sigma \(sigma)")
      recipe.pane = backdrop.bounds
      expectGolden(recipe, recipe.golden(of: blurred), within: 1, "sigma \(sigma), all of it")
    }
  }

  // MARK: Materials

  @Test func namedMaterialsEqualTheirTable() throws {
    let names = Swift.Set(materials.map { $0.name.prefix { $0 != " " } })
    #expect(names == Swift.Set(NamedMaterial.all.map { $0.name[...] }))
    for backdrop in Bitmap.smooth(width: 250, height: 243) {
      var blurred: [Double: GoldenPicture] = [:]
      for (name, wanted) in materials {
        var recipe = PaneRecipe(
          backdrop: backdrop, pane: Rect(x: 37, y: 45, width: 101, height: 83), material: wanted)
        let through = blurred[wanted.sigma] ?? recipe.blurred()
        blurred[wanted.sigma] = through
        let golden = recipe.golden(of: through)
        recipe.material = try MaterialChoice(parsing: name).material
        recipe.material.isDithered = false
        let bound = wanted.tone.bound + (wanted.noise > 0 ? 127.5 * wanted.noise + 0.5 : 0)
        expectGolden(recipe, golden, within: bound, name)
        recipe.material.noise = 0
        expectGolden(recipe, golden, within: wanted.tone.bound, name)
      }
    }
  }

  @Test(arguments: userMade)
  private func toneAppliesItsPartsInOrder(tone: Tone) {
    for backdrop in Bitmap.smooth(width: 150, height: 120) {
      for sigma in [0, 5, 14.0] {
        let recipe = PaneRecipe(
          backdrop: backdrop, pane: Rect(x: 20, y: 14, width: 91, height: 80),
          material: Material(sigma: sigma, tone: tone, isDithered: false))
        expectGolden(recipe, within: tone.bound, "\(tone)")
      }
    }
  }

  /// Each 8x8 block of noise has the sum 0, and the pane consists of whole blocks. Noise is rounded to whole
  /// levels.
  @Test(arguments: [0.02, 0.05, 0.1])
  func noiseIsBoundedAndHasMeanZero(amplitude: Double) {
    for backdrop in Bitmap.smooth(width: 150, height: 120) {
      var recipe = PaneRecipe(backdrop: backdrop, pane: Rect(x: 24, y: 16, width: 96, height: 80))
      recipe.material.sigma = 14
      let golden = recipe.golden()
      recipe.material.noise = amplitude
      expectGolden(recipe, golden, within: 127.5 * amplitude + 0.5 + 0.65, "noise \(amplitude)")
      let painted = recipe.painted()
      var sum = 0.0
      for y in recipe.pane.rows {
        for x in recipe.pane.columns { sum += Double(painted[x, y] >> 8 & 255) - golden[x, y].y }
      }
      #expect(abs(sum) <= 0.03 * Double(recipe.pane.area))
    }
  }

  /// At hard edges the error of a blur may be 3 levels.
  @Test(arguments: ["light", "thick-dark"])
  func materialOnDesktopIsAsAccurateAsItsBlur(name: String) throws {
    var dice = Dice(seed: 600)
    var material = try MaterialChoice(parsing: name).material
    material.isDithered = false
    let recipe = PaneRecipe(
      backdrop: .desktop(width: 320, height: 250, using: &dice),
      pane: Rect(x: 40, y: 30, width: 230, height: 170), material: material,
      style: DecorationStyle(
        corner: Corner(radius: 24, curve: .continuous),
        border: Border(width: 1.5, color: .white(1, 0.4)), shadow: .outerView))
    expectGolden(recipe, within: 2.5, psnr: 55, "\(dice): \(name)")
  }

  // MARK: Decoration

  /// Glass, border, cut and shadow are each rounded, and so are the composition and the alphas of
  /// cut and shadow: 2.5 levels if all errors add up. The largest error of 16 seeds is 2.15.
  private let edgeBound = 2.5

  @Test(arguments: corners)
  private func backdropIsVisibleAtRoundedCorners(corner: Corner) {
    for recipe in recipes(DecorationStyle(corner: corner)) {
      expectGolden(recipe, within: edgeBound, "\(corner)")
    }
  }

  @Test(arguments: corners, [0.5, 1.7, 4])
  private func borderIsInsideTheOutline(corner: Corner, width: Double) {
    for (color, index) in [(Color.white(1, 0.35), 0), (.hex(0xFF3300), 1)] {
      let style = DecorationStyle(corner: corner, border: Border(width: width, color: color))
      expectGolden(recipes(style)[index], within: edgeBound, "\(width), \(corner)")
    }
  }

  @Test(arguments: shadows)
  private func shadowIsAroundThePaneOnly(shadow: Shadow) {
    for (i, corner) in corners.prefix(3).enumerated() {
      let style = DecorationStyle(corner: corner, shadow: shadow)
      expectGolden(recipes(style)[i], within: edgeBound, "\(shadow), \(corner)")
    }
  }

  /// A decoration that is too large is reduced, and the curve is between that of iOS and a circle.
  @Test func smallPaneHasAllDecoration() {
    let style = DecorationStyle(
      corner: Corner(radius: 11, curve: .continuous),
      border: Border(width: 1.2, color: .white(1, 0.6)), shadow: .maps)
    for (width, height) in [(40, 26), (25, 33), (9, 4), (1, 1)] {
      var recipe = recipes(style)[0]
      recipe.pane = Rect(x: 60, y: 50, width: width, height: height)
      expectGolden(recipe, within: edgeBound, "\(width)x\(height)")
    }
  }

  /// Only the edges and corners inside the backdrop are visible.
  @Test(arguments: [(-30, 30), (125, 30), (30, -20), (30, 110), (-40, -30), (139, 127)])
  func paneMayExtendBeyondTheBackdrop(x: Int, y: Int) {
    let style = DecorationStyle(
      corner: Corner(radius: 16), border: Border(width: 2, color: .white(1, 0.5)),
      shadow: .outerView)
    for var recipe in recipes(style) {
      recipe.pane = Rect(x: x, y: y, width: 97, height: 71)
      expectGolden(recipe, within: edgeBound, "\(x), \(y)")
    }
  }

  /// A dark pane on each backdrop.
  private func recipes(_ style: DecorationStyle) -> [PaneRecipe] {
    let tone = Tone(saturation: 1.6, tint: .white(0.11, 0.5))
    return Bitmap.smooth(width: 190, height: 160).map { backdrop in
      PaneRecipe(
        backdrop: backdrop, pane: Rect(x: 51, y: 47, width: 87, height: 61),
        material: Material(sigma: 7, tone: tone, isDithered: false), style: style)
    }
  }
}

extension Tone {
  /// The largest error in levels. Saturation and tint are one matrix and rounded once with the
  /// glass. Other layers are not linear, so interpolating after them between cells adds an error.
  fileprivate var bound: Double {
    layers.allSatisfy { $0.mode == .normal } ? 0.65 : 1.5
  }
}

// MARK: Recipes

/// The table of the named materials, written a second time.
private let materials: [(name: String, wanted: Material)] = [
  ("glass-light", made(30, 1.8, tint: .white(1, 0.6))),
  ("glass-dark", made(30, 1.8, tint: .hex(0x1C1C1E, 0.6))),
  ("clear", made(30, 1.5, tint: .none)),
  ("light", made(30, 1.8, tint: .white(1, 0.3))),
  ("extra-light", made(20, 1.8, tint: .white(0.97, 0.82))),
  ("dark", made(20, 1.8, tint: .white(0.11, 0.73))),
  ("tint #2060C0", made(10, -1, tint: .hex(0x2060C0, 0.6))),
  ("ultra-thin-light", system(.hex(0xBFBFBF, 0.44), .colorDodge, .hex(0x0D0D0D))),
  ("ultra-thin-dark", system(.hex(0x252525, 0.55), .overlay, .hex(0x9C9C9C))),
  ("thin-light", system(.hex(0xA6A6A6, 0.7), .colorDodge, .hex(0x333333))),
  ("thin-dark", system(.hex(0x252525, 0.7), .overlay, .hex(0x9C9C9C))),
  ("regular-light", system(.hex(0xB3B3B3, 0.82), .colorDodge, .hex(0x383838))),
  ("regular-dark", system(.hex(0x252525, 0.82), .overlay, .hex(0x8C8C8C))),
  ("thick-light", system(.hex(0x999999, 0.97), .colorDodge, .hex(0x5C5C5C))),
  ("thick-dark", system(.hex(0x252525, 0.9), .overlay, .hex(0x7C7C7C))),
  ("acrylic", acrylic(.white(0.965, 0.854), tint: .white(1, 0.36))),
  ("acrylic #101010", acrylic(.hex(0x202020, 0.854), tint: .hex(0x101010, 0.685))),
  ("acrylic-light", acrylic(.hex(0xFCFCFC, 0.85), tint: .none)),
  ("acrylic-dark", acrylic(.hex(0x2C2C2C, 0.96), tint: .hex(0x2C2C2C, 0.15))),
  ("mica #204060", acrylic(.hex(0x204060, 0.854), tint: .hex(0x204060, 0.72))),
  ("mica-light", acrylic(.hex(0xF3F3F3), tint: .hex(0xF3F3F3, 0.5))),
  ("mica-dark", acrylic(.hex(0x202020), tint: .hex(0x202020, 0.8))),
]

/// A tint and a layer on top of it.
private func system(_ tint: Color, _ mode: BlendMode, _ layer: Color) -> Material {
  Material(
    sigma: 24, tone: Tone(layers: [Layer(.normal, tint), Layer(mode, layer)]), isDithered: false)
}

private func acrylic(_ luminosity: Color, tint: Color) -> Material {
  made(30, 1.25, .luminosity, luminosity, tint: tint, noise: 0.02)
}

private func made(
  _ sigma: Double, _ saturation: Double, _ mode: BlendMode? = nil, _ layer: Color = .none,
  tint: Color, noise: Double = 0
) -> Material {
  Material(
    sigma: sigma,
    tone: Tone(saturation: saturation, layers: mode.map { [Layer($0, layer)] } ?? [], tint: tint),
    noise: noise, isDithered: false)
}

extension Color {
  fileprivate static func white(_ white: Double, _ alpha: Double) -> Color {
    Color(white: white, alpha: alpha)
  }

  fileprivate static func hex(_ hex: UInt32, _ alpha: Double = 1) -> Color {
    Color(hex: hex, alpha: alpha)
  }
}

private let userMade: [Tone] = [
  Tone(saturation: 2), Tone(saturation: 0), Tone(saturation: -1), Tone(brightness: 0.15),
  Tone(brightness: -0.12), Tone(contrast: 1.3), Tone(contrast: 0.4, brightness: 0.2),
  Tone(tint: .hex(0xC02060, 0.5)),
  Tone(saturation: 1.4, contrast: 1.1, brightness: -0.05, tint: .hex(0x102030, 0.3)),
  Tone(layers: [Layer(.normal, .hex(0x4080C0, 0.4))], tint: .white(1, 0.2)),
  Tone(layers: [Layer(.overlay, .hex(0x4080C0))]),
  Tone(layers: [Layer(.colorDodge, .hex(0x404020, 0.7))]),
  Tone(saturation: 1.5, layers: [Layer(.luminosity, .hex(0x808080, 0.8))]),
  Tone(
    saturation: 1.2,
    layers: [
      Layer(.normal, .hex(0x806040, 0.3)), Layer(.overlay, .hex(0x707070)),
      Layer(.luminosity, .hex(0xA0A0A0, 0.5)),
    ], tint: .hex(0x204060, 0.25)),
]

private let corners = [
  Corner(radius: 12), Corner(radius: 15, curve: .continuous), .square,
  Corner(radius: 3.5, curve: .continuous), Corner(radius: 99),
]

private let shadows = [
  .maps, .outerView, .roundedView,
  Shadow(radius: 0, color: .hex(0x204080, 0.5)),
  Shadow(offsetX: 20, offsetY: -13, radius: 9, color: .hex(0xFF4000)),
  Shadow(offsetX: -30, offsetY: 30, radius: 30, opacity: 0.6, color: .white(0, 1)),
  Shadow(offsetX: 3, offsetY: 0, radius: 1.3, opacity: 0.9, color: .white(1, 0.8)),
]

// MARK: Pictures

/// Expects the painted picture to equal `golden`, which is that of the recipe if nil, within a
/// largest error in levels and a PSNR in dB.
func expectGolden(
  _ recipe: PaneRecipe, _ golden: GoldenPicture? = nil, within bound: Double,
  psnr: Double = 0, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let error = GoldenError(recipe.painted(), from: golden ?? recipe.golden())
  #expect(
    error.worst <= bound && error.psnr >= psnr, "\(what): \(error)",
    sourceLocation: sourceLocation)
}

extension PaneRecipe {
  /// The picture that the program paints.
  func painted() -> Bitmap {
    let pane = PaintedPane(
      material: material, style: style,
      contents: items.map { Content($0.picture, x: $0.x, y: $0.y, vibrancy: $0.vibrancy) })
    if !isAlone { return pane.painted(on: backdrop, isOpaque: isOpaque, self.pane) }
    precondition(self.pane == backdrop.bounds)
    let painted = pane.painted(of: backdrop, isOpaque: isOpaque)
    let target = Decoration(style, width: backdrop.width, height: backdrop.height)
      .bounds(of: self.pane)
    var whole = Bitmap(width: bounds.width, height: bounds.height)
    for y in target.rows {
      for x in target.columns {
        whole[x - bounds.x, y - bounds.y] = painted[x - target.x, y - target.y]
      }
    }
    return whole
  }
}

extension Bitmap {
  /// Backdrops without hard edges, in muted colours that a saturation of 2 does not clamp.
  static func smooth(width: Int, height: Int, waves length: Double = 200) -> [Bitmap] {
    let gradient = Bitmap(width: width, height: height) { x, y in
      let (right, down) = (Double(x) / Double(width), Double(y) / Double(height))
      return [170 - 90 * down, 80 + 70 * right, 90 + 50 * down + 30 * right]
    }
    return [
      waves(of: length, width: width, height: height, seed: 610), gradient,
      Bitmap(width: width, height: height, filledWith: 0xff98_6a50),
    ]
  }

  /// Random waves of at least `length` pixels.
  private static func waves(of length: Double, width: Int, height: Int, seed: Int) -> Bitmap {
    var dice = Dice(seed: seed)
    func wave(_ amplitude: Double) -> (Int, Int) -> Double {
      let length = Double.random(in: length...2 * length, using: &dice)
      let angle = Double.random(in: 0...2 * .pi, using: &dice)
      let phase = Double.random(in: 0...2 * .pi, using: &dice)
      return { x, y in
        let distance = Double(x) * cos(angle) + Double(y) * sin(angle)
        return amplitude * cos(2 * .pi * distance / length + phase)
      }
    }
    let grays = [wave(35), wave(15)]
    let channels = [wave(26), wave(26), wave(26)]
    return Bitmap(width: width, height: height) { x, y in
      let light = 125 + grays[0](x, y) + grays[1](x, y)
      return channels.map { light + $0(x, y) }
    }
  }

  /// An opaque picture with the levels of blue, green and red.
  private init(width: Int, height: Int, _ levels: (_ x: Int, _ y: Int) -> [Double]) {
    self.init(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        self[x, y] = levels(x, y).reversed().reduce(0xff) { $0 << 8 | UInt32($1.rounded()) }
      }
    }
  }
}
