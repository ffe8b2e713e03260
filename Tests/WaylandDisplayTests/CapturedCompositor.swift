import Raster
import TestSupport
import WaylandClient

/// A compositor, and a protocol by which its outputs are captured.
struct CapturedCompositor: Sendable, CustomStringConvertible {
  let compositor: Compositor
  let capture: CaptureProtocol

  /// Each tested compositor with each protocol that it offers.
  static let tested = Compositor.tested.flatMap { compositor in
    offered(by: compositor).map { CapturedCompositor(compositor: compositor, capture: $0) }
  }

  /// The compositors whose outputs can be switched off.
  static let switchable = tested.filter(\.compositor.switchesOutputs)

  private static let black = Bitmap(width: 64, height: 64, filledWith: 0xff00_0000)

  private static func offered(by compositor: Compositor) -> [CaptureProtocol] {
    // Tests tell why it does not start.
    guard let server = try? WaylandServer(compositor, wallpaper: Self.black),
      let client = try? CompositorClient(server)
    else { return [.screencopy] }
    return CaptureProtocol.allCases.filter {
      CaptureManager(client.connection, client.globals, only: $0) != nil
    }
  }

  /// The name of the protocol.
  var captureName: String {
    switch capture {
    case .screencopy: "wlr-screencopy"
    case .imageCopy: "ext-image-copy-capture"
    }
  }

  var description: String { "\(compositor), \(captureName)" }

  /// Records the difference from the glass of the same screen without panes, for the table in docs/wayland.md.
  func record(decibels: Double, levels: Int) throws {
    try CompatibilityResult.live(decibels: decibels, levels: levels, captures: [captureName])
      .record(of: compositor)
  }
}
