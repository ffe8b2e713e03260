package import Engine

/// A connection to a display that is not served yet.
package struct DisplayConnection: ~Copyable {
  let x: XConnection
  let display: String

  /// Connects to a display. Waits for the server. Throws `unreachable` or `unsupported`.
  package init(to display: String) throws(DisplayError) {
    x = try XConnection(display: display)
    self.display = display
  }
}
