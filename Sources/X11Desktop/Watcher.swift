import CXCB
import Raster

/// Which windows are redirected, so that they can be read below an overlay, and watched, so that we
/// learn what is drawn in them. What no pane shows costs the server nothing.
struct Watcher: Sendable {
  /// What shown panes look at.
  var region = Region()
  private(set) var damageEvents = 0
  /// Redirected; with the damage object of those that are mapped.
  private var windows: [UInt32: UInt32?] = [:]
  /// Windows whose damage has been reported and is not reported again until it is subtracted.
  private var reported: Set<UInt32> = []

  var redirectedCount: Int { windows.count }

  mutating func update(_ x: borrowing XConnection, _ stack: WindowStack) {
    let seen = stack.windowsSeen(in: region)
    let wanted = seen.mapped.union(seen.waiting)
    for (id, damage) in windows where !wanted.contains(id) {
      // A window that is gone has taken its redirection and its damage with it.
      if stack.index(of: id) != nil {
        if let damage { x.destroyDamage(damage) }
        x.unredirect(id)
        x.selectEvents(id, 0)
      }
      windows[id] = nil
      reported.remove(id)
    }
    for id in wanted {
      if windows[id] == nil {
        x.redirect(id)
        windows[id] = .some(nil)
      }
      if seen.mapped.contains(id), case .some(nil) = windows[id] {
        windows[id] = x.createDamage(id)
        if stack.hasCompositor { x.selectEvents(id, XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue) }
      }
    }
  }

  /// Where on the screen a window was drawn in; nil when nobody is to know.
  mutating func note(damage area: Rect, of id: UInt32, _ stack: WindowStack) -> Rect? {
    damageEvents += 1
    guard let window = stack[id], windows[id] != nil else { return nil }
    reported.insert(id)
    let origin = window.geometry.origin
    return area.translated(x: origin.x, y: origin.y).intersection(window.geometry.outer)
  }

  /// To be called before pixels are read: what is drawn after that is reported anew.
  mutating func subtractDamage(_ x: borrowing XConnection) {
    for id in reported {
      if let damage = windows[id] ?? nil { x.subtractDamage(damage) }
    }
    reported = []
  }
}
