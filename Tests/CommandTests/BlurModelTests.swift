import Glibc
import Raster
import TestSupport
import Testing

/// One picture of `blur` with many settings, against a model in float64, on a flat backdrop, which a blur does
/// not change. It checks the order of the layers: tone, content, border, corners, shadow, backdrop.
@Suite struct BlurModelTests {
  private let folder = CommandFolder()
  /// Red, green, blue.
  private let backdrop = [200, 120, 60]
  private let pane = Rect(x: 30, y: 22, width: 96, height: 64)

  private func blur(_ input: String, _ output: String, _ arguments: [String]) throws {
    let files = ["\(folder.path)/\(input)", "\(folder.path)/\(output)"]
    let outcome = try Child.run(
      ProgramPaths.backdropctl, ["blur"] + files + ["--no-dither", "--plain"] + arguments,
      environment: [:])
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty, "\(outcome.err)")
  }

  /// Blue, green, red and alpha of each pixel, premultiplied. Alpha follows from the difference over black and
  /// over white.
  private func painted(alpha: Int, _ arguments: [String]) throws -> [[Double]] {
    flat("in.png", backdrop + [alpha])
    try blur("in.png", "out.png", arguments)
    let looks = try [0, 255].map { level in
      flat("below.png", [level, level, level, 255])
      try blur(
        "below.png", "look.png",
        ["--sigma", "0", "--content", folder.path + "/out.png", "--at", "0,0"])
      return try readPNG(folder.path + "/look.png")
    }
    return zip(looks[0].pixels, looks[1].pixels).map { black, white in
      levels(black).dropLast() + [255 - Double(white & 255) + Double(black & 255)]
    }
  }

  private func flat(_ name: String, _ color: [Int]) {
    folder.write(
      name, HandmadePNG(colorType: 6, width: 160, height: 120) { _, _ in color }.bytes)
  }

  /// The coverage of each pixel by a label in the middle of the pane, 0 to 1: it is drawn white on black.
  private func label() throws -> [Double] {
    flat("black.png", [0, 0, 0, 255])
    try blur(
      "black.png", "label.png",
      ["--sigma", "0", "--geometry", "96x64+30+22", "--label", "Golden", "--font", "Sans Bold 15"]
        + ["--vibrancy", "none"])
    return try readPNG(folder.path + "/label.png").pixels.map { Double($0 & 255) / 255 }
  }

  /// The rounding of all steps together is at most 2.5 levels at an edge, and a translucent picture is written
  /// with colours that are not premultiplied, and read again; 1.6 was measured.
  @Test(arguments: [255, 150])
  func paneEqualsTheModelInDoublePrecision(alpha: Int) throws {
    let icon = HandmadePNG(colorType: 6, width: 20, height: 30) { x, y in
      [x * 12, 255 - y * 8, (x / 4 + y / 4) % 2 * 255, 60 + y * 6]
    }
    folder.write("icon.png", icon.bytes)
    let covered = try label()
    #expect(covered.contains(1))
    let picture = try painted(
      alpha: alpha,
      [
        "--sigma", "9", "--saturation", "1.3", "--tint", "#203040A0", "--geometry", "96x64+30+22",
        "--corner", "18", "--border", "3 #20E060C0", "--shadow", "6,-5 10 #1020A0CC", "--content",
        folder.path + "/icon.png", "--at", "-0,center", "--label", "Golden", "--font",
        "Sans Bold 15",
        "--vibrancy", "none", "--color", "#FFE0A0",
      ])
    let opacity = Double(alpha) / 255
    let toned = toned(saturation: 1.3, tint: [0x20, 0x30, 0x40], 0xA0 / 255.0)
    let outer = coverage(radius: 18, inset: 0)
    let inner = coverage(radius: 18, inset: 3)
    let shadow = blurred(outer, deviation: 5, x: 6, y: -5)
    var worst = 0.0
    for y in 0..<120 {
      for x in 0..<160 {
        let i = y * 160 + x
        var color = premultiplied(toned, opacity)
        if Rect(x: 106, y: 39, width: 20, height: 30).contains(x: x, y: y) {
          let own = icon.pixel(x - 106, y - 39)
          color = over(premultiplied(Array(own.dropLast()), Double(own[3]) / 255), color)
        }
        color = over(premultiplied([255, 0xE0, 0xA0], covered[i]), color)
        let border = (outer[i] - inner[i]) * 0xC0 / 255
        let shade = shadow[i] * 0xCC / 255 * (1 - outer[i])
        var shown = zip(color, premultiplied([0x20, 0xE0, 0x60], 1)).map {
          $0 * (outer[i] - border) + $1 * border
        }
        shown = zip(shown, premultiplied([0x10, 0x20, 0xA0], shade)).map { $0 + $1 }
        // The backdrop is visible where neither the pane nor the shadow covers it.
        let rest = 1 - outer[i] - shade
        shown = zip(shown, premultiplied(backdrop, opacity)).map { $0 + $1 * rest }
        for (level, right) in zip(picture[i], shown) {
          worst = max(worst, abs(level - right))
        }
      }
    }
    #expect(worst <= 2)
  }

  // MARK: The model

  /// Saturation, then the tint.
  private func toned(saturation: Double, tint: [Double], _ opacity: Double) -> [Double] {
    let gray = zip(backdrop, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + Double($1.0) * $1.1 }
    return zip(backdrop, tint).map {
      let saturated = gray + (Double($0) - gray) * saturation
      return saturated + ($1 - saturated) * opacity
    }
  }

  /// The coverage of each pixel by the pane without an inset, which also reduces the radius of the corners. It is
  /// the sum of thin slices, each of them exact.
  private func coverage(radius: Double, inset: Double) -> [Double] {
    var shares = [Double](repeating: 0, count: 160 * 120)
    let slices = 400
    for y in pane.rows {
      for slice in 0..<slices {
        let way = Double(y - pane.y) + (Double(slice) + 0.5) / Double(slices)
        let depth = min(way, Double(pane.height) - way) - inset
        if depth < 0 { continue }
        let rest = max(0, radius - inset - depth)
        let round = ((radius - inset) * (radius - inset) - rest * rest).squareRoot()
        let start = Double(pane.x) + inset + (radius - inset - round)
        let end = Double(pane.x + pane.maxX) - start
        for x in pane.columns {
          let length = min(end, Double(x + 1)) - max(start, Double(x))
          shares[y * 160 + x] += max(0, length) / Double(slices)
        }
      }
    }
    return shares
  }

  /// The shares blurred by a Gaussian and translated.
  private func blurred(_ shares: [Double], deviation: Double, x: Int, y: Int) -> [Double] {
    let radius = Int(5 * deviation)
    var taps = (-radius...radius).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
    let sum = taps.reduce(0, +)
    taps = taps.map { $0 / sum }
    func filtered(_ at: Int, _ count: Int, _ value: (Int) -> Double) -> Double {
      (at - radius..<at + radius + 1).clamped(to: 0..<count).reduce(0) {
        $0 + taps[$1 - at + radius] * value($1)
      }
    }
    let across = (0..<160 * 120).map { i in
      filtered(i % 160 - x, 160) { shares[i / 160 * 160 + $0] }
    }
    return across.indices.map { i in
      filtered(i / 160 - y, 120) { across[$0 * 160 + i % 160] }
    }
  }
}

/// Blue, green, red and alpha, 0 to 255, of a colour given as red, green and blue.
private func premultiplied(_ color: [Double], _ alpha: Double) -> [Double] {
  color.reversed().map { $0 * alpha } + [255 * alpha]
}

private func premultiplied(_ color: [Int], _ alpha: Double) -> [Double] {
  premultiplied(color.map(Double.init), alpha)
}

private func levels(_ pixel: UInt32) -> [Double] {
  [0, 8, 16, 24].map { Double(pixel >> $0 & 255) }
}

private func over(_ pixel: [Double], _ below: [Double]) -> [Double] {
  zip(pixel, below).map { $0 + $1 * (1 - pixel[3] / 255) }
}
