import Glibc
import Pictures
import Raster
import TestSupport

/// A window in which a landscape with balloons passes by at 30 Hz.
struct MovingPicture {
  /// The argument that makes this program show it.
  static let option = "--moving-picture"
  static let title = "Moving picture"
  /// The size of the window.
  static let width = 1280, height = 740

  /// Shows it until the window or the display is closed, or until the program is interrupted.
  static func show() throws {
    let display = try ownEnvironment()["DISPLAY"] ?? ""
    let client = try TestClient(display: display)
    let window = try client.makeWindow(
      Rect(x: 320, y: 270, width: width, height: height), color: 0xFF00_0000, mapped: false)
    client.setTitle(title, of: window)
    window.keepPlace()
    client.setClass("moving-picture", "MovingPicture", of: window)
    let picture = window.makePixmap(panorama())
    window.map()
    try client.sync()
    let start = ContinuousClock.now
    for frame in 0... where !Interrupts.isInterrupted {
      // It goes from one end to the other and back.
      let position = 3 * frame % (2 * (panoramaWidth - width))
      window.draw(picture, from: min(position, 2 * (panoramaWidth - width) - position))
      try client.sync()
      pause(for: start + .seconds(Double(frame + 1) / 30) - .now)
    }
  }

  private static let panoramaWidth = 3 * width

  private static func panorama() -> Bitmap {
    var picture = landscape(width: panoramaWidth, height: height)
    for balloon in balloons { balloon.draw(on: &picture) }
    return picture
  }

  private static let balloons = (0..<15).map { index in
    let colors: [UInt32] = [0xE8_4855, 0x1B_998B, 0xF9_DC5C, 0x31_85FC, 0xFF_FDF5]
    return Balloon(
      x: 110 + index * 225 + index * index % 7 * 14, y: 110 + index * 211 % 560,
      radius: 46 + index * 31 % 37, color: colors[index % colors.count])
  }
}

/// A striped ball with a basket.
private struct Balloon {
  let x, y, radius: Int
  let color: UInt32

  func draw(on picture: inout Bitmap) {
    let place = Rect(x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius)
    for row in place.rows {
      for column in place.columns
      where hypot(Double(column - x), Double(row - y)) <= Double(radius) {
        // Meridians, which are closer at the sides.
        let half = (Double(radius * radius - (row - y) * (row - y))).squareRoot()
        let across = half > 0 ? Double(column - x) / half : 0
        let stripe = Int((asin(max(-1, min(1, across))) / .pi + 0.5) * 8) % 2
        picture[column, row] = 0xFF00_0000 | (stripe == 0 ? color : 0xFF_F4E0)
      }
    }
    let basket = Rect(
      x: x - radius / 6, y: y + radius + radius / 4, width: radius / 3, height: radius / 4)
    for row in basket.rows {
      for column in basket.columns { picture[column, row] = 0xFF5A_3A28 }
    }
  }
}
