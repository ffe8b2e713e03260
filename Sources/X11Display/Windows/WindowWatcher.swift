import CXCB
import Raster

/// Redirects windows, so that they can be read below an overlay, and watches them, so that the
/// server reports their damage. Windows that no pane shows are neither redirected nor watched.
struct WindowWatcher {
  private(set) var damageEventCount = 0
  /// The redirected windows.
  private var watches: [UInt32: Watch] = [:]
  /// The windows whose damage was reported. The server reports the same pixels again only after the
  /// damage is subtracted.
  private var reported: Set<UInt32> = []

  private struct Watch {
    /// Nil until the window is mapped.
    var damage: UInt32?
    /// Whether the server reports changes of its properties: the opacity, which matters under a
    /// compositor.
    var reportsProperties = false
  }

  var redirectedCount: Int { watches.count }

  /// Redirects and watches the windows `shown`, redirects the windows `awaited`, and releases all
  /// others. Returns the windows whose opacity must be requested, because its changes were not
  /// reported before.
  mutating func update(
    _ x: inout XConnection, shown: Set<UInt32>, awaited: Set<UInt32>, hasCompositor: Bool
  ) -> [UInt32] {
    for id in watches.keys where !shown.contains(id) && !awaited.contains(id) { release(&x, id) }
    for id in awaited where watches[id] == nil { begin(&x, id) }
    return shown.filter { watch(&x, $0, reportsProperties: hasCompositor) }
  }

  private mutating func begin(_ x: inout XConnection, _ id: UInt32) {
    x.redirect(id)
    watches[id] = Watch()
  }

  /// Returns whether the server reports changes of its properties from now on and did not before.
  private mutating func watch(
    _ x: inout XConnection, _ id: UInt32, reportsProperties: Bool
  ) -> Bool {
    if watches[id] == nil { begin(&x, id) }
    guard var watch = watches[id] else { return false }
    if watch.damage == nil {
      watch.damage = x.createDamage(id)
      // The server reports the whole window at once. A capture that follows has these pixels.
      reported.insert(id)
    }
    let isNew = reportsProperties && !watch.reportsProperties
    if reportsProperties != watch.reportsProperties {
      x.selectEvents(id, reportsProperties ? XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue : 0)
    }
    watch.reportsProperties = reportsProperties
    watches[id] = watch
    return isNew
  }

  /// Ends the redirection and the watch of a window.
  mutating func release(_ x: inout XConnection, _ id: UInt32) {
    guard let watch = watches[id] else { return }
    if let damage = watch.damage { x.destroyDamage(damage, of: id) }
    if watch.reportsProperties { x.selectEvents(id, 0) }
    x.unredirect(id)
    forget(id)
  }

  /// Removes a window that was destroyed, which ended its redirection and its damage.
  mutating func forget(_ id: UInt32) {
    watches[id] = nil
    reported.remove(id)
  }

  /// Records that damage of a window was reported.
  mutating func noteDamage(of id: UInt32) {
    damageEventCount += 1
    if watches[id] != nil { reported.insert(id) }
  }

  /// Subtracts all damage of watched windows, so that the server reports new damage.
  func clearDamage(of ids: some Sequence<UInt32>, _ x: inout XConnection) {
    for id in ids { if let damage = watches[id]?.damage { x.subtractDamage(damage, of: id) } }
  }

  /// Whether a window is watched.
  func watches(_ id: UInt32) -> Bool { watches[id]?.damage != nil }

  /// Subtracts all reported damage, so that the server reports new damage. Must be called before
  /// pixels are read. Returns the windows whose damage was subtracted.
  mutating func subtractDamage(_ x: inout XConnection) -> Set<UInt32> {
    let subtracted = reported.filter { watches($0) }
    clearDamage(of: subtracted, &x)
    reported = []
    return subtracted
  }
}
