import Raster
import WaylandClient

/// The buffers of an overlay: one is shown and one is drawn. A compositor may keep another one for a while.
struct OverlayBuffers {
  private var drafts: [Draft] = []
  /// Buffers of another size that the compositor still shows.
  private var retired: [SharedBuffer] = []

  /// A buffer, and the region in which it does not have the wanted pixels.
  struct Draft {
    let buffer: SharedBuffer
    fileprivate(set) var outdated: Region
  }

  private static let limit = 2

  /// The memory of all buffers.
  var byteCount: Int {
    (drafts.map(\.buffer) + retired).reduce(0) { $0 + 4 * $1.layout.pixelCount }
  }

  /// Whether a buffer can be drawn, while `faces` are shown or may be soon. The first of them is displayed.
  func canTake(besides faces: [Face?]) -> Bool {
    let kept = drafts.count { $0.buffer.isBusy && $0.buffer !== faces.first??.buffer }
    return hasFree(besides: faces) || drafts.count < Self.limit + min(1, kept)
  }

  /// Whether there is a buffer that can be drawn.
  func hasFree(besides faces: [Face?]) -> Bool { drafts.contains { isFree($0, faces) } }

  private func isFree(_ draft: Draft, _ faces: [Face?]) -> Bool {
    !draft.buffer.isBusy && !faces.contains { $0?.buffer === draft.buffer }
  }

  /// Makes a buffer of the size of `rect` if none can be drawn. Throws `outOfMemory`.
  mutating func prepare(
    _ rect: Rect, besides faces: [Face?], _ objects: DisplayObjects,
    _ connection: borrowing WaylandConnection
  ) throws(WaylandError) {
    if hasFree(besides: faces) { return }
    let buffer = try SharedBuffer(
      connection, objects.shm, width: rect.width, height: rect.height, .argb)
    drafts.append(Draft(buffer: buffer, outdated: Region(rect)))
  }

  /// Returns a buffer that can be drawn, and records that it is drawn completely. Traps if there is none, so `prepare` must be
  /// called before.
  mutating func take(besides faces: [Face?]) -> Draft {
    guard let index = drafts.firstIndex(where: { isFree($0, faces) }) else {
      preconditionFailure("no buffer was prepared")
    }
    defer { drafts[index].outdated = Region() }
    return drafts[index]
  }

  /// Marks a region as outdated in all buffers.
  mutating func markChanged(_ region: Region) {
    for i in drafts.indices { drafts[i].outdated.form(union: region) }
  }

  /// Marks all pixels as outdated, at a new place.
  mutating func markMoved(to rect: Rect) {
    for i in drafts.indices { drafts[i].outdated = Region(rect) }
  }

  /// Handles that the compositor has released a buffer. Returns whether it is one of these.
  mutating func handleRelease(
    of object: WaylandObject, _ connection: borrowing WaylandConnection
  ) -> Bool {
    if let draft = drafts.first(where: { $0.buffer.object == object }) {
      draft.buffer.isBusy = false
      return true
    }
    guard let index = retired.firstIndex(where: { $0.object == object }) else { return false }
    Self.destroy(retired.remove(at: index), connection)
    return true
  }

  // MARK: The end of buffers

  /// Destroys the buffers that could be drawn.
  mutating func destroyFree(besides faces: [Face?], _ connection: borrowing WaylandConnection) {
    for draft in drafts where isFree(draft, faces) { Self.destroy(draft.buffer, connection) }
    drafts = drafts.filter { !isFree($0, faces) }
  }

  /// Destroys all buffers. A buffer that the compositor may show is destroyed when the compositor has released it.
  mutating func retireAll(_ connection: borrowing WaylandConnection) {
    for buffer in drafts.map(\.buffer) {
      if buffer.isBusy {
        retired.append(buffer)
      } else {
        Self.destroy(buffer, connection)
      }
    }
    drafts = []
  }

  /// Destroys all buffers of a surface that is gone.
  mutating func destroyAll(_ connection: borrowing WaylandConnection) {
    for buffer in drafts.map(\.buffer) + retired { Self.destroy(buffer, connection) }
    (drafts, retired) = ([], [])
  }

  private static func destroy(
    _ buffer: SharedBuffer, _ connection: borrowing WaylandConnection
  ) {
    connection.send(BufferRequest.destroy, to: buffer.object, destroys: true)
  }
}
