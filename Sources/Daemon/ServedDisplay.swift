import Engine
import Logging
import WaylandDisplay
import X11Display

/// A display that the daemon can open.
protocol ServedDisplay: Display, SendableMetatype, ~Copyable {
  /// Opens the display with a name. Waits for the server. `proceed` is called when the server has answered and before
  /// anything is changed there; if it returns false, nothing is opened and the result is nil. Throws `unreachable`,
  /// `unsupported` or `alreadyServed`.
  static func open(
    _ name: String, _ options: Options, replacesOther: Bool, _ logger: Logger,
    proceed: () -> Bool
  ) throws(DisplayError) -> Self?
}

extension X11Display: ServedDisplay {
  static func open(
    _ name: String, _ options: Options, replacesOther: Bool, _ logger: Logger,
    proceed: () -> Bool
  ) throws(DisplayError) -> X11Display? {
    if let way = options.glass, way != .live {
      throw .unsupported(
        "display \(name) cannot show \(way.rawValue) glass: an X server shows live glass only")
    }
    let connection = try DisplayConnection(to: name)
    if !proceed() { return nil }
    return try X11Display.open(
      connection, replacesOther: replacesOther,
      frameInterval: .seconds(1 / options.framesPerSecond), toolkitScale: options.toolkitScale,
      outputScales: options.outputScales, log: logger.log)
  }
}

extension WaylandDisplay: ServedDisplay {
  /// A compositor does not tell whether another daemon serves it. The control socket does.
  static func open(
    _ name: String, _ options: Options, replacesOther: Bool, _ logger: Logger,
    proceed: () -> Bool
  ) throws(DisplayError) -> WaylandDisplay? {
    let display = try WaylandDisplay.open(
      name, way: options.glass, threads: options.threads)
    if !proceed() { return nil }
    return display
  }
}

extension Logger {
  /// Logs a line of the display.
  fileprivate func log(_ message: X11Display.Message) {
    switch message.kind {
    case .error: error("\(message.text)")
    case .warning: warning("\(message.text)")
    }
  }
}
