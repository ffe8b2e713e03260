import Raster

/// The contents that captures may show of a surface: the displayed one, and that of the last commit until a capture shows it.
///
/// At most one commit is not confirmed: the next one waits until a capture has shown the last. So a capture contains one of
/// two faces, and their marks tell which.
struct SurfaceFaces {
  /// The face in captures until now; nil before the first commit was seen.
  private(set) var displayed: Face?
  /// The face of the last commit, until a capture shows it.
  private(set) var committed: Face?
  /// The marks of the displayed face.
  private(set) var marks: [Int: Face.Mark] = [:]
  /// The number of the output's last capture when it was committed. Later ones show the commit.
  var captureAtCommit = 0
  /// Whether the marks in the last capture do not tell whether it contains the last commit: it showed as many marks of the commit
  /// as of the displayed face, usually none.
  private(set) var isCommitHidden = false

  var all: [Face?] { [displayed, committed] }

  mutating func commit(_ face: Face) { committed = face }

  /// Finds out which face a capture of `rect` with a number shows. `isFrameDone` is whether the compositor says that it has
  /// drawn the last commit. Returns whether that is seen for the first time.
  mutating func attribute(
    _ screen: Span<UInt32>, _ layout: PixelLayout, in rect: Rect, ofCapture number: Int,
    isFrameDone: Bool
  ) -> Bool {
    isCommitHidden = false
    guard let committed else { return false }
    let (seen, all) = committed.visibleMarks(on: screen, layout, in: rect)
    // Other overlays and windows may cover some marks, so those of the displayed face are counted too.
    let isSamePlace = displayed?.rect == committed.rect
    let old = marks.filter { !isSamePlace || committed.touched.contains($0.key) }.values
      .count { rect.contains(x: $0.x, y: $0.y) && $0.isVisible(on: screen, layout) }
    // If all marks are covered, or there are none, the order of requests and the compositor's frame callback decide.
    let isDrawn = isFrameDone || number > captureAtCommit
    let isUnclear = committed.marks.isEmpty || all > 0 && seen == old
    guard seen > old || isDrawn && isUnclear else {
      isCommitHidden = all > 0 && seen == old
      return false
    }
    confirm()
    return true
  }

  /// The last commit is on the screen.
  mutating func confirm() {
    guard let face = committed else { return }
    if displayed?.rect != face.rect { marks = [:] }
    for tile in face.touched { marks[tile] = face.marks[tile] }
    displayed = face
    committed = nil
  }
}
