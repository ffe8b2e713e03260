/// The name of a display: of an X server or of a Wayland compositor. Names of one screen of an X server are equal: `:0`, `:0.0` and
/// `unix:0`.
package enum DisplayName: Hashable, Sendable {
  /// A name as in DISPLAY: `:0`, `:0.1`, `host:10`.
  case x11(String)
  /// A name as in WAYLAND_DISPLAY: `wayland-1`, or the path of the socket.
  case wayland(String)

  /// Names of X servers have a colon, those of compositors have none.
  package init(_ text: String) {
    self = text.contains(":") ? .x11(text) : .wayland(text)
  }

  package var text: String {
    switch self {
    case .x11(let text), .wayland(let text): text
    }
  }

  private var identity: String {
    switch self {
    case .x11(let text): ":" + screenName(text)
    case .wayland(let text): text
    }
  }

  package static func == (one: DisplayName, other: DisplayName) -> Bool {
    one.identity == other.identity
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  package var server: ServerChoice {
    switch self {
    case .x11: .x11
    case .wayland: .wayland
    }
  }

  /// The folder and the name of the socket of the server, if it is on this host.
  package func serverSocket() -> (folder: String, name: String) {
    switch self {
    case .x11(let display):
      return ("/tmp/.X11-unix", "X\(display.drop { $0 != ":" }.dropFirst().prefix { $0 != "." })")
    case .wayland(let socket):
      let folder = socket.folderOfPath ?? environmentVariable("XDG_RUNTIME_DIR") ?? "/"
      return (folder, socket.nameInPath)
    }
  }

  /// Whether its name says that it is reached through the network.
  package var isOnOtherHost: Bool {
    if case .x11(let name) = self {
      !name.hasPrefix(":") && !name.hasPrefix("unix:")
    } else {
      false
    }
  }

  /// Whether a server on this host listens, which may still refuse this user.
  package func hasListeningServer() -> Bool {
    if isOnOtherHost { return false }
    let socket = serverSocket()
    return isListening("\(socket.folder)/\(socket.name)")
  }

  /// The displays that may be meant, the best first: the given one, or those of the environment. Throws `noDisplay`.
  package static func candidates(
    _ given: String?, server: ServerChoice = .auto,
    environment: (String) -> String? = environmentVariable
  ) throws(ControlError) -> [DisplayName] {
    func named(_ text: String?) -> [String] { text.flatMap { $0.isEmpty ? nil : [$0] } ?? [] }
    var all: [DisplayName] = named(given).map { DisplayName($0) }
    if given == nil {
      all = named(environment("WAYLAND_DISPLAY")).map { .wayland($0) }
      all += named(environment("DISPLAY")).map { .x11($0) }
    }
    let wanted = all.filter { server == .auto || server == $0.server }
    if wanted.isEmpty { throw .noDisplay(server) }
    return wanted
  }
}

/// The kind of display server that is served.
package enum ServerChoice: String, CaseIterable, Sendable {
  /// Wayland if there is a compositor that can show glass, else X11.
  case auto
  case x11
  case wayland
}

/// The variables that tell a daemon which session it belongs to.
package let sessionVariables = [
  "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "GDK_SCALE",
  "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_STATE_HOME",
]
