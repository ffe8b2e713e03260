import Engine
import Glibc
import Panes
import Raster
import TestSupport

@testable import WaylandDisplay

/// A kind of picture behind a pane.
enum Scenery: String, CaseIterable {
  /// Dark text on white.
  case document
  /// Light text on nearly black.
  case terminal
  /// Soft colours with some noise.
  case photo
}

extension Scenery {
  /// A picture of it; seeds give different ones.
  func picture(width: Int = 480, height: Int = 320, seed: UInt64) -> Bitmap {
    var picture = Bitmap(width: width, height: height)
    let noise = Bitmap.noise(width: width, height: height, seed: seed)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let grain = Int(noise[x, y] & 15)
        // Words of random glyphs in lines.
        let word = noise[x / 9, y / 16 * 16] & 7
        let isInk = y % 16 < 10 && word > 1 && noise[x, y] >> 8 & 3 == 0
        let shift = Int(seed) * 37
        picture[x, y] =
          switch self {
          case .document: isInk ? 0xff22_2222 : 0xffff_ffff
          case .terminal: isInk ? 0xffd0_d8d0 : 0xff1e_1e1e
          case .photo:
            color(
              (x + shift) % width * 200 / width + grain, y * 180 / height + grain,
              abs((x + y + shift) % 400 - 200) + grain)
          }
      }
    }
    return picture
  }

  private func color(_ red: Int, _ green: Int, _ blue: Int) -> UInt32 {
    [red, green, blue].reduce(0xff) { $0 << 8 | UInt32(min(255, $1)) }
  }
}

/// The glass of a picture, computed offline.
func offlineGlass(
  of picture: Bitmap, in rect: Rect, sigma: Double, _ server: WaylandServer
) throws -> Bitmap {
  try offlineGlass(
    of: picture, in: rect, sigma: sigma, folder: server.runtimeDirectory,
    environment: server.environment)
}

/// The same with files in a folder.
func offlineGlass(
  of picture: Bitmap, in rect: Rect, sigma: Double, folder: String,
  environment: [String: String] = [:]
) throws -> Bitmap {
  try writePNG(straight: picture, to: folder + "/bare.png")
  let outcome = try Child.run(
    ProgramPaths.backdropctl,
    ["blur", folder + "/bare.png", folder + "/glass.png", "--sigma", "\(sigma)"],
    environment: environment)
  guard outcome.status == .exited(0) else { throw TestFailure(outcome.err) }
  return try readPNG(folder + "/glass.png").cropped(to: rect)
}

/// The peak signal to noise ratio of two pictures in dB, and the largest difference, without the pixels of marks.
func fidelity(
  of one: Bitmap, to other: Bitmap, marks: [(x: Int, y: Int)]
) -> (decibels: Double, most: Int) {
  var (sum, most, count) = (0.0, 0, 0)
  for y in 0..<one.height {
    for x in 0..<one.width where !marks.contains(where: { $0 == (x, y) }) {
      for shift: UInt32 in [0, 8, 16] {
        let difference = abs(
          Int(one[x, y] >> shift & 255) - Int(other[x, y] >> shift & 255))
        sum += Double(difference * difference)
        most = max(most, difference)
        count += 1
      }
    }
  }
  return (sum == 0 ? 99 : 10 * log10(255 * 255 * Double(count) / sum), most)
}
