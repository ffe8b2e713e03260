import CLinux
import Glibc
import Linux
package import Raster

/// Pixels that a compositor reads or writes: a buffer of the protocol in a file in memory. The owner must send `destroy`
/// for its object.
@safe package final class SharedBuffer {
  package let object: WaylandObject
  package let layout: PixelLayout
  package let format: Format
  private let address: UnsafeMutablePointer<UInt32>
  private let byteCount: Int
  /// Whether the compositor may still read or write it.
  package var isBusy = false

  /// The formats of `wl_shm`.
  package enum Format: Int {
    case argb = 0
    case xrgb = 1
  }

  /// A buffer of black or transparent pixels. `stride` is in pixels. Throws `outOfMemory`.
  package init(
    _ connection: borrowing WaylandConnection, _ shm: WaylandObject, width: Int, height: Int,
    stride: Int? = nil, _ format: Format
  ) throws(WaylandError) {
    self.format = format
    layout = PixelLayout(Rect(x: 0, y: 0, width: width, height: height), stride: stride)
    byteCount = 4 * layout.stride * height
    let raw = unsafe memfd_create("pixels", UInt32(MFD_CLOEXEC))
    guard raw >= 0 else { throw Self.failure("make a file in memory") }
    let file = FileDescriptor(owning: raw)
    guard ftruncate(file.raw, byteCount) == 0 else { throw Self.failure("make pixels") }
    let memory = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw Self.failure("map pixels")
    }
    unsafe address = memory.bindMemory(to: UInt32.self, capacity: byteCount / 4)
    let pool = connection.make(
      .shmPool, by: ShmRequest.createPool, of: shm,
      [.newObject, .descriptor(file.raw), .int(byteCount)])
    object = connection.make(
      .buffer, by: ShmPoolRequest.createBuffer, of: pool,
      [
        .newObject, .int(0), .int(width), .int(height), .int(4 * layout.stride),
        .uint(format.rawValue),
      ])
    connection.send(ShmPoolRequest.destroy, to: pool, destroys: true)
  }

  deinit { unsafe munmap(address, byteCount) }

  private static func failure(_ action: String) -> WaylandError {
    .outOfMemory("cannot \(action): \(errorText(errno))")
  }

  /// Calls `body` with the pixels, whose layout is `layout`.
  package func withSpan<Result>(_ body: (Span<UInt32>) -> Result) -> Result {
    unsafe body(UnsafeBufferPointer(start: address, count: byteCount / 4).span)
  }

  /// Calls `body` with the pixels for writing.
  package func withPixels<Result>(_ body: (inout MutableSpan<UInt32>) -> Result) -> Result {
    var span = unsafe UnsafeMutableBufferPointer(start: address, count: byteCount / 4).mutableSpan
    return body(&span)
  }
}
