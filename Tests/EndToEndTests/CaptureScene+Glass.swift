import Raster
import TestSupport
import Testing

extension CaptureScene {
  /// The glass of a whole screen, made by `backdropctl blur` from a file: without a daemon, without X.
  private func frosted(_ screen: Bitmap, sigma: Double) throws -> Bitmap {
    let (bare, glass) = (
      server.runtimeDirectory + "/bare.png", server.runtimeDirectory + "/glass.png"
    )
    try writePNG(straight: screen, to: bare)
    try daemon.ask("blur", bare, glass, "--sigma", "\(sigma)")
    return try readPNG(glass)
  }

  /// Every pixel of the screen, whatever its size is now: where the pane is, the glass of what lies
  /// behind it; elsewhere, what is there without it.
  ///
  /// `rect` starts at multiples of 8, where the dither of a pane falls in with that of a whole screen.
  func checkScreen(
    _ name: String, at rect: Rect, sigma: Double, _ when: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    precondition(rect.x % 8 == 0 && rect.y % 8 == 0)
    let place = Comment(rawValue: "seed \(seed), \(when)")
    try client.sync()
    try daemon.sync()
    // A connection knows the size that the screen had when it was made.
    let eye = try TestClient(server)
    let shown = try eye.screenshot()
    let picture = try snapshot(name)
    let backdrop = try snapshot(name, "--backdrop")
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
    expect(shown.cropped(to: rect), picture, "the pane is what was drawn")
    expect(backdrop, bare.cropped(to: rect), "the backdrop is the screen without it")
    let glass = try frosted(bare, sigma: sigma).cropped(to: rect)
    expect(shown, bare.replacing(rect, with: glass), "the screen is glass in the pane's place")
    expect(again, shown, "drawn anew, it is the same")
  }
}

extension Bitmap {
  /// The same with another picture in the place of `rect`.
  fileprivate func replacing(_ rect: Rect, with part: Bitmap) -> Bitmap {
    var result = self
    for y in 0..<rect.height {
      for x in 0..<rect.width { result[rect.x + x, rect.y + y] = part[x, y] }
    }
    return result
  }
}
