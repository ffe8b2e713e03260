package import Engine
package import Panes

/// The features of an X server and its desktop for backdropd. The survey changes nothing there, and a daemon may serve the
/// display meanwhile.
package struct ServerSurvey: Sendable {
  /// The extensions that the server has, among those that backdropd asks for.
  package let extensions: [ServerExtension]
  /// The survey of the screen, or the reason why backdropd does not serve the display.
  package let desktop: Result<DesktopSurvey, DisplayError>

  package init(_ extensions: [ServerExtension], _ desktop: Result<DesktopSurvey, DisplayError>) {
    self.extensions = extensions
    self.desktop = desktop
  }

  /// Asks the server, and waits for it. `toolkitScale` is the scale of toolkits in the environment; nil if it says none.
  /// Throws `unreachable` or `lost`.
  package init(of display: String, toolkitScale: Double?) throws(DisplayError) {
    extensions = try XConnection.extensions(of: display)
    do throws(DisplayError) {
      let connection = try DisplayConnection(to: display)
      var opened = try X11Display.openUnserved(connection, toolkitScale: toolkitScale)
      desktop = .success(opened.survey())
    } catch {
      guard case .unsupported = error else { throw error }
      desktop = .failure(error)
    }
  }
}

/// The programs and windows on the screen of an X server.
package struct DesktopSurvey: Equatable, Sendable {
  /// The depth of the screen, in bits.
  package var depth: Int
  /// The whole screen.
  package var screen: Output
  /// The monitors, or the whole screen if there are none; and the names of outputs that show nothing.
  package var outputs: [Output], inactiveOutputs: [String]
  /// Whether the server is on this host, and whether it maps memory of its clients.
  package var isLocal, sharesMemory: Bool
  /// Whether the screen has a visual with alpha.
  package var hasAlphaVisual: Bool
  /// The name of the compositing manager, empty if it has none; nil if none runs.
  package var compositor: String?
  /// Whether the compositing manager blends windows with alpha.
  package var blendsAlpha: Bool
  /// The name of the window manager, empty if it has none; nil if none runs that follows EWMH.
  package var windowManager: String?
  /// The pixmap of the wallpaper that a property of the root names.
  package var rootPixmap: RootPixmap
  /// The name of the window of the desktop that covers an output, empty if it has none; nil if there is no such window.
  package var desktopWindow: String?
  /// The process of the daemon that serves the display; 0 if it is unknown, nil if there is none.
  package var daemon: Int?

  package init(
    depth: Int, screen: Output, outputs: [Output], inactiveOutputs: [String] = [],
    isLocal: Bool = true, sharesMemory: Bool = true, hasAlphaVisual: Bool = true,
    compositor: String? = nil, blendsAlpha: Bool = false, windowManager: String? = nil,
    rootPixmap: RootPixmap = .none, desktopWindow: String? = nil, daemon: Int? = nil
  ) {
    self.depth = depth
    self.screen = screen
    self.outputs = outputs
    self.inactiveOutputs = inactiveOutputs
    self.isLocal = isLocal
    self.sharesMemory = sharesMemory
    self.hasAlphaVisual = hasAlphaVisual
    self.compositor = compositor
    self.blendsAlpha = blendsAlpha
    self.windowManager = windowManager
    self.rootPixmap = rootPixmap
    self.desktopWindow = desktopWindow
    self.daemon = daemon
  }
}

/// The state of the pixmap of the wallpaper that the properties of the root name.
package enum RootPixmap: Equatable, Sendable {
  case none, usable
  case unusable(Fault)

  /// Why a pixmap cannot be shown.
  package enum Fault: Equatable, Sendable {
    /// It does not exist any more.
    case gone
    /// The screen has no visual of this depth whose pixels can be converted.
    case depth(Int)
  }
}
