import Raster

/// A client in the frame of a window manager, according to events.
struct FramedClient {
  let id: UInt32
  private(set) var place: WindowPlace
  /// Whether its pixels can be read. False after a failure, until an event about it.
  var isReadable = true
  /// The number of events about it and its frame.
  private(set) var changeCount = 0
  /// The number of times it was mapped. Its pixels are new each time.
  private(set) var mapCount = 0

  init(_ id: UInt32, _ place: WindowPlace) { (self.id, self.place) = (id, place) }

  mutating func apply(_ event: XEvent) {
    switch event {
    case .configured(_, let geometry, _): place.geometry = geometry
    case .mapped: (place.isMapped, mapCount) = (true, mapCount + 1)
    case .unmapped: place.isMapped = false
    default: return
    }
    recordChange()
  }

  /// Records an event about it or about its frame.
  mutating func recordChange() {
    changeCount += 1
    isReadable = true
  }
}

/// A client that is shown, and over which an overlay can be.
struct ShownClient: Equatable {
  let id: UInt32
  /// The window that it is in: the frame of a window manager, or a part of it, or the root.
  let parent: UInt32
  /// Its place in that window, without its border.
  let placeInParent: Rect
  /// Its place on the screen, without its border.
  let rect: Rect
  let depth: UInt8
  /// A visual of that depth for overlays.
  let visual: UInt32
  /// Whether its pixels can be read.
  let isReadable: Bool
  fileprivate let mapCount: Int

  var hasAlpha: Bool { depth == 32 }

  /// A client in a frame. Nil if it is not mapped, or if an overlay cannot have its visual.
  init?(_ client: FramedClient, at origin: (x: Int, y: Int), _ visuals: [UInt8: UInt32]) {
    let place = client.place
    guard place.isMapped, let visual = visuals[place.depth] else { return nil }
    let (x, y) = place.geometry.origin
    let (width, height) = (place.geometry.width, place.geometry.height)
    (id, parent, mapCount) = (client.id, place.parent, client.mapCount)
    isReadable = client.isReadable
    placeInParent = Rect(x: x, y: y, width: width, height: height)
    rect = Rect(x: origin.x, y: origin.y, width: width, height: height)
    (depth, self.visual) = (place.depth, visual)
  }

  /// A top-level window that is a client itself. Nil if an overlay cannot have its visual.
  init?(unframed window: WindowStack.Window, root: UInt32, _ visuals: [UInt8: UInt32]) {
    guard let attributes = window.attributes, let visual = visuals[attributes.depth] else {
      return nil
    }
    let (x, y) = window.geometry.origin
    (id, parent, mapCount) = (window.id, root, window.mapCount)
    isReadable = window.isReadable
    rect = Rect(x: x, y: y, width: window.geometry.width, height: window.geometry.height)
    placeInParent = rect
    (depth, self.visual) = (attributes.depth, visual)
  }

  /// The part of it that is on the screen, in its own coordinates. With shared memory a server gives no other pixels.
  func part(on screen: Rect) -> Rect {
    if !isReadable { return .zero }
    return rect.intersection(screen).translated(x: -rect.x, y: -rect.y)
  }

  /// Its pixels, in its own coordinates.
  func layer(in region: Region, on screen: Rect) -> WindowLayer? {
    let geometry = WindowGeometry(x: 0, y: 0, width: rect.width, height: rect.height, border: 0)
    let own = region.intersection(part(on: screen))
    if own.isEmpty { return nil }
    return WindowLayer(
      source: .window(id), region: own, geometry: geometry, mapCount: mapCount,
      hasAlpha: hasAlpha)
  }
}
