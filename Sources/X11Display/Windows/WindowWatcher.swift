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
  }

  var redirectedCount: Int { watches.count }

  /// Redirects and watches the windows `shown`, redirects the windows `awaited`, and releases all
  /// others. Windows of the daemon that it has destroyed may be among them until the server says so.
  mutating func update(_ x: inout XConnection, shown: Set<UInt32>, awaited: Set<UInt32>) {
    for id in watches.keys where !shown.contains(id) && !awaited.contains(id) { release(&x, id) }
    for id in awaited where watches[id] == nil { begin(&x, id) }
    for id in shown where !x.isDestroying(id) { watch(&x, id) }
  }

  private mutating func begin(_ x: inout XConnection, _ id: UInt32) {
    x.redirect(id)
    watches[id] = Watch()
  }

  private mutating func watch(_ x: inout XConnection, _ id: UInt32) {
    if watches[id] == nil { begin(&x, id) }
    if watches[id]?.damage != nil { return }
    watches[id]?.damage = x.createDamage(id, .rectangles)
    // The server reports the whole window at once. A capture that follows has these pixels.
    reported.insert(id)
  }

  /// Ends the redirection and the watch of a window.
  mutating func release(_ x: inout XConnection, _ id: UInt32) {
    guard let watch = watches[id] else { return }
    if x.isDestroying(id) { return forget(id) }
    if let damage = watch.damage { x.destroyDamage(damage, of: id) }
    x.unredirect(id)
    forget(id)
  }

  /// Removes a window that was destroyed, which ended its redirection and its damage.
  mutating func forget(_ id: UInt32) {
    watches[id] = nil
    reported.remove(id)
  }

  /// Records that damage of a window was reported.
  mutating func recordDamage(of id: UInt32) {
    damageEventCount += 1
    if watches[id] != nil { reported.insert(id) }
  }

  /// Subtracts all damage of watched windows, so that the server reports new damage.
  func clearDamage(of ids: some Sequence<UInt32>, _ x: inout XConnection) {
    for id in ids where !x.isDestroying(id) {
      if let damage = watches[id]?.damage { x.subtractDamage(damage, of: id) }
    }
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
