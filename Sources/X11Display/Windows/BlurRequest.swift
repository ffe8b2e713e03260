import Raster

/// The value of `_KDE_NET_WM_BLUR_BEHIND_REGION`, as KWin reads it.
enum BlurRequest: Equatable, Sendable {
  case wholeWindow
  /// Rectangles in the coordinates of the window, which may extend beyond it.
  case region([Rect])

  /// A list of words that is not empty and a multiple of four is a list of rectangles: x, y, width and height, as signed
  /// numbers. Any other value means the whole window.
  init(words: [UInt32]) {
    guard !words.isEmpty, words.count.isMultiple(of: 4) else {
      self = .wholeWindow
      return
    }
    func number(_ word: UInt32) -> Int { Int(Int32(bitPattern: word)) }
    let rects = stride(from: 0, to: words.count, by: 4).map {
      Rect(
        x: number(words[$0]), y: number(words[$0 + 1]), width: number(words[$0 + 2]),
        height: number(words[$0 + 3]))
    }
    self = .region(rects)
  }

  /// The most rectangles that are kept as they are: the shape of a window with more would take long to compute.
  private static let rectLimit = 256

  /// The region in a window at `client`, in the coordinates of the screen.
  func region(in client: Rect) -> Region {
    guard case .region(let rects) = self else { return Region(client) }
    let inside = rects.filter { $0.width > 0 && $0.height > 0 }
      .map { $0.translated(x: client.x, y: client.y).intersection(client) }
      .filter { !$0.isEmpty }
    return inside.count > Self.rectLimit
      ? Region(covering: inside).intersection(client) : Region(inside)
  }
}
