import Frost
import Raster

extension Bitmap {
  /// The plain glass of an opaque picture, as `backdropctl blur` draws it, which takes ten times as long.
  func frosted(sigma: Double) -> Bitmap {
    PaintedPane(material: Material(sigma: sigma)).painted(of: self, isOpaque: true)
  }
}
