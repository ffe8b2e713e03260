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
    let contents = GoldenContents(items, on: pane)
    contents.lay(on: &glass, contents.polarity(over: glass))
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

func levels(_ pixel: UInt32) -> SIMD4<Double> {
  SIMD4(
    Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255), Double(pixel >> 24))
}

func opaque(_ color: Color) -> SIMD4<Double> {
  255 * SIMD4(color.blue, color.green, color.red, 1)
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
