import Engine
import Raster

/// Finds what windows with an alpha channel paint: opaque pixels all the same, or parts that are free. Some rows of each are read
/// after it has changed, at most once a second. A window that does not change costs nothing.
///
/// The client is read and watched, not the frame around it: while X server 21.1 sends an image of a window, it paints the redirected
/// windows in it, and reports this damage to those who watch the window, in the middle of the image.
struct AlphaWatches {
  /// By the client.
  private var windows: [UInt32: Watched] = [:]

  private struct Watched {
    /// Reports the first change after each reading.
    let damage: UInt32
    /// The part whose pixels are read, in the coordinates of the window.
    var part: Rect
    var watch = AlphaWatch()
    var reading: Reading?
  }

  /// A reading in progress.
  private struct Reading {
    let id: AlphaReading
    /// The number of images that have not arrived.
    var openCount: Int
    /// Nil if one could not be read.
    var counts: AlphaCounts? = AlphaCounts()
  }

  private var lastReading = 0

  /// Whether a reading is in progress, or something was not read yet.
  var isReading: Bool { windows.values.contains { $0.watch.isReading || $0.watch.isNew } }
  /// The time at which `read` is to be called; nil if there is none.
  var deadline: Duration? { windows.values.compactMap(\.watch.deadline).min() }

  /// What a window paints, as far as it is known.
  subscript(window: UInt32) -> PaintedAlpha { windows[window]?.watch.found ?? .unknown }

  /// Watches these windows and no others. The rectangles are the parts that are read.
  mutating func set(_ parts: [UInt32: Rect], _ x: inout XConnection) {
    for (window, watched) in windows where parts[window] == nil {
      x.destroyDamage(watched.damage, of: window)
      windows[window] = nil
    }
    for (window, part) in parts {
      if windows[window] == nil {
        windows[window] = Watched(damage: x.createDamage(window, .first), part: part)
      } else if windows[window]?.part != part {
        windows[window]?.part = part
        windows[window]?.watch.recordDamage()
      }
    }
  }

  /// Forgets a window that was destroyed, which ended its damage.
  mutating func forget(_ window: UInt32) { windows[window] = nil }

  /// Applies a report of damage. Returns false if it is not one of these windows.
  mutating func recordDamage(_ damage: UInt32, of window: UInt32) -> Bool {
    guard windows[window]?.damage == damage else { return false }
    windows[window]?.watch.recordDamage()
    return true
  }

  /// Requests the pixels of the windows whose reading is due.
  mutating func read(_ x: inout XConnection, now: Duration) {
    for window in windows.keys {
      guard let watched = windows[window], windows[window]?.watch.beginReading(now: now) == true
      else { continue }
      lastReading += 1
      let id = AlphaReading(window: window, number: lastReading)
      let rows = Self.rows(of: watched.part)
      windows[window]?.reading = Reading(id: id, openCount: rows.count)
      x.subtractDamage(watched.damage, of: window)
      for row in rows { x.requestAlphaCounts(id, row) }
    }
  }

  /// Some rows of a rectangle, evenly distributed from the first to the last one, which have the round corners.
  private static func rows(of rect: Rect) -> [Rect] {
    let count = min(17, rect.height)
    return (0..<count).map { row in
      Rect(
        x: rect.x, y: rect.y + row * (rect.height - 1) / max(1, count - 1), width: rect.width,
        height: 1)
    }
  }

  /// Applies the reply about a row. Returns whether the finding has changed.
  mutating func apply(_ counts: AlphaCounts?, _ id: AlphaReading) -> Bool {
    guard var reading = windows[id.window]?.reading, reading.id == id else { return false }
    reading.openCount -= 1
    if let counts { reading.counts?.add(counts) } else { reading.counts = nil }
    windows[id.window]?.reading = reading.openCount > 0 ? reading : nil
    if reading.openCount > 0 { return false }
    return windows[id.window]?.watch.endReading(reading.counts.map { PaintedAlpha($0) }) == true
  }
}
