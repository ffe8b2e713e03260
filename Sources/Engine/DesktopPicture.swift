package import Panes
package import Raster

/// The picture of the whole screen of a display, without the pointer.
package struct DesktopPicture: Sendable {
  /// The pixels of an output in the order in which they are seen: BGRX.
  package struct Part: Sendable {
    package let output: Output
    /// Nil if the output could not be captured, as one that is off.
    package let pixels: Bitmap?

    /// `pixels` has the size of the output.
    package init(_ output: Output, _ pixels: Bitmap?) {
      self.output = output
      self.pixels = pixels
    }
  }

  package let parts: [Part]
  /// The rectangle of the whole screen. Each output that is not a mirror shows a part of it.
  package let bounds: Rect

  /// The picture of these outputs. `screen` is the whole screen if it is larger than the outputs together.
  package init(_ parts: [Part], screen: Rect? = nil) {
    self.parts = parts
    let outputs = parts.map(\.output).filter { !$0.isMirror }
    bounds = screen ?? outputs.reduce(Rect.zero) { $0.hull($1.bounds) }
  }
}
