import Raster

/// A picture with strong colours, thin lines and hard edges, which blur has most to do with: a
/// striped sun over hills and a net of lines.
func demoWallpaper(width: Int, height: Int) -> Bitmap {
  var picture = Bitmap(width: width, height: height)
  let horizon = height * 6 / 10
  for y in 0..<height {
    for x in 0..<width {
      let color =
        y < horizon
        ? skyColor(x: x, y: y, width: width, horizon: horizon)
        : groundColor(x: x - width / 2, depth: y - horizon, height: height - horizon)
      picture.pixels[y * width + x] = 0xFF00_0000 | color
    }
  }
  return picture
}

private func skyColor(x: Int, y: Int, width: Int, horizon: Int) -> UInt32 {
  let ridge = horizon - 60 - zigzag(x, period: 380, height: 190) - zigzag(x, period: 97, height: 40)
  if y >= ridge { return y < ridge + 4 ? 0x00F0_FF : 0x1406_3A }
  let dx = x - width * 58 / 100
  let dy = y - horizon * 52 / 100
  let radius = horizon * 42 / 100
  let isSun = dx * dx + dy * dy < radius * radius
  // Gaps that widen towards the ground.
  if isSun && (dy < 0 || dy % 32 > dy * 24 / radius) {
    return blend(0xFFF0_40, 0xFF1F_6B, dy + radius, of: 2 * radius)
  }
  return blend(0x1B06_5E, 0xFF5E_3A, y, of: horizon)
}

private func groundColor(x: Int, depth: Int, height: Int) -> UInt32 {
  // Lines to the horizon keep their places; those across it come closer with the distance.
  let spread = 60 + depth * 2
  let isAlong = (x * 60 / spread + 6000) % 30 == 0
  let isAcross = (depth * depth / 40) % 97 < max(2, depth / 20)
  if isAlong || isAcross { return 0xFF2B_D6 }
  return blend(0x2A00_5F, 0x0500_1E, depth, of: height)
}

private func zigzag(_ x: Int, period: Int, height: Int) -> Int {
  abs(x % period - period / 2) * 2 * height / period
}

/// From one colour to the other, `part` of `whole` of the way.
private func blend(_ from: UInt32, _ to: UInt32, _ part: Int, of whole: Int) -> UInt32 {
  let part = min(max(0, part), whole)
  var color: UInt32 = 0
  for shift: UInt32 in [0, 8, 16] {
    let (one, other) = (Int(from >> shift & 255), Int(to >> shift & 255))
    color |= UInt32(one + (other - one) * part / whole) << shift
  }
  return color
}
