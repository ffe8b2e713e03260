import CXCB
import Raster

/// Which windows are redirected, so that they can be read below an overlay, and watched, so that we
/// learn what is drawn in them. What no pane shows costs the server nothing.
struct Watcher: Sendable {
  /// What shown panes look at.
  var region = Region()
  private(set) var damageEvents = 0
  /// Those that are redirected.
  private var windows: [UInt32: Watch] = [:]
  /// Windows whose damage has been reported and is not reported again until it is subtracted.
  private var reported: Set<UInt32> = []

  private struct Watch {
    /// Once it has been seen mapped.
    var damage: UInt32?
    /// Whether we are told when its opacity changes, which only counts under a compositor.
    var hearsOpacity = false
  }

  var redirectedCount: Int { windows.count }

  /// Returns the windows whose opacity may have changed before we began to be told.
  mutating func update(_ x: borrowing XConnection, _ stack: WindowStack) -> [UInt32] {
    let seen = stack.windowsSeen(in: region)
    for id in windows.keys where !seen.mapped.contains(id) && !seen.waiting.contains(id) {
      release(x, id)
    }
    for id in seen.waiting where windows[id] == nil { begin(x, id) }
    return seen.mapped.filter { watch(x, $0, hearsOpacity: stack.hasCompositor) }
  }

  private mutating func begin(_ x: borrowing XConnection, _ id: UInt32) {
    x.redirect(id)
    windows[id] = Watch()
  }

  /// Returns whether we begin to be told of its opacity.
  private mutating func watch(
    _ x: borrowing XConnection, _ id: UInt32, hearsOpacity: Bool
  ) -> Bool {
    if windows[id] == nil { begin(x, id) }
    guard var watch = windows[id] else { return false }
    if watch.damage == nil { watch.damage = x.createDamage(id) }
    let isNew = hearsOpacity && !watch.hearsOpacity
    if hearsOpacity != watch.hearsOpacity {
      x.selectEvents(id, hearsOpacity ? XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue : 0)
    }
    watch.hearsOpacity = hearsOpacity
    windows[id] = watch
    return isNew
  }

  /// Leaves a window as it was before; also one that is about to go.
  mutating func release(_ x: borrowing XConnection, _ id: UInt32) {
    guard let watch = windows[id] else { return }
    if let damage = watch.damage { x.destroyDamage(damage) }
    if watch.hearsOpacity { x.selectEvents(id, 0) }
    x.unredirect(id)
    forget(id)
  }

  /// A window that is gone has taken its redirection and its damage with it.
  mutating func forget(_ id: UInt32) {
    windows[id] = nil
    reported.remove(id)
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
      if let damage = windows[id]?.damage { x.subtractDamage(damage) }
    }
    reported = []
  }
}
