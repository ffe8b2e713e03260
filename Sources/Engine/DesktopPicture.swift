package import Panes
package import Raster

/// What is on the whole screen of a display, without the pointer.
package struct DesktopPicture: Sendable {
  /// The pixels of an output in the order in which they are seen: BGRX.
  package struct Part: Sendable {
    package let output: Output
    package let pixels: Bitmap

    /// `pixels` has the size of the output.
    package init(_ output: Output, _ pixels: Bitmap) {
      self.output = output
      self.pixels = pixels
    }
  }

  /// The outputs that show something.
  package let parts: [Part]

  /// The picture of these outputs.
  package init(_ parts: [Part]) { self.parts = parts }
}
