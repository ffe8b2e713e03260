package import Engine
package import Raster

/// A display with its server, for the tests of what the protocol `Display` promises. All of its screen can be watched.
package final class DisplayStage<Server: Display & ~Copyable> {
  var display: Server
  let bounds: Rect
  let tolerance: Tolerance
  /// Whether overlays can have shapes.
  let hasShapes: Bool
  let server: ServerControls

  /// By how many levels pixels may differ from what they should be.
  package struct Tolerance {
    /// The tolerance for overlays on the screen.
    let shown: Int
    /// The tolerance for captured pixels below overlays.
    let captured: Int

    package init(shown: Int = 0, captured: Int = 0) {
      self.shown = shown
      self.captured = captured
    }
  }

  /// What a test does with the server.
  package struct ServerControls {
    /// Sends what is due, lets the server work, and returns the events of the display. Waits a little if there are none.
    let step: (inout Server) throws -> [DisplayEvent]
    /// Paints a part of what is below the overlays.
    let paint: (Rect, UInt32) throws -> Void
    /// What the user sees: BGRX.
    let screenshot: (inout Server) throws -> Bitmap
    /// Destroys the window of a shown overlay, as another program or the server may.
    let destroy: (borrowing Server, OverlayID) throws -> Void

    package init(
      step: @escaping (inout Server) throws -> [DisplayEvent],
      paint: @escaping (Rect, UInt32) throws -> Void,
      screenshot: @escaping (inout Server) throws -> Bitmap,
      destroy: @escaping (borrowing Server, OverlayID) throws -> Void
    ) {
      self.step = step
      self.paint = paint
      self.screenshot = screenshot
      self.destroy = destroy
    }
  }

  package init(
    _ display: consuming Server, bounds: Rect, tolerance: Tolerance = Tolerance(),
    hasShapes: Bool = false, _ server: ServerControls
  ) {
    self.display = display
    self.bounds = bounds
    self.tolerance = tolerance
    self.hasShapes = hasShapes
    self.server = server
  }
}

/// A promise that was not kept.
package struct BrokenPromise: Error, CustomStringConvertible {
  package let description: String
  init(_ text: String) { description = text }
}
