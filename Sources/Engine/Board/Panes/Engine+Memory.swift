package import Panes
import Raster

/// The memory that panes take when they are shown. It is allocated in frames, where a lack of it would end the process.
extension Engine where Server: ~Copyable {
  /// An upper bound of the bytes that some panes, and those that are not drawn yet, may need. Most panes need a tenth of it.
  package func byteCount(ofNew panes: [Pane]) -> Int {
    let names = Set(panes.map(\.name))
    let undrawn = board.entries.map { entry in (entry.pane, entry.drawn == nil) }
      .filter { pane, isUndrawn in isUndrawn && pane.isShown && !names.contains(pane.name) }
    let outputs = server.outputs.map(\.bounds.area)
    // The bytes of the pixels, the cells and the captures of each output, which panes share.
    let shared = outputs.reduce(0, +) * Self.bytesPerSharedPixel
    return (panes + undrawn.map(\.0)).reduce(shared) { sum, pane in
      let area = pane.placement.fixedSize.map { $0.width * $0.height } ?? outputs.max() ?? 0
      return sum + area * Self.bytesPerPanePixel
    }
  }

  /// Pixels at full resolution, cells of one pixel at worst, and the capture.
  private static var bytesPerSharedPixel: Int { 16 }
  /// Two or three buffers, planes of cells, the shadow and content.
  private static var bytesPerPanePixel: Int { 32 }
}
