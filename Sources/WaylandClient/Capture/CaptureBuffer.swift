import Raster

/// The memory of a capture, in the shape that the compositor demands.
struct CaptureBuffer {
  private let shm: WaylandObject
  private(set) var current: SharedBuffer?

  struct Shape: Equatable {
    /// In pixels.
    let width, height: Int
    /// In bytes.
    let stride: Int
    let format: SharedBuffer.Format

    /// Whether a buffer can have it.
    var isUsable: Bool {
      let limit = Int(Int32.max)
      return width > 0 && height > 0 && stride % 4 == 0 && stride / 4 >= width
        && stride <= limit && height <= limit && stride * height <= limit
    }
  }

  init(shm: WaylandObject) { self.shm = shm }

  /// Whether the buffer has a shape.
  func fits(_ shape: Shape) -> Bool {
    let bounds = Rect(x: 0, y: 0, width: shape.width, height: shape.height)
    return current.map {
      $0.layout == PixelLayout(bounds, stride: shape.stride / 4) && $0.format == shape.format
    } ?? false
  }

  /// The buffer, or a new one if it has another shape. The shape must be usable. Throws `outOfMemory` if there is no memory.
  mutating func fitted(
    to shape: Shape, _ connection: borrowing WaylandConnection
  ) throws(WaylandError) -> SharedBuffer {
    if let current, fits(shape) { return current }
    discard(connection)
    let new = try SharedBuffer(
      connection, shm, width: shape.width, height: shape.height, stride: shape.stride / 4,
      shape.format)
    current = new
    return new
  }

  /// Frees the pixels.
  mutating func discard(_ connection: borrowing WaylandConnection) {
    if let current { connection.send(BufferRequest.destroy, to: current.object, destroys: true) }
    current = nil
  }
}
