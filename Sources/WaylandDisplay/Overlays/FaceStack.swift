import Frost
import Raster

/// A part of an output with the displayed overlays that cover it, at most one in each layer of the compositor.
struct FaceStack {
  /// The overlay below windows; nil if there is none.
  private(set) var lower: Part?
  /// The parts above windows, the lowest first.
  private(set) var upper: [Part] = []
  private(set) var region: Region

  struct Part {
    let surface: OverlaySurface
    let face: Face
  }

  /// The stacks of overlays in a region, without the parts where overlays of one layer overlap on the screen.
  static func all(of surfaces: [OverlaySurface], in region: Region) -> [FaceStack] {
    var stacks = [FaceStack(region: region)]
    for layer in Set(surfaces.map(\.waylandLayer)).sorted() {
      let parts = surfaces.filter { $0.waylandLayer == layer }
        .compactMap { surface in surface.displayed.map { Part(surface: surface, face: $0) } }
      stacks = stacks.flatMap { $0.divided(by: parts) }
    }
    return stacks
  }

  private init(region: Region) { self.region = region }

  /// Divides the stack by overlays of a higher layer: one stack for each of them, and one for the rest of the region.
  private func divided(by parts: [Part]) -> [FaceStack] {
    var rest = self
    var divided: [FaceStack] = []
    for (index, part) in parts.enumerated() {
      var stack = self
      stack.region = region.intersection(part.face.owned)
      rest.region.subtract(part.face.owned)
      for (other, one) in parts.enumerated() where other != index {
        stack.region.subtract(one.face.owned)
      }
      if stack.region.isEmpty { continue }
      if part.surface.level == .wallpaper { stack.lower = part } else { stack.upper.append(part) }
      divided.append(stack)
    }
    return rest.region.isEmpty ? divided : divided + [rest]
  }

  /// Where the upper overlays hide what is below them, apart from leaks.
  var opaque: Region { upper.reduce(Region()) { $0.union($1.face.opaque) }.intersection(region) }

  /// The pixels of some of the overlays in a rectangle.
  static func pixels(of parts: [Part], in rect: Rect) -> OverlayPixels {
    parts.reduce(into: OverlayPixels(rect)) { pixels, part in
      part.face.buffer.withSpan { pixels.append($0, part.face.layout) }
    }
  }
}
