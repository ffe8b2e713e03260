import Frost
import Glibc
import Raster

/// The description of a picture: a pane over a backdrop. The code under test paints it, and
/// `golden` computes the expected result.
struct PaneRecipe {
  /// Premultiplied BGRA.
  var backdrop: Bitmap
  var isOpaque = true
  /// The rectangle of the pane on the backdrop; it may extend beyond it.
  var pane: Rect
  var material = Material(sigma: 0, isDithered: false)
  var style = DecorationStyle()
  /// The content, the lowest item first.
  var items: [Item] = []
  /// The opacity of border, shadow and content.
  /// Whether the result has only the pane, without the backdrop around it.
  var isAlone = false

  struct Item {
    var picture: Bitmap
    /// The position of its first pixel, from the pane's top left corner.
    var x, y: Int
    var vibrancy: Vibrancy?
  }

  /// The rectangle of the result.
  var bounds: Rect { isAlone ? pane.grown(by: 80) : backdrop.bounds }
}

/// A picture in float64: premultiplied blue, green, red and alpha, from 0 to 255, without rounding.
struct GoldenPicture {
  let bounds: Rect
  private(set) var pixels: [SIMD4<Double>]

  init(_ bounds: Rect, _ pixel: (_ x: Int, _ y: Int) -> SIMD4<Double>) {
    self.bounds = bounds
    pixels = bounds.rows.flatMap { y in bounds.columns.map { x in pixel(x, y) } }
  }

  init(_ picture: Bitmap) {
    self.init(picture.bounds) { x, y in levels(picture[x, y]) }
  }

  /// Transparent outside `bounds`.
  subscript(x: Int, y: Int) -> SIMD4<Double> {
    get {
      bounds.contains(x: x, y: y) ? pixels[(y - bounds.y) * bounds.width + x - bounds.x] : .zero
    }
    set { pixels[(y - bounds.y) * bounds.width + x - bounds.x] = newValue }
  }
}

extension PaneRecipe {
  /// The expected result, computed step by step: a Gaussian of the mirrored backdrop, the tone, the
  /// content, the border, the outline, the shadow around it, the backdrop below.
  func golden() -> GoldenPicture { golden(of: blurred()) }

  func blurred() -> GoldenPicture {
    let colors = gaussian(backdrop, sigma: material.sigma)
    var alphas: [Double]?
    if !isOpaque {
      var alpha = backdrop
      for i in alpha.pixels.indices { alpha.pixels[i] >>= 24 }
      alphas = gaussian(alpha, sigma: material.sigma)
    }
    return GoldenPicture(backdrop.bounds) { x, y in
      let i = 3 * (y * backdrop.width + x)
      return SIMD4(colors[i], colors[i + 1], colors[i + 2], alphas?[i] ?? 255)
    }
  }

  /// `blurred` is the whole blurred backdrop.
  func golden(of blurred: GoldenPicture) -> GoldenPicture {
    let tone = ToneModel(material.tone)
    var glass = GoldenPicture(pane.intersection(backdrop.bounds)) { x, y in
      let color = blurred[x, y]
      if color.w == 0 { return color }
      let toned = tone.toned((0..<3).map { color[$0] / color.w })
      return color.w * SIMD4(toned[0], toned[1], toned[2], 1)
    }
    lay(items, on: &glass)
    let outer = Coverage(style.corner, pane)
    let border = style.border
    let inner = border.width > 0 ? Coverage(style.corner, pane, inset: border.width) : outer
    let shadow = Shade(style.shadow, of: outer, in: bounds)
    let below = GoldenPicture(backdrop)
    return GoldenPicture(bounds) { x, y in
      let line = border.color.alpha * (outer[x, y] - inner[x, y])
      let shown =
        glass[x, y] * (outer[x, y] - line) + opaque(border.color) * line
        + opaque(style.shadow.color) * shadow[x, y]
      return isAlone ? shown : shown + below[x, y] * (1 - shown.w / 255)
    }
  }
}

private func levels(_ pixel: UInt32) -> SIMD4<Double> {
  SIMD4(
    Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255), Double(pixel >> 24))
}

private func opaque(_ color: Color) -> SIMD4<Double> {
  255 * SIMD4(color.blue, color.green, color.red, 1)
}

private func mix(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ share: Double) -> SIMD4<Double> {
  a + (b - a) * share
}

// MARK: Outline

/// The share of each pixel inside a pane, or inside its outline inset on every side.
private struct Coverage {
  let pane: Rect
  private var shares: [Double] = []

  init(_ corner: Corner, _ pane: Rect, inset: Double = 0) {
    self.pane = pane
    let model = OutlineModel(corner, width: pane.width, height: pane.height, inset: inset)
    let (width, height) = ((pane.width + 1) / 2, (pane.height + 1) / 2)
    // Pixels further from both edges are not rounded.
    let reach = Int((1.53 * corner.radius + inset).rounded(.up)) + 1
    let fits = reach < min(width, height) - 1
    let (columns, lines) = fits ? (reach + 1, reach + 1) : (width, height)
    var quarter = [Double](repeating: 0, count: columns * lines)
    for y in 0..<lines {
      for x in 0..<columns {
        // Slices are exact where the outline is steep, and a corner that fits is symmetric about
        // its diagonal.
        if fits && x > y {
          quarter[y * columns + x] = model.coverage(x: y, y: x, slices: 32)
        } else {
          quarter[y * columns + x] = model.coverage(x: x, y: y, slices: fits ? 32 : 1024)
        }
      }
    }
    for y in 0..<pane.height {
      let line = min(y, pane.height - 1 - y, lines - 1)
      for x in 0..<pane.width {
        shares.append(quarter[line * columns + min(x, pane.width - 1 - x, columns - 1)])
      }
    }
  }

  subscript(x: Int, y: Int) -> Double {
    pane.contains(x: x, y: y) ? shares[(y - pane.y) * pane.width + x - pane.x] : 0
  }
}

/// The opacity of a shadow around its pane: the coverage of the pane, blurred and moved, outside
/// the pane.
private struct Shade {
  private let bounds: Rect
  private var shares: [Double] = []

  init(_ shadow: Shadow, of pane: Coverage, in bounds: Rect) {
    self.bounds = bounds
    let opacity = shadow.opacity * shadow.color.alpha
    if opacity == 0 { return }
    let sigma = shadow.radius / 2
    let radius = Int((5 * sigma).rounded(.up))
    let taps = (-radius...radius).map {
      $0 == 0 ? 1 : exp(-Double($0 * $0) / (2 * sigma * sigma))
    }
    let sum = taps.reduce(0, +)
    func blurred(_ at: Int, _ range: Range<Int>, _ value: (Int) -> Double) -> Double {
      (at - radius..<at + radius + 1).clamped(to: range).reduce(0.0) {
        $0 + taps[$1 - at + radius] * value($1)
      } / sum
    }
    let frame = pane.pane
    let across = frame.rows.map { y in
      bounds.columns.map { x in
        blurred(x - shadow.offsetX, frame.columns) { pane[$0, y] }
      }
    }
    for y in bounds.rows {
      for x in bounds.columns {
        let moved = blurred(y - shadow.offsetY, frame.rows) {
          across[$0 - frame.y][x - bounds.x]
        }
        shares.append(opacity * moved * (1 - pane[x, y]))
      }
    }
  }

  subscript(x: Int, y: Int) -> Double {
    shares.isEmpty ? 0 : shares[(y - bounds.y) * bounds.width + x - bounds.x]
  }
}

// MARK: Content

extension PaneRecipe {
  /// Draws the halos of all texts first, then the items in order. A shape counts as glass for later
  /// items.
  private func lay(_ items: [Item], on glass: inout GoldenPicture) {
    let contents = items.map { GoldenContent($0, on: pane) }
    let polarities = polarities(of: contents, on: glass)
    var run: [Int] = []
    func drawRun() {
      for i in run { contents[i].drawHalo(on: &glass, polarities[i]) }
      for i in run { contents[i].draw(on: &glass, polarities[i]) }
      run = []
    }
    for i in contents.indices {
      run.append(i)
      if contents[i].isShape { drawRun() }
    }
    drawRun()
  }

  /// Dark on glass with a mean luminance above that with which white and black have the same
  /// contrast. Items whose halos intersect have one polarity.
  private func polarities(of contents: [GoldenContent], on glass: GoldenPicture) -> [Polarity] {
    var groups = Array(contents.indices)
    for i in contents.indices where contents[i].isVibrant {
      for j in 0..<i
      where contents[j].isVibrant && contents[i].reached.intersects(contents[j].reached) {
        let (old, new) = (groups[i], groups[j])
        groups = groups.map { $0 == old ? new : $0 }
      }
    }
    return groups.map { group in
      var (sum, count) = (0.0, 0.0)
      for i in contents.indices where groups[i] == group && contents[i].isVibrant {
        let box = contents[i].box.intersection(glass.bounds)
        for y in box.rows {
          for x in box.columns {
            sum += luminance(of: lights(glass[x, y]))
            count += 1
          }
        }
      }
      if count == 0 { return .light }
      // The code samples some of these pixels only, so the mean must not be close to the limit.
      precondition(abs(sum / count - 0.1791) > 0.01)
      return sum / count > 0.1791 ? .dark : .light
    }
  }
}

/// One content item of a pane, in the coordinates of the backdrop.
private struct GoldenContent {
  private let item: PaneRecipe.Item
  private let x, y: Int
  /// The bounding boxes of the covered pixels and of the halo.
  let box, reached: Rect
  /// The weights of the halo in `reached`, row by row.
  private let halo: [Double]

  init(_ item: PaneRecipe.Item, on pane: Rect) {
    let (left, top) = (pane.x + item.x, pane.y + item.y)
    (x, y) = (left, top)
    self.item = item
    let picture = item.picture
    box = hull(of: picture.bounds) { picture[$0, $1] >> 24 > 0 }.translated(x: left, y: top)
    guard let vibrancy = item.vibrancy, contrasts[vibrancy] != nil else {
      (reached, halo) = (box, [])
      return
    }
    let model = ContentModel(picture, vibrancy, .light)
    // A halo extends at most 3 + 16 pixels.
    let wide = picture.bounds.grown(by: 19)
    let all = wide.rows.map { y in wide.columns.map { x in model.halo(x: x, y: y) } }
    let hull = hull(of: wide) { all[$1 - wide.y][$0 - wide.x] > 0 }
    halo = hull.rows.flatMap { y in hull.columns.map { x in all[y - wide.y][x - wide.x] } }
    reached = hull.translated(x: left, y: top)
  }

  var isVibrant: Bool { item.vibrancy != nil }
  var isShape: Bool { item.vibrancy.map { contrasts[$0] == nil } ?? false }

  func drawHalo(on glass: inout GoldenPicture, _ polarity: Polarity) {
    guard let vibrancy = item.vibrancy, let contrast = contrasts[vibrancy] else { return }
    let part = reached.intersection(glass.bounds)
    for y in part.rows {
      for x in part.columns {
        let share = halo[(y - reached.y) * reached.width + x - reached.x]
        let pixel = glass[x, y]
        var ground = colors(ground(lights(pixel), contrast, polarity))
        ground = ground.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: pixel.w))
        ground.w = pixel.w
        glass[x, y] = mix(pixel, ground, share)
      }
    }
  }

  func draw(on glass: inout GoldenPicture, _ polarity: Polarity) {
    let part = box.intersection(glass.bounds)
    for y in part.rows {
      for x in part.columns {
        let own = levels(item.picture[x - self.x, y - self.y])
        let pixel = glass[x, y]
        guard let vibrancy = item.vibrancy else {
          glass[x, y] = own + pixel * (1 - own.w / 255)
          continue
        }
        glass[x, y] = mix(
          pixel, color(vibrancy, polarity, over: pixel),
          own.w / 255 * (shares[vibrancy] ?? 1))
      }
    }
  }

  /// The colour of a fully covered pixel.
  private func color(
    _ vibrancy: Vibrancy, _ polarity: Polarity, over pixel: SIMD4<Double>
  ) -> SIMD4<Double> {
    guard let contrast = contrasts[vibrancy] else {
      return opaque(Color(white: polarity == .light ? 1 : 0))
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

/// The glass around text: darkened (lightened) until white (black) has 1.18 times the contrast with
/// it.
private func ground(
  _ glass: SIMD3<Double>, _ contrast: Double, _ polarity: Polarity
) -> SIMD3<Double> {
  let l = luminance(of: glass)
  return switch polarity {
  case .light: set(glass, min(l, 1.05 / (1.18 * contrast) - 0.05))
  case .dark: set(glass, max(l, 0.05 * 1.18 * contrast - 0.05))
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

// MARK: Comparison

/// The error of a picture against its model.
struct GoldenError: CustomStringConvertible {
  /// The largest error of a channel, in levels.
  private(set) var worst = 0.0
  private(set) var psnr = Double.infinity
  private var place = (x: 0, y: 0)

  init(_ picture: Bitmap, from golden: GoldenPicture) {
    precondition(picture.width == golden.bounds.width && picture.height == golden.bounds.height)
    var squares = 0.0
    for (i, right) in golden.pixels.enumerated() {
      let error = levels(picture.pixels[i]) - right
      squares += (error * error).sum()
      let largest = max(error.max(), -error.min())
      if largest > worst || largest.isNaN {
        worst = largest.isNaN ? .infinity : largest
        place = (golden.bounds.x + i % picture.width, golden.bounds.y + i / picture.width)
      }
    }
    // Normalised to three channels, because the error of alpha is 0 if everything is opaque.
    psnr = 10 * log10(255 * 255 / (squares / Double(3 * picture.pixels.count)))
  }

  var description: String { "\(worst) levels of error at \(place.x), \(place.y); \(psnr) dB" }
}
