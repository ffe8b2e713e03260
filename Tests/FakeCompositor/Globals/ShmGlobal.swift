package import Raster

/// `wl_shm`.
final class ShmHandler: RequestHandler {
  weak var resource: Resource?
  private unowned let compositor: FakeCompositor

  init(_ compositor: FakeCompositor) { self.compositor = compositor }

  func begin() { for format in [0, 1] { send("format", [.uint(format)]) } }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard case .descriptor(let descriptor) = request.arguments[1] else { return }
    guard let pool = MappedPool(descriptor, byteCount: request.number(2)) else {
      throw request.resource.error(2, "the file cannot be mapped")
    }
    compositor.poolInodes.insert(pool.inode)
    try request.make(0, PoolHandler(pool))
  }
}

private final class PoolHandler: RequestHandler {
  weak var resource: Resource?
  private let pool: MappedPool

  init(_ pool: MappedPool) { self.pool = pool }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "create_buffer" else { return }
    let buffer = BufferHandler(
      pool, offset: request.number(1), width: request.number(2), height: request.number(3),
      stride: request.number(4), format: request.number(5))
    guard let buffer else { throw request.resource.error(1, "the buffer is outside the pool") }
    try request.make(0, buffer)
  }
}

/// A buffer of pixels in a pool.
package final class BufferHandler: RequestHandler {
  package weak var resource: Resource?
  package let width, height: Int
  /// In bytes.
  package let stride: Int
  /// 0 (with alpha) or 1.
  package let format: Int
  private let offset: Int
  private let pool: MappedPool

  fileprivate init?(
    _ pool: MappedPool, offset: Int, width: Int, height: Int, stride: Int, format: Int
  ) {
    guard offset >= 0, offset % 4 == 0, width > 0, height > 0, stride % 4 == 0,
      stride >= 4 * width, offset + stride * height <= pool.byteCount, (0...1).contains(format)
    else { return nil }
    (self.pool, self.offset, self.width, self.height) = (pool, offset, width, height)
    (self.stride, self.format) = (stride, format)
  }

  package var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

  var layout: PixelLayout { PixelLayout(bounds, stride: stride / 4) }

  /// Calls `body` with the pixels, whose layout is `layout`.
  func withPixels<Result>(_ body: (inout MutableSpan<UInt32>) -> Result) -> Result {
    pool.withPixels(from: offset, body)
  }

  /// Whether the client has destroyed it. Its memory stays until the last user is gone.
  var isDestroyed: Bool { resource == nil }
}
