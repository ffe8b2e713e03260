import Raster

/// The value of `_KDE_NET_WM_BLUR_BEHIND_REGION`, as KWin reads it.
enum BlurRequest: Equatable, Sendable {
  case wholeWindow
  /// Rectangles in the coordinates of the window, which may extend beyond it.
  case region([Rect])

  /// A list of words that is not empty and a multiple of four is a list of rectangles: x, y, width and height, as signed
  /// numbers. Any other value means the whole window, and so does one that is too long to be read as a whole.
  init(words: [UInt32], isWhole: Bool = true) {
    guard isWhole, !words.isEmpty, words.count.isMultiple(of: 4) else {
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

  /// The largest number of rectangles of a list, and of the region of the list. Larger regions would take long to compute. The
  /// lists of applications have some dozens of rectangles, for round corners.
  static let rectLimit = 256

  /// The region in a window at `client`, in the coordinates of the screen. If it is too complex, the smallest rectangle
  /// around it.
  func region(in client: Rect) -> Region {
    guard case .region(let rects) = self else { return Region(client) }
    let inside = rects.compactMap { rect -> Rect? in
      if rect.width <= 0 || rect.height <= 0 { return nil }
      let part = rect.translated(x: client.x, y: client.y).intersection(client)
      return part.isEmpty ? nil : part
    }
    if inside.count <= Self.rectLimit, let region = Region(inside, limit: Self.rectLimit) {
      return region
    }
    return Region(inside.reduce(Rect.zero) { $0.hull($1) })
  }
}
