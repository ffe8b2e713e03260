package import Engine
package import Panes
package import WaylandClient

/// The features of a compositor for backdropd. The survey changes nothing there.
package struct CompositorSurvey: Sendable {
  /// The name of the process that listens at the socket of the compositor; nil if it is unknown.
  package let process: String?
  /// The globals of the compositor, sorted by the names of the interfaces.
  package let globals: [Globals.Global]
  /// How glass can be shown, or why backdropd does not serve the display.
  package let glass: Result<GlassSurvey, DisplayError>

  package init(
    process: String?, globals: [Globals.Global], glass: Result<GlassSurvey, DisplayError>
  ) {
    self.process = process
    self.globals = globals
    self.glass = glass
  }

  /// Asks a compositor, and waits for it. Throws `unreachable` or `lost`.
  package init(of display: String) throws(DisplayError) {
    (process, globals) = try withDisplayErrors { () throws(WaylandError) in
      let connection = try WaylandConnection(display)
      let globals = try connection.globals()
      let sorted = globals.all.values.sorted { $0.interface < $1.interface }
      return (connection.peerName, sorted)
    }
    do throws(DisplayError) {
      let opened = try WaylandDisplay.open(display)
      glass = .success(
        GlassSurvey(
          way: opened.way, reason: opened.report.reason, outputs: opened.outputs,
          inactiveOutputs: opened.inactiveOutputs))
    } catch {
      guard case .unsupported = error else { throw error }
      glass = .failure(error)
    }
  }
}

/// How glass can be shown on a compositor, and on which outputs.
package struct GlassSurvey: Equatable, Sendable {
  /// The way in which glass is shown, and the reason for it. Captures decide between live and still glass when the first pane
  /// is shown.
  package let way: GlassWay
  package let reason: String
  /// The outputs, and the names of those that show nothing.
  package let outputs: [Output], inactiveOutputs: [String]

  package init(
    way: GlassWay, reason: String, outputs: [Output], inactiveOutputs: [String] = []
  ) {
    self.way = way
    self.reason = reason
    self.outputs = outputs
    self.inactiveOutputs = inactiveOutputs
  }
}
