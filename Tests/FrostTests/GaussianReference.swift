import Glibc
import Raster

/// The reference of the blur: a float64 Gaussian, truncated at 5 sigma, mirrored at the edges (d c
/// b a | a b c d). The result has three values a pixel: blue, green, red.
func gaussian(_ picture: Bitmap, sigma: Double) -> [Double] {
  var values = picture.pixels.flatMap { pixel in
    (0..<3).map { Double(pixel >> (8 * UInt32($0)) & 255) }
  }
  let radius = Int(5 * sigma + 0.5)
  if radius == 0 { return values }
  var weights = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
  let sum = weights.reduce(0, +)
  weights = weights.map { $0 / sum }
  let (width, height) = (picture.width, picture.height)
  values = filter(values, lines: height, length: width, lineStride: 3 * width, step: 3, weights)
  return filter(values, lines: width, length: height, lineStride: 3, step: 3 * width, weights)
}

private func filter(
  _ values: [Double], lines: Int, length: Int, lineStride: Int, step: Int, _ weights: [Double]
) -> [Double] {
  let radius = weights.count / 2
  let mirror = (-radius..<length + radius).map { position in
    let period = 2 * length
    let within = ((position % period) + period) % period
    return within < length ? within : period - 1 - within
  }
  var result = values
  var padded = [Double](repeating: 0, count: mirror.count)
  for line in 0..<lines {
    for channel in 0..<3 {
      let start = line * lineStride + channel
      for (i, source) in mirror.enumerated() { padded[i] = values[start + source * step] }
      for i in 0..<length {
        var sum = 0.0
        for j in weights.indices { sum += weights[j] * padded[i + j] }
        result[start + i * step] = sum
      }
    }
  }
  return result
}

/// The 8-bit picture nearest to a reference, with the size of `picture`.
func rounded(_ reference: [Double], like picture: Bitmap) -> Bitmap {
  var nearest = picture
  for i in nearest.pixels.indices {
    let channels = (0..<3).map { UInt32(reference[3 * i + $0].rounded()) }
    nearest.pixels[i] = 0xff00_0000 | channels[2] << 16 | channels[1] << 8 | channels[0]
  }
  return nearest
}

/// The error of a picture: the PSNR in dB, the largest error in levels, and whether all alphas are
/// 255.
struct Deviation {
  var psnr: Double
  var largest: Double
  var alphaIsExact: Bool
}

func deviation(of picture: Bitmap, from reference: [Double]) -> Deviation {
  var squares = 0.0
  var largest = 0.0
  for (i, pixel) in picture.pixels.enumerated() {
    for channel in 0..<3 {
      let error = Double(pixel >> (8 * UInt32(channel)) & 255) - reference[3 * i + channel]
      squares += error * error
      largest = max(largest, abs(error))
    }
  }
  let mean = squares / Double(reference.count)
  return Deviation(
    psnr: 10 * log10(255 * 255 / max(mean, 1e-12)), largest: largest,
    alphaIsExact: picture.pixels.allSatisfy { $0 >> 24 == 255 })
}
