import Raster
import TestSupport
import Testing

extension CaptureScene {
  /// Checks every pixel of the screen at its present size: the glass of the backdrop where the pane is, the
  /// screen without the pane elsewhere.
  ///
  /// `rect` starts at multiples of 8, where the dither of a pane equals that of a whole screen.
  func checkScreen(
    _ name: String, at rect: Rect, sigma: Double, _ when: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    precondition(rect.x % 8 == 0 && rect.y % 8 == 0)
    let place = Comment(rawValue: "seed \(seed), \(when)")
    try client.sync()
    try daemon.sync()
    // A connection knows the size of the screen at its start only.
    let eye = try TestClient(server)
    let shown = try eye.screenshot()
    let picture = try snapshot(name)
    let backdrop = try snapshot(name, isBackdrop: true)
    try daemon.ask("hide", name)
    try daemon.sync()
    let bare = try eye.screenshot()
    try daemon.ask("show", name)
    try daemon.sync()
    let again = try eye.screenshot()

    func expect(_ seen: Bitmap, _ wanted: Bitmap, _ what: String) {
      let difference = seen.difference(from: wanted)
      #expect(difference == nil, "\(place): \(what)", sourceLocation: sourceLocation)
    }
    expect(shown.cropped(to: rect), picture, "the pane differs from its snapshot")
    expect(
      backdrop, bare.cropped(to: rect), "the backdrop differs from the screen without the pane")
    let glass = bare.frosted(sigma: sigma).cropped(to: rect)
    expect(shown, bare.replacing(rect, with: glass), "the screen differs from the glass")
    expect(again, shown, "a pane that is shown again differs")
  }
}

extension Bitmap {
  /// A copy with another picture at `rect`.
  fileprivate func replacing(_ rect: Rect, with part: Bitmap) -> Bitmap {
    var result = self
    for y in 0..<rect.height {
      for x in 0..<rect.width { result[rect.x + x, rect.y + y] = part[x, y] }
    }
    return result
  }
}
