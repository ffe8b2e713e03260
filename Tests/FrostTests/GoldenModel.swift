import Frost
import Glibc
import Raster

/// A picture that is asked for: a pane over a backdrop. The code under test paints it, and `golden` says
/// what is to come of that.
struct PaneRecipe {
  /// Premultiplied BGRA.
  var backdrop: Bitmap
  var isOpaque = true
  /// Where the pane is on the backdrop; it may reach beyond it.
  var pane: Rect
  var material = Material(sigma: 0, isDithered: false)
  var style = OutlineStyle()
  /// The first of them lowest.
  var items: [Item] = []
  /// How far border, shadow and content are there.
  var presence = 1.0
  /// Whether nothing is left of the backdrop around the pane.
  var isAlone = false

  struct Item {
    var picture: Bitmap
    /// Of its first pixel, from the pane's top left.
    var x, y: Int
    var vibrancy: Vibrancy?
  }

  /// What the picture shows.
  var bounds: Rect { isAlone ? pane.grown(by: 80) : backdrop.bounds }
}

/// A picture in float64: blue, green, red and alpha, from 0 to 255, colours premultiplied. Nothing is ever
/// rounded.
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

  /// Clear outside.
  subscript(x: Int, y: Int) -> SIMD4<Double> {
    get {
      bounds.contains(x: x, y: y) ? pixels[(y - bounds.y) * bounds.width + x - bounds.x] : .zero
    }
    set { pixels[(y - bounds.y) * bounds.width + x - bounds.x] = newValue }
  }
}

extension PaneRecipe {
  /// What is to be seen, step by step: a Gaussian over the mirrored backdrop, the tone, the content, the
  /// border, the outline, the shadow around it, the backdrop below.
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

  /// `blurred` is the blurred backdrop, all of it.
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
      let line = presence * border.color.alpha * (outer[x, y] - inner[x, y])
      let shown =
        glass[x, y] * (outer[x, y] - line) + opaque(border.color) * line
        + opaque(style.shadow.color) * (presence * shadow[x, y])
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

/// The share of each pixel that lies within a pane, or within it less an inset on every side.
private struct Coverage {
  let pane: Rect
  private var shares: [Double] = []

  init(_ corner: Corner, _ pane: Rect, inset: Double = 0) {
    self.pane = pane
    let model = OutlineModel(corner, width: pane.width, height: pane.height, inset: inset)
    let (width, height) = ((pane.width + 1) / 2, (pane.height + 1) / 2)
    // Further from both edges of a corner nothing is round.
    let reach = Int((1.53 * corner.radius + inset).rounded(.up)) + 1
    let isRoomy = reach < min(width, height) - 1
    let (columns, lines) = isRoomy ? (reach + 1, reach + 1) : (width, height)
    var quarter = [Double](repeating: 0, count: columns * lines)
    for y in 0..<lines {
      for x in 0..<columns {
        // Slices are exact where the outline goes down rather than across, and a corner that has room is
        // its own mirror image.
        if isRoomy && x > y {
          quarter[y * columns + x] = model.coverage(x: y, y: x, slices: 32)
        } else {
          quarter[y * columns + x] = model.coverage(x: x, y: y, slices: isRoomy ? 32 : 1024)
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

/// How dark a shadow is around its pane: what the pane covers, blurred and moved, less what lies under it.
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
        let cast = blurred(y - shadow.offsetY, frame.rows) {
          across[$0 - frame.y][x - bounds.x]
        }
        shares.append(opacity * cast * (1 - pane[x, y]))
      }
    }
  }

  subscript(x: Int, y: Int) -> Double {
    shares.isEmpty ? 0 : shares[(y - bounds.y) * bounds.width + x - bounds.x]
  }
}

// MARK: Content

extension PaneRecipe {
  /// The glass gives way to all text at once, then all is drawn, each item upon those before. A shape
  /// belongs to the glass of what comes after it.
  private func lay(_ items: [Item], on glass: inout GoldenPicture) {
    let contents = items.map { GoldenContent($0, on: pane) }
    let polarities = polarities(of: contents, on: glass)
    var run: [Int] = []
    func drawRun() {
      for i in run { contents[i].drawHalo(on: &glass, polarities[i], presence) }
      for i in run { contents[i].draw(on: &glass, polarities[i], presence) }
      run = []
    }
    for i in contents.indices {
      run.append(i)
      if contents[i].isShape { drawRun() }
    }
    drawRun()
  }

  /// Dark on glass of a mean luminance above that on which white and black have the same contrast. What
  /// meets is of one polarity.
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
      // The code looks at some of these pixels only: not to be asked about a close thing.
      precondition(abs(sum / count - 0.1791) > 0.01)
      return sum / count > 0.1791 ? .dark : .light
    }
  }
}

/// One piece of content on its pane; on pixels of the screen.
private struct GoldenContent {
  private let item: PaneRecipe.Item
  private let x, y: Int
  /// What its picture covers, and what of the glass gives way.
  let box, reached: Rect
  /// Over `reached`.
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
    // No halo reaches further than 3 + 16 pixels.
    let wide = picture.bounds.grown(by: 19)
    let all = wide.rows.map { y in wide.columns.map { x in model.halo(x: x, y: y) } }
    let hull = hull(of: wide) { all[$1 - wide.y][$0 - wide.x] > 0 }
    halo = hull.rows.flatMap { y in hull.columns.map { x in all[y - wide.y][x - wide.x] } }
    reached = hull.translated(x: left, y: top)
  }

  var isVibrant: Bool { item.vibrancy != nil }
  var isShape: Bool { item.vibrancy.map { contrasts[$0] == nil } ?? false }

  func drawHalo(on glass: inout GoldenPicture, _ polarity: Polarity, _ presence: Double) {
    guard let vibrancy = item.vibrancy, let contrast = contrasts[vibrancy] else { return }
    let part = reached.intersection(glass.bounds)
    for y in part.rows {
      for x in part.columns {
        let share = halo[(y - reached.y) * reached.width + x - reached.x]
        let pixel = glass[x, y]
        var ground = colors(ground(lights(pixel), contrast, polarity))
        ground = ground.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: pixel.w))
        ground.w = pixel.w
        glass[x, y] = mix(pixel, ground, share * presence)
      }
    }
  }

  func draw(on glass: inout GoldenPicture, _ polarity: Polarity, _ presence: Double) {
    let part = box.intersection(glass.bounds)
    for y in part.rows {
      for x in part.columns {
        let own = levels(item.picture[x - self.x, y - self.y])
        let pixel = glass[x, y]
        guard let vibrancy = item.vibrancy else {
          glass[x, y] = own * presence + pixel * (1 - presence * own.w / 255)
          continue
        }
        glass[x, y] = mix(
          pixel, color(vibrancy, polarity, over: pixel),
          presence * own.w / 255 * (shares[vibrancy] ?? 1))
      }
    }
  }

  /// Of what is fully covered.
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

/// WCAG 2's contrast of text with its glass, and 15 % more for all but labels.
private let contrasts: [Vibrancy: Double] = [
  .label: 4.5, .secondary: 3 * 1.15, .tertiary: 2 * 1.15, .quaternary: 1.5 * 1.15,
]
/// How far text is on the way to white, and to black, in light.
private let lightShares: [Vibrancy: Double] = [.label: 0.855, .secondary: 0.32]
private let darkShares: [Vibrancy: Double] = [.label: 0.9926, .secondary: 0.867]
/// How much of a shape is white or black.
private let shares: [Vibrancy: Double] = [
  .fill: 0.2, .secondaryFill: 0.16, .tertiaryFill: 0.12, .separator: 0.29,
]

/// What glass becomes around text: where white (black) would have less than 1.18 times the contrast with
/// it, so much darker (lighter).
private func ground(
  _ glass: SIMD3<Double>, _ contrast: Double, _ polarity: Polarity
) -> SIMD3<Double> {
  let l = luminance(of: glass)
  return switch polarity {
  case .light: set(glass, min(l, 1.05 / (1.18 * contrast) - 0.05))
  case .dark: set(glass, max(l, 0.05 * 1.18 * contrast - 0.05))
  }
}

/// Gives light a luminance: less of all of it, or as much more of each; what would be above white comes as
/// much nearer to gray.
private func set(_ light: SIMD3<Double>, _ luminance: Double) -> SIMD3<Double> {
  let l = FrostTests.luminance(of: light)
  if luminance == l { return light }
  if luminance < l { return light * (luminance / l) }
  let way = light - l
  let excess = way.max() + luminance
  return luminance + way * (excess > 1 ? (1 - luminance) / way.max() : 1)
}

/// Of light, blue first.
private func luminance(of light: SIMD3<Double>) -> Double {
  0.0722 * light.x + 0.7152 * light.y + 0.2126 * light.z
}

/// The light of a pixel, over black; IEC 61966-2-1.
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

/// How far a picture is off.
struct GoldenError: CustomStringConvertible {
  /// In levels, of any channel.
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
    // Of the colours: alpha has no part in it where all is opaque.
    psnr = 10 * log10(255 * 255 / (squares / Double(3 * picture.pixels.count)))
  }

  var description: String { "\(worst) levels off at \(place.x), \(place.y); \(psnr) dB" }
}
