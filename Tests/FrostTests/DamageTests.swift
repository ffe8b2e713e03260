import Frost
import Raster
import TestDice
import Testing

/// Sigmas of every branch of the plan.
private let sigmas: [Double] = [0, 0.3, 2, 3.4, 5, 9.6, 19.2, 40, 80, 200]

@Suite struct DamageTests {
  @Test(arguments: sigmas)
  func samePixelsAreNoChange(sigma: Double) {
    var dice = Dice(seed: 8)
    for isOpaque in [true, false] {
      let screen = Bitmap.anything(width: 203, height: 99, isOpaque: isOpaque, using: &dice)
      var glass = PictureGlass(
        pane: .random(in: screen.bounds, using: &dice), picture: screen.bounds,
        material: Material(sigma: sigma))
      _ = glass.update(with: screen, damage: screen.bounds, isOpaque: isOpaque)
      _ = glass.settle()
      for _ in 0..<20 {
        let damage = Rect.random(in: screen.bounds, using: &dice)
        let isChanged = glass.update(with: screen, damage: damage, isOpaque: isOpaque)
        let redrawn = glass.settle()
        #expect(!isChanged && redrawn.isEmpty, "\(dice)")
      }
    }
  }

  @Test(arguments: sigmas)
  func changeOfOnePixelIsDetected(sigma: Double) {
    var dice = Dice(seed: 9)
    for _ in 0..<20 {
      let size = Rect.random(in: Rect(x: 0, y: 0, width: 150, height: 150), using: &dice)
      var screen = Bitmap(width: size.width, height: size.height, filledWith: 0xff00_0000)
      let pane = Rect.random(in: screen.bounds, using: &dice)
      var glass = PictureGlass(pane: pane, picture: screen.bounds, material: Material(sigma: sigma))
      _ = glass.update(with: screen, damage: screen.bounds)
      _ = glass.settle()
      let x = Int.random(in: pane.columns, using: &dice)
      let y = Int.random(in: pane.rows, using: &dice)
      screen[x, y] = 0xffff_ffff
      let isChanged = glass.update(with: screen, damage: Rect(x: x, y: y, width: 1, height: 1))
      #expect(isChanged, "\(dice)")
    }
  }

  @Test(arguments: sigmas)
  func damageOutsideTheSourceRegionNeedsNoPixels(sigma: Double) {
    let screen = Rect(x: 0, y: 0, width: 20_000, height: 20_000)
    for (x, y) in [(0, 0), (19_999, 0), (0, 19_999), (19_999, 19_999), (10_000, 10_000)] {
      let pane = Rect(x: x, y: y, width: 1, height: 1)
      var glass = PictureGlass(pane: pane, picture: screen, material: Material(sigma: sigma))
      let sourceRegion = glass.sourceRegion
      #expect(screen.contains(sourceRegion) && sourceRegion.contains(pane))
      let nothing: [UInt32] = []
      for damage in screen.subtracting(sourceRegion) {
        let source = glass.source(for: damage)
        let isChanged = glass.update(
          with: nothing.span, PixelLayout(.zero), isOpaque: true, damage: damage)
        #expect(source.isEmpty && !isChanged)
      }
      let outside = [
        Rect(x: -5, y: -5, width: 5, height: 5), Rect(x: 20_000, y: 0, width: 9, height: 9), .zero,
      ]
      for damage in outside {
        let source = glass.source(for: damage)
        #expect(source.isEmpty)
      }
      // The first time the whole pane is drawn.
      let redrawn = [glass.settle(), glass.settle()]
      #expect(redrawn == [Region(pane), Region()])
    }
  }

  @Test(arguments: sigmas)
  func sourceContainsVisibleDamageAndLiesOnTheScreen(sigma: Double) {
    var dice = Dice(seed: 10)
    for _ in 0..<60 {
      let size = Rect.random(in: Rect(x: 0, y: 0, width: 900, height: 700), using: &dice)
      let screen = Rect(x: 0, y: 0, width: size.width, height: size.height)
      let pane = Rect.random(in: screen, using: &dice)
      let glass = PictureGlass(pane: pane, picture: screen, material: Material(sigma: sigma))
      let damage = Rect.random(in: screen, using: &dice)
      let moved = damage.translated(x: -10, y: 7)
      let source = glass.source(for: moved)
      let (whole, sourceRegion) = (glass.source(for: screen), glass.sourceRegion)
      #expect(screen.contains(source), "\(dice)")
      #expect(source.contains(moved.intersection(sourceRegion)), "\(dice)")
      #expect(whole == sourceRegion, "\(dice)")
    }
  }

  /// Gives `update` only the pixels of the source, without any memory around them.
  @Test(arguments: sigmas)
  func updateNeedsNoPixelsOutsideItsSource(sigma: Double) {
    var dice = Dice(seed: 11)
    for _ in 0..<20 {
      var screen = Bitmap.noise(width: 160, height: 120, using: &dice)
      let pane = Rect(x: 70, y: 60, width: 20, height: 10)
      let material = Material(sigma: sigma, isDithered: false)
      var glass = PictureGlass(pane: pane, picture: screen.bounds, material: material)
      _ = glass.update(with: screen, damage: screen.bounds)
      let damage = Rect.random(in: pane, using: &dice)
      screen.scribble(damage, using: &dice)
      let source = glass.source(for: damage)
      let pixels = source.rows.flatMap { y in source.columns.map { x in screen[x, y] } }
      _ = glass.update(with: pixels.span, PixelLayout(source), isOpaque: true, damage: damage)
      _ = glass.settle()
      var picture = Bitmap(width: pane.width, height: pane.height)
      glass.draw(pane, into: &picture)
      let expected = frosted(screen, pane: pane, material: material)
      #expect(picture == expected, "\(dice)")
    }
  }

  @Test(arguments: sigmas)
  func settleReturnsAllChangedPixels(sigma: Double) {
    var dice = Dice(seed: 12)
    for _ in 0..<8 {
      let size = Rect.random(in: Rect(x: 0, y: 0, width: 300, height: 200), using: &dice)
      var screen = Bitmap.noise(width: size.width, height: size.height, using: &dice)
      let pane = Rect.random(in: screen.bounds, using: &dice)
      var glass = PictureGlass(pane: pane, picture: screen.bounds, material: Material(sigma: sigma))
      _ = glass.update(with: screen, damage: screen.bounds)
      let first = glass.settle()
      #expect(first == Region(pane), "\(dice)")
      var before = Bitmap(width: pane.width, height: pane.height)
      glass.draw(pane, into: &before)
      for _ in 0..<8 {
        for _ in 0..<Int.random(in: 1...12, using: &dice) {
          let damage = Rect.random(in: screen.bounds, using: &dice)
            .intersection(.random(in: screen.bounds, using: &dice))
          screen.scribble(damage, using: &dice)
          _ = glass.update(with: screen, damage: damage)
        }
        let region = glass.settle()
        #expect(region.rects.allSatisfy { pane.contains($0) }, "\(dice)")
        var after = Bitmap(width: pane.width, height: pane.height)
        glass.draw(pane, into: &after)
        var redrawn = before
        for part in region.rects { glass.draw(part, into: &redrawn) }
        #expect(redrawn == after, "\(dice)")
        before = after
      }
    }
  }

  /// Performs random changes and updates, with only the required pixels. The result must equal that
  /// of the scalar twin, which gets the final state only.
  @Test(arguments: sigmas)
  func anySequenceOfUpdatesEqualsScalarTwin(sigma: Double) {
    var dice = Dice(seed: 13)
    for _ in 0..<6 {
      let size = Rect.random(in: Rect(x: 0, y: 0, width: 190, height: 120), using: &dice)
      let isOpaque = Bool.random(using: &dice)
      var screen = Bitmap.anything(
        width: size.width, height: size.height, isOpaque: isOpaque, using: &dice)
      let pane = Rect.random(in: screen.bounds, using: &dice)
      var material = Material(sigma: sigma)
      var glass = PictureGlass(pane: pane, picture: screen.bounds, material: material)
      glass.update(only: glass.sourceRegion, of: screen, isOpaque, using: &dice)
      // Transparent pixels at the start are no change, because memory is zero.
      var picture = Bitmap(width: pane.width, height: pane.height)
      for step in 0..<30 {
        switch Int.random(in: 0..<6, using: &dice) {
        case 0:
          var next = material
          next.tone = Bool.random(using: &dice) ? Tone() : .random(using: &dice)
          next.isDithered = Bool.random(using: &dice)
          next.noise = Bool.random(using: &dice) ? 0 : 0.1
          if !glass.glass.canShow(next) { continue }
          material = next
          glass.setMaterial(material)
        case 1, 2:
          for part in glass.settle().rects { glass.draw(part, into: &picture) }
        default:
          let damage = Rect.random(in: screen.bounds.grown(by: 9), using: &dice)
            .intersection(.random(in: screen.bounds, using: &dice))
          screen.scribble(damage, using: &dice)
          if !isOpaque { screen.premultiply(damage) }
          glass.update(
            only: glass.source(for: damage), of: screen, isOpaque, damage: damage, using: &dice)
        }
        guard step % 10 == 9 else { continue }
        for part in glass.settle().rects { glass.draw(part, into: &picture) }
        let expected = ScalarTwin(screen, material: material, isOpaque: isOpaque).frosted(pane)
        #expect(picture == expected, "\(dice): \(pane) of \(screen.bounds), \(material)")
      }
    }
  }

  /// A few changed pixels must not redraw the whole pane.
  @Test(arguments: [5.0, 20, 40])
  func smallChangeRedrawsOnlyItsReach(sigma: Double) {
    var screen = Bitmap(width: 1200, height: 900, filledWith: 0xff40_4040)
    var glass = PictureGlass(
      pane: screen.bounds, picture: screen.bounds, material: Material(sigma: sigma))
    _ = glass.update(with: screen, damage: screen.bounds)
    _ = glass.settle()
    var dice = Dice(seed: 14)
    let damage = Rect(x: 500, y: 400, width: 64, height: 64)
    screen.scribble(damage, using: &dice)
    _ = glass.update(with: screen, damage: damage)
    let redrawn = glass.settle()
    #expect(redrawn.bounds.contains(damage), "\(dice)")
    #expect(damage.grown(by: Int(6 * sigma)).contains(redrawn.bounds), "\(dice)")
  }
}

extension Bitmap {
  /// Fills a part with random pixels.
  fileprivate mutating func scribble(_ damage: Rect, using dice: inout Dice) {
    for y in damage.rows {
      for x in damage.columns { self[x, y] = UInt32(truncatingIfNeeded: dice.next()) }
    }
  }

  fileprivate mutating func premultiply(_ damage: Rect) {
    for y in damage.rows {
      for x in damage.columns { self[x, y] = premultiplied(self[x, y], self[x, y] >> 24) }
    }
  }
}
