import Raster

/// A transform of `wl_output` or `wl_surface`, 0 to 7, by the definition of the protocol and not by the code that is tested.
struct PictureTurn: Equatable {
  let value: Int
  /// The size of the picture as it is seen.
  let width, height: Int

  /// The size of the transformed picture.
  var nativeSize: (width: Int, height: Int) {
    value % 2 == 1 ? (height, width) : (width, height)
  }

  /// The place of a pixel in the transformed picture.
  func native(x: Int, y: Int) -> (x: Int, y: Int) {
    switch value {
    case 0: (x, y)
    case 1: (y, width - 1 - x)
    case 2: (width - 1 - x, height - 1 - y)
    case 3: (height - 1 - y, x)
    case 4: (width - 1 - x, y)
    case 5: (y, x)
    case 6: (x, height - 1 - y)
    default: (height - 1 - y, width - 1 - x)
    }
  }

  /// The same of a rectangle.
  func native(_ rect: Rect) -> Rect {
    if rect.isEmpty { return .zero }
    let (one, other) = (
      native(x: rect.x, y: rect.y), native(x: rect.maxX - 1, y: rect.maxY - 1)
    )
    return Rect(
      min(one.x, other.x)..<max(one.x, other.x) + 1, min(one.y, other.y)..<max(one.y, other.y) + 1)
  }
}
