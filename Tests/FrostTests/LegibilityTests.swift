@testable import Frost
import Panes
import Raster
import TestDice
import Testing

@Suite struct LegibilityTests {
  /// Compares the text on any glass with the ground of any other glass. So a label is readable on
  /// noise and on edges.
  @Test func labelIsReadableOnTheWorstGlass() throws {
    let ink = try #require(Vibrancy.label.ink)
    let light = extremes(of: ink, .light)
    #expect(contrast(light.text.least, light.ground.most) >= 4.5)
    let dark = extremes(of: ink, .dark)
    #expect(contrast(dark.text.most, dark.ground.least) >= 4.5)
    // The text is not fully white and the ground not fully black.
    #expect(light.text.least < 0.88 && light.ground.most > 0.14)
    #expect(dark.text.most > 0.0065 && dark.ground.least < 0.22)
  }

  @Test(arguments: Vibrancy.promises)
  func textHasItsContrastOnEveryColour(vibrancy: Vibrancy, promise: Double) throws {
    let ink = try #require(vibrancy.ink)
    for polarity in [Polarity.light, .dark] {
      var worst = Double.infinity
      forEachColor { glass in
        let (ground, text) = ink.both(on: glass, polarity)
        worst = min(worst, contrast(ground, text))
      }
      #expect(worst >= promise, "\(vibrancy), \(polarity): \(worst)")
    }
  }

  /// On real glass, with its blur, dither and noise.
  @Test(arguments: NamedMaterial.all.map(\.name))
  func textIsReadableOnEveryMaterial(name: String) throws {
    let named = try #require(NamedMaterial.all.first { $0.name == name })
    var dice = Dice(seed: 510)
    var worst = [Double](repeating: .infinity, count: 4)
    for round in 0..<100 {
      let color = Color.random(using: &dice)
      let material = named.standard ?? named.material(in: color, hasOpacity: false)
      let screen = Bitmap.backdrop(round, width: 120, height: 90, using: &dice)
      let pane = Rect(x: 20, y: 20, width: 70, height: 40)
      var glass = PictureGlass(pane: pane, picture: screen.bounds, material: material)
      _ = glass.update(with: screen, damage: screen.bounds)
      _ = glass.settle()
      let picture = Bitmap.strokes(width: 50, height: 24, using: &dice)
      for (i, (vibrancy, _)) in Vibrancy.promises.enumerated() {
        let content = Content(picture, x: 10, y: 8, vibrancy: vibrancy)
        let best = content.polarity(on: glass, last: nil)
        for polarity in i == 0 ? [.light, .dark] : [best] {
          var drawn = Bitmap(width: pane.width, height: pane.height)
          glass.draw(pane, into: &drawn)
          var state = ContentState(Contents([content]))
          _ = state.adapt(to: polarity, glass.glass, changedIn: Region(pane), of: pane)
          drawn = drawn.with(state, pane)
          worst[i] = min(worst[i], drawn.leastContrast(of: picture, x: 10, y: 8))
        }
      }
    }
    for (worst, (vibrancy, promise)) in zip(worst, Vibrancy.promises) {
      #expect(worst >= promise, "\(dice): \(vibrancy) on \(name): \(worst)")
    }
  }

  /// Unblurred black and white noise.
  @Test func labelIsReadableOnNoise() {
    var dice = Dice(seed: 511)
    for _ in 0..<40 {
      let picture = Bitmap.strokes(width: 50, height: 24, using: &dice)
      let content = Content(picture, x: 10, y: 8, vibrancy: .label)
      for polarity in [Polarity.light, .dark] {
        let noise = Bitmap.blackAndWhiteNoise(width: 70, height: 40, using: &dice)
        let drawn = noise.with([content], polarity, noise.bounds)
        #expect(drawn.leastContrast(of: picture, x: 10, y: 8) >= 4.5, "\(dice)")
      }
    }
  }

  /// Lines of text next to each other, on a shape and next to a picture, which stays as it is.
  @Test func adjacentContentsStayReadable() {
    var dice = Dice(seed: 514)
    for _ in 0..<60 {
      let gap = dice.roll(0...8)
      let lines = [0, 1].map { _ in Bitmap.strokes(width: 40, height: 14, using: &dice) }
      var both = Bitmap(width: 40, height: 28 + gap)
      for (i, line) in lines.enumerated() {
        for y in 0..<14 { for x in 0..<40 { both[x, y + i * (14 + gap)] = line[x, y] } }
      }
      let icon = Bitmap.noise(width: 15, height: 20, using: &dice)
      let polarity: Polarity = Bool.random(using: &dice) ? .light : .dark
      let all = [
        Content(
          Bitmap(width: 80, height: 50, filledWith: ~0), x: 0, y: 0, vibrancy: .fill),
        Content(icon, x: 2, y: 10, vibrancy: nil),
        Content(lines[0], x: 20, y: 8, vibrancy: .label),
        Content(lines[1], x: 20, y: 22 + gap, vibrancy: .label),
      ]
      let glass = Bitmap.noise(width: 80, height: 60, using: &dice)
      let pane = glass.bounds
      let state = ContentState(all, polarity, over: glass, pane)
      let drawn = drawnWholeAndInParts(pane, over: glass, using: &dice) {
        target, pixels, layout in state.draw(target, of: pane, over: &pixels, layout)
      }
      #expect(drawn?.leastContrast(of: both, x: 20, y: 8) ?? 0 >= 4.5, "\(dice)")
      let isWhole = icon.bounds.rows.allSatisfy { y in
        icon.bounds.columns.allSatisfy { x in drawn?[x + 2, y + 10] == icon[x, y] }
      }
      #expect(isWhole, "\(dice)")
    }
  }

  /// Black on black, white on white, and everything between.
  @Test func labelIsReadableOverPicturesAndShapes() {
    var dice = Dice(seed: 515)
    for round in 0..<60 {
      let picture = Bitmap.strokes(width: 50, height: 24, using: &dice)
      let below = (0..<dice.roll(1...3)).map { _ in
        let (width, height) = (dice.roll(10...70), dice.roll(10...40))
        let gray = [0xff00_0000, ~0, UInt32(truncatingIfNeeded: dice.next())][round % 3]
        var image = Bitmap(width: width, height: height, filledWith: gray | 0xff00_0000)
        if round % 5 == 0 { image = .noise(width: width, height: height, using: &dice) }
        return Content(
          image, x: dice.roll(-9...40), y: dice.roll(-9...20),
          vibrancy: dice.roll(0...4) == 0 ? .fill : nil)
      }
      let glass = Bitmap(
        width: 70, height: 40, filledWith: dice.roll(0...1) == 0 ? ~0 : 0xff00_0000)
      for polarity in [Polarity.light, .dark] {
        let label = Content(picture, x: 10, y: 8, vibrancy: .label)
        let drawn = glass.with(below + [label], polarity, glass.bounds)
        #expect(drawn.leastContrast(of: picture, x: 10, y: 8) >= 4.5, "\(dice)")
      }
    }
  }

  @Test func glassWithEnoughContrastIsUnchanged() {
    var dice = Dice(seed: 512)
    let picture = Bitmap.strokes(width: 30, height: 20, using: &dice)
    for (vibrancy, promise) in Vibrancy.promises {
      for (polarity, gray) in [(Polarity.light, 40), (.dark, 200)] as [(Polarity, UInt32)] {
        let content = Content(picture, x: 15, y: 15, vibrancy: vibrancy)
        let glass = Bitmap(width: 60, height: 50, filledWith: 0xff00_0000 | gray * 0x1_0101)
        let drawn = glass.with([content], polarity, glass.bounds)
        for y in glass.bounds.rows {
          for x in glass.bounds.columns where drawn[x, y] != glass[x, y] {
            #expect(picture.bounds.contains(x: x - 15, y: y - 15), "\(dice)")
            #expect(picture[x - 15, y - 15] >> 24 > 0, "\(dice): \(vibrancy), \(promise)")
          }
        }
      }
    }
  }

  /// Where the ground starts to differ from the glass, neighbouring colours stay neighbours.
  @Test func groundIsContinuousInTheGlass() throws {
    for (vibrancy, _) in Vibrancy.promises {
      let ink = try #require(vibrancy.ink)
      for polarity in [Polarity.light, .dark] {
        var (steepest, brightest) = (0, 0.0)
        forEachColor { glass in
          let shown = ink.both(on: glass, polarity).ground
          for shift: UInt32 in [0, 8, 16] where glass >> shift & 255 < 255 {
            let lighter = glass + 1 << shift
            let next = ink.both(on: lighter, polarity).ground
            steepest = max(steepest, shown.distance(to: next))
            let step = abs(luminance(next) - luminance(shown))
            brightest = max(brightest, step - luminance(lighter) + luminance(glass))
          }
        }
        // Near black a level is a small step of light, which takes several levels of the veil.
        #expect(brightest <= 0.006 && steepest <= 6, "\(vibrancy), \(polarity)")
      }
    }
  }

  /// No outline is seen around letters: the change of the glass has no gradient above 6 levels a pixel. The glass has
  /// one colour, or several with hard edges between them; then the opacity of the veil is compared, which is the change
  /// of white glass.
  @Test func changeOfTheGlassIsSoft() {
    var dice = Dice(seed: 513)
    var (steepest, strongest) = (0.0, 0.0)
    for round in 0..<60 {
      let pane = Rect(x: 0, y: 0, width: 360, height: 240)
      let backdrop = Bitmap.backdrop(4 - round % 2, width: 360, height: 240, using: &dice)
      let labels = (0..<dice.roll(1...3)).map { _ in
        Content(
          .strokes(width: dice.roll(1...200), height: dice.roll(1...50), using: &dice),
          x: dice.roll(0...200), y: dice.roll(0...200), vibrancy: .label)
      }
      let polarity: Polarity = Bool.random(using: &dice) ? .light : .dark
      let veil = ContentState(labels, polarity, over: backdrop, pane).veil
      let rows = pane.rows.map { y in
        veil.weights(of: pane.columns, row: y).map { 255 * Double($0) / Double(Weight.one) }
      }
      for y in 1..<pane.height {
        for x in 1..<pane.width {
          let (across, down) = (rows[y][x] - rows[y][x - 1], rows[y][x] - rows[y - 1][x])
          steepest = max(steepest, (across * across + down * down).squareRoot())
          strongest = max(strongest, rows[y][x])
        }
      }
    }
    #expect(steepest <= 6, "\(dice): \(steepest)")
    #expect(strongest > 120, "some glass must change much: \(strongest)")
  }
}

extension Ink {
  /// The ground and the text for a pixel of glass.
  fileprivate func both(
    on glass: UInt32, _ polarity: Polarity
  ) -> (ground: UInt32, text: UInt32) {
    let need = veil(over: glass, atLeast: 0, polarity, .sRGB)
    let ground = polarity.veiled(glass, Weight.rounded(Double(need)))
    return (ground, text(over: ground, coverage: Weight.one, polarity, .sRGB))
  }
}

/// The smallest and the largest of some values.
private struct Extremes {
  var least = Double.infinity
  var most = -Double.infinity

  mutating func record(_ value: Double) {
    least = min(least, value)
    most = max(most, value)
  }
}

/// The extreme luminances of ground and text over all colours of glass.
private func extremes(of ink: Ink, _ polarity: Polarity) -> (ground: Extremes, text: Extremes) {
  var ground = Extremes()
  var text = Extremes()
  forEachColor { glass in
    let both = ink.both(on: glass, polarity)
    ground.record(luminance(both.ground))
    text.record(luminance(both.text))
  }
  return (ground, text)
}

/// Calls `body` for colours with every fifth level of each channel, and for every gray.
private func forEachColor(_ body: (UInt32) -> Void) {
  for gray: UInt32 in 0..<256 { body(0xff00_0000 | gray * 0x1_0101) }
  for blue in stride(from: UInt32(0), to: 256, by: 5) {
    for green in stride(from: UInt32(0), to: 256, by: 5) {
      for red in stride(from: UInt32(0), to: 256, by: 5) {
        body(0xff00_0000 | red << 16 | green << 8 | blue)
      }
    }
  }
}

extension UInt32 {
  /// The largest difference of a channel.
  fileprivate func distance(to other: UInt32) -> Int {
    [0, 8, 16].map { abs(Int(self >> $0 & 255) - Int(other >> $0 & 255)) }.max() ?? 0
  }
}

extension Bitmap {
  /// The smallest contrast of fully covered pixels of a label with uncovered pixels at most two
  /// pixels away, beyond the antialiased edge of the stroke.
  fileprivate func leastContrast(of label: Bitmap, x: Int, y: Int) -> Double {
    var least = Double.infinity
    for row in 0..<label.height {
      for column in 0..<label.width where label[column, row] >> 24 == 255 {
        let text = luminance(self[x + column, y + row])
        for dy in -2...2 {
          for dx in -2...2 {
            let isInside = label.bounds.contains(x: column + dx, y: row + dy)
            if isInside, label[column + dx, row + dy] >> 24 != 0 { continue }
            let (x, y) = (x + column + dx, y + row + dy)
            least = min(least, contrast(text, luminance(self[x, y])))
          }
        }
      }
    }
    return least
  }

  /// A flat colour, a gradient, noise or hard edges, depending on `round`, in black, white and
  /// random colours.
  fileprivate static func backdrop(
    _ round: Int, width: Int, height: Int, using dice: inout Dice
  ) -> Bitmap {
    func color() -> UInt32 {
      [0xffff_ffff, 0xff00_0000, UInt32(truncatingIfNeeded: dice.next()) | 0xff00_0000]
        .randomElement(using: &dice) ?? 0
    }
    var picture = Bitmap(width: width, height: height, filledWith: color())
    switch round % 5 {
    case 0: picture = .blackAndWhiteNoise(width: width, height: height, using: &dice)
    case 1: picture = .desktop(width: width, height: height, using: &dice)
    case 2:
      let (from, to) = (color(), color())
      for y in 0..<height {
        for x in 0..<width {
          picture[x, y] = mixed(from, to, Weight.rounded(Double(x) / Double(width)))
        }
      }
    case 3:
      for _ in 0..<6 {
        let (box, paper) = (Rect.random(in: picture.bounds, using: &dice), color())
        for y in box.rows { for x in box.columns { picture[x, y] = paper } }
      }
    default: break
    }
    return picture
  }
}
