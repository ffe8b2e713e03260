import TestSupport

/// A kind of X server whose screen can be resized.
enum SoakScreen: String, CaseIterable {
  case xvfb = "Xvfb"
  case vnc = "Xtigervnc"

  /// A server with the first of the sizes.
  func makeServer() throws -> XServer {
    let (width, height) = sizes[0]
    switch self {
    case .xvfb:
      let server = try XServer(width: width, height: height)
      // Only without an output its screen can get any size.
      _ = try server.run("xrandr", ["--output", "screen", "--off"])
      return server
    case .vnc: return try XServer(.vnc, width: width, height: height)
    }
  }

  /// Sizes that the server takes.
  var sizes: [(width: Int, height: Int)] {
    switch self {
    case .xvfb: [(640, 480), (500, 400), (360, 420), (600, 300), (420, 480)]
    case .vnc: [(640, 480), (800, 600), (1024, 768), (1280, 720)]
    }
  }

  /// Gives the screen a size. Throws if the server refuses it.
  func resize(_ server: XServer, to size: (width: Int, height: Int)) throws {
    let text = "\(size.width)x\(size.height)"
    let arguments =
      switch self {
      case .xvfb: ["--fb", text]
      // Otherwise each change scales the millimetres of the screen, until they are 0, which the server refuses.
      case .vnc: ["--dpi", "96", "--output", "VNC-0", "--mode", text]
      }
    let outcome = try server.run("xrandr", arguments)
    guard outcome.status == .exited(0) else { throw TestFailure("xrandr: \(outcome.err)") }
  }
}
