import Frost
import Glibc
import Raster

/// The contents of a pane in float64.
struct GoldenContents {
  private let items: [GoldenItem]
  /// The whole pane, in the coordinates of the backdrop.
  private let pane: Rect

  init(_ items: [PaneRecipe.Item], on pane: Rect) {
    self.items = items.map { GoldenItem($0, on: pane) }
    self.pane = pane
  }

  /// Dark on a mean luminance above that with which white and black have the same contrast: the mean of the glass and
  /// of the pictures below all vibrant items.
  func polarity(over glass: GoldenPicture) -> Polarity {
    var (sum, count) = (0.0, 0.0)
    for i in items.indices where items[i].isVibrant {
      let box = items[i].box.intersection(glass.bounds)
      for y in box.rows {
        for x in box.columns {
          let shown = items[..<i].filter { !$0.isVibrant }.reduce(glass[x, y]) {
            $1.drawn(over: $0, x, y, .light, veil: 0)
          }
          sum += luminance(of: lights(shown))
          count += 1
        }
      }
    }
    if count == 0 { return .light }
    // The code samples some of these pixels only, so the mean must not be close to the limit.
    precondition(abs(sum / count - 0.1791) > 0.01)
    return sum / count > 0.1791 ? .dark : .light
  }

  /// Draws the veil over the glass and over the items below texts, then the items in order.
  func lay(on glass: inout GoldenPicture, _ polarity: Polarity) {
    let isGround = items.indices.map { i in
      !items[i].isText && items[i...].contains { $0.textArea.intersects(items[i].box) }
    }
    var ground = glass
    for (item, isGround) in zip(items, isGround) where isGround {
      item.draw(on: &ground, polarity) { _, _ in 0 }
    }
    let veil = VeilModel(from: (pane.x, pane.y)) { record in
      for item in items {
        guard let contrast = item.contrast else { continue }
        let area = item.textArea.intersection(glass.bounds)
        for y in area.rows {
          for x in area.columns { record(x, y, need(ground[x, y], contrast, polarity)) }
        }
      }
    }
    for y in glass.bounds.rows {
      for x in glass.bounds.columns {
        glass[x, y] = veiled(glass[x, y], veil[x, y], polarity)
      }
    }
    for (item, isGround) in zip(items, isGround) {
      item.draw(on: &glass, polarity) { x, y in isGround ? veil[x, y] : 0 }
    }
  }

  /// The smallest opacity of a veil with which a pixel is the ground of a text; 1 if none is enough.
  private func need(
    _ pixel: SIMD4<Double>, _ contrast: Double, _ polarity: Polarity
  ) -> Double {
    func isGround(_ opacity: Double) -> Bool {
      let l = luminance(of: lights(veiled(pixel, opacity, polarity)))
      let limit = limit(contrast, polarity)
      return polarity == .light ? l <= limit : l >= limit
    }
    if isGround(0) { return 0 }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if isGround(middle) { high = middle } else { low = middle }
    }
    return high
  }
}

/// One content item of a pane, in the coordinates of the backdrop.
private struct GoldenItem {
  private let item: PaneRecipe.Item
  private let x, y: Int
  /// The bounding box of the covered pixels.
  let box: Rect

  init(_ item: PaneRecipe.Item, on pane: Rect) {
    let (left, top) = (pane.x + item.x, pane.y + item.y)
    (x, y) = (left, top)
    self.item = item
    let picture = item.picture
    box = hull(of: picture.bounds) { picture[$0, $1] >> 24 > 0 }.translated(x: left, y: top)
  }

  var isVibrant: Bool { item.vibrancy != nil }
  /// The contrast of a text; nil for pictures and shapes.
  var contrast: Double? { item.vibrancy.flatMap { contrasts[$0] } }
  var isText: Bool { contrast != nil }
  /// The pixels that must contrast with a text.
  var textArea: Rect { isText && !box.isEmpty ? box.grown(by: 3) : .zero }

  func draw(
    on glass: inout GoldenPicture, _ polarity: Polarity,
    below veil: (_ x: Int, _ y: Int) -> Double
  ) {
    let part = box.intersection(glass.bounds)
    for y in part.rows {
      for x in part.columns {
        glass[x, y] = drawn(over: glass[x, y], x, y, polarity, veil: veil(x, y))
      }
    }
  }

  /// The result for the pixel (x, y) over a pixel, with a veil over pictures and shapes.
  func drawn(
    over pixel: SIMD4<Double>, _ x: Int, _ y: Int, _ polarity: Polarity, veil: Double
  ) -> SIMD4<Double> {
    if !box.contains(x: x, y: y) { return pixel }
    let own = levels(item.picture[x - self.x, y - self.y])
    guard let vibrancy = item.vibrancy else {
      return veiled(own, veil, polarity) + pixel * (1 - own.w / 255)
    }
    return mix(
      pixel, color(vibrancy, polarity, over: pixel, veil),
      own.w / 255 * (shares[vibrancy] ?? 1))
  }

  /// The colour of a fully covered pixel.
  private func color(
    _ vibrancy: Vibrancy, _ polarity: Polarity, over pixel: SIMD4<Double>, _ veil: Double
  ) -> SIMD4<Double> {
    guard let contrast = contrasts[vibrancy] else {
      return veiled(opaque(Color(white: polarity == .light ? 1 : 0)), veil, polarity)
    }
    let ground = ground(lights(pixel), contrast, polarity)
    let l = luminance(of: ground)
    switch polarity {
    case .light:
      let share = lightShares[vibrancy] ?? 0
      return colors(set(ground, max(l + share * (1 - l), contrast * (l + 0.05) - 0.05)))
    case .dark:
      let share = darkShares[vibrancy] ?? 0
      return colors(set(ground, min(l - share * l, (l + 0.05) / contrast - 0.05)))
    }
  }
}

private func mix(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ share: Double) -> SIMD4<Double> {
  a + (b - a) * share
}

/// A premultiplied pixel below black (with light text) or white (with dark text) of its alpha.
private func veiled(
  _ pixel: SIMD4<Double>, _ opacity: Double, _ polarity: Polarity
) -> SIMD4<Double> {
  let end = polarity == .light ? 0 : pixel.w
  return mix(pixel, SIMD4(end, end, end, pixel.w), opacity)
}

private func hull(of bounds: Rect, _ isIn: (_ x: Int, _ y: Int) -> Bool) -> Rect {
  var hull = Rect.zero
  for y in bounds.rows {
    for x in bounds.columns where isIn(x, y) {
      hull = hull.hull(Rect(x: x, y: y, width: 1, height: 1))
    }
  }
  return hull
}

// MARK: Vibrancy

/// The contrast (WCAG 2) of text with its glass; 15 % more for all except labels.
private let contrasts: [Vibrancy: Double] = [
  .label: 4.5, .secondary: 3 * 1.15, .tertiary: 2 * 1.15, .quaternary: 1.5 * 1.15,
]
/// The position of the luminance of text between that of the glass and white or black.
private let lightShares: [Vibrancy: Double] = [.label: 0.855, .secondary: 0.32]
private let darkShares: [Vibrancy: Double] = [.label: 0.9926, .secondary: 0.867]
/// The opacity of shapes.
private let shares: [Vibrancy: Double] = [
  .fill: 0.2, .secondaryFill: 0.16, .tertiaryFill: 0.12, .separator: 0.29,
]

/// The largest (smallest) luminance of the ground of a text, with which white (black) has 1.18 times the contrast.
private func limit(_ contrast: Double, _ polarity: Polarity) -> Double {
  polarity == .light ? 1.05 / (1.18 * contrast) - 0.05 : 0.05 * 1.18 * contrast - 0.05
}

/// The light of a ground, or the nearest that is one.
private func ground(
  _ glass: SIMD3<Double>, _ contrast: Double, _ polarity: Polarity
) -> SIMD3<Double> {
  let l = luminance(of: glass)
  return switch polarity {
  case .light: set(glass, min(l, limit(contrast, polarity)))
  case .dark: set(glass, max(l, limit(contrast, polarity)))
  }
}

/// The light with the given luminance: all channels scaled down, or the same amount added to all,
/// with the differences to gray reduced if a channel would exceed white.
private func set(_ light: SIMD3<Double>, _ luminance: Double) -> SIMD3<Double> {
  let l = FrostTests.luminance(of: light)
  if luminance == l { return light }
  if luminance < l { return light * (luminance / l) }
  let delta = light - l
  let most = delta.max() + luminance
  return luminance + delta * (most > 1 ? (1 - luminance) / delta.max() : 1)
}

/// The luminance of linear light: blue, green, red.
private func luminance(of light: SIMD3<Double>) -> Double {
  0.0722 * light.x + 0.7152 * light.y + 0.2126 * light.z
}

/// The linear light of a pixel over black (IEC 61966-2-1).
private func lights(_ pixel: SIMD4<Double>) -> SIMD3<Double> {
  func light(_ level: Double) -> Double {
    let v = level / 255
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
  }
  return SIMD3(light(pixel.x), light(pixel.y), light(pixel.z))
}

private func colors(_ light: SIMD3<Double>) -> SIMD4<Double> {
  func level(_ light: Double) -> Double {
    255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
  }
  return SIMD4(level(light.x), level(light.y), level(light.z), 255)
}
