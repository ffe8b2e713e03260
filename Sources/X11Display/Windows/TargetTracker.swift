import CXCB
import Engine
import Panes
import Raster

/// The properties of windows behind which panes may be. Nothing is requested or kept until `setActive`.
struct TargetTracker {
  private let atoms: TargetAtoms
  private let opacityAtom: UInt32
  private let root: UInt32
  /// The visuals that overlays over clients can have, by their depth.
  private let visuals: [UInt8: UInt32]
  /// The properties to request of each window.
  private let properties: [UInt32]
  private(set) var isActive = false
  /// Whether the targets may have changed since the last `takeChange`.
  private var isOutdated = false
  /// By the top-level window.
  private var known: [UInt32: Known] = [:]
  private var requests = TargetRequests()

  /// A window of a client, as far as replies have told.
  private struct Known {
    let client: UInt32
    /// The words of `WM_CLASS`: instance and class.
    var names: [String] = []
    /// `_NET_WM_NAME` and `WM_NAME`.
    var netName: String?
    var name = ""
    var role = ""
    var types: [WindowType] = []
    var blur: BlurRequest?
    /// The shadow that the client draws itself.
    var shadow = Margin.none
    /// The visible part of the frame around the client; nil if the window manager does not tell.
    var border: Margin?
    /// Its `_NET_WM_WINDOW_OPACITY`.
    var opacity = UInt32.max
    /// The distances of the client from the edges of its top-level window; nil until they are known.
    var insets: Margin?
    /// The size of the top-level window when they were requested.
    var size: (width: Int, height: Int)?
    /// The place of the client in its frame; nil until it is known.
    var inside: FramedClient?
    /// The answers that are missing before it is reported for the first time.
    var missing: Set<TargetRequests.Question>

    /// The part of its top-level window, at `outer`, that the user sees: marco's frames have invisible edges at which they
    /// are resized. `client` is the place of the client.
    func visibleFrame(of top: UInt32, _ outer: Rect, around client: Rect) -> Rect {
      guard top != self.client, insets != nil, let border else { return outer }
      return border.extended(client).intersection(outer)
    }
  }

  init(_ atoms: TargetAtoms, opacity: UInt32, _ screen: XScreen) {
    self.atoms = atoms
    root = screen.root
    visuals = screen.colorVisuals.merging([screen.rootDepth: screen.rootVisual]) { $1 }
    opacityAtom = opacity
    properties = [
      XCB_ATOM_WM_CLASS.rawValue, XCB_ATOM_WM_NAME.rawValue, atoms.netName, atoms.role,
      atoms.windowType, atoms.blurRegion, atoms.clientShadow, atoms.frameExtents, opacity,
    ]
  }

  var isAsking: Bool { requests.isBusy }

  /// Starts or ends the reports.
  mutating func setActive(_ isActive: Bool) {
    self.isActive = isActive
    isOutdated = true
    if !isActive { known = [:] }
  }

  /// Makes the next `takeChange` find the targets again, because windows or their clients have changed.
  mutating func markOutdated() { isOutdated = true }

  /// The targets of a stack, the lowest first; nil if they have not changed since the last call. Requests unknown properties of
  /// shown windows. `client` returns the window of the client in a frame.
  mutating func takeChange(
    _ x: inout XConnection, _ stack: WindowStack, client: (UInt32) -> UInt32?
  ) -> [TargetWindow]? {
    if !isOutdated { return nil }
    isOutdated = false
    if !isActive { return [] }
    // A window that is hidden is still known when it is shown again.
    let ids = Set(stack.windows.map(\.id))
    known = known.filter { ids.contains($0.key) }
    for window in stack.windows where window.isShownClient {
      ask(&x, about: window, client(window.id) ?? window.id)
    }
    return targets(of: stack)
  }

  /// Requests unknown properties of a window. Changes of properties are reported already, because the class of the window depends
  /// on them.
  private mutating func ask(
    _ x: inout XConnection, about window: WindowStack.Window, _ client: UInt32
  ) {
    if known[window.id]?.client != client {
      let questions = properties.map { TargetRequests.Question.property($0) }
      // The client is in this frame now, so another frame must not have its answers.
      known = known.filter { $0.value.client != client }
      known[window.id] = Known(client: client, missing: Set(questions + [.geometry]))
      for question in questions { requests.ask(&x, question, of: client) }
    }
    let outer = window.geometry.outer
    if let size = known[window.id]?.size, size == (outer.width, outer.height) { return }
    // A window manager may have changed the frame.
    known[window.id]?.size = (outer.width, outer.height)
    requests.ask(&x, .geometry, of: client)
  }

  /// Asks for a property of a window that has changed.
  mutating func propertyChanged(_ x: inout XConnection, _ atom: UInt32, of window: UInt32) {
    guard isActive, properties.contains(atom),
      known.contains(where: { $0.value.client == window })
    else { return }
    requests.ask(&x, .property(atom), of: window)
  }

  // MARK: Replies

  /// Applies the reply about a property; nil if the window has none or does not exist.
  mutating func apply(
    _ value: PropertyValue?, _ atom: UInt32, of window: UInt32, _ x: inout XConnection
  ) {
    guard requests.endQuestion(&x, .property(atom), of: window),
      let top = known.first(where: { $0.value.client == window })?.key
    else { return }
    isOutdated = true
    known[top]?.missing.remove(.property(atom))
    let texts = value.map { atoms.encoding(of: $0.type).decodedList($0.bytes) }
    switch atom {
    case XCB_ATOM_WM_CLASS.rawValue: known[top]?.names = texts ?? []
    case XCB_ATOM_WM_NAME.rawValue: known[top]?.name = texts?.first ?? ""
    case atoms.netName: known[top]?.netName = texts?.first
    case atoms.role: known[top]?.role = texts?.first ?? ""
    case atoms.windowType: known[top]?.types = value?.words.compactMap { atoms.types[$0] } ?? []
    case atoms.blurRegion:
      known[top]?.blur = value.map { BlurRequest(words: $0.words, isWhole: $0.isWhole) }
    case atoms.clientShadow: known[top]?.shadow = Self.extents(value) ?? .none
    case atoms.frameExtents: known[top]?.border = Self.extents(value)
    case opacityAtom: known[top]?.opacity = value?.words.first ?? .max
    default: break
    }
  }

  /// Left, right, top and bottom; nil if the value is none of this form.
  private static func extents(_ value: PropertyValue?) -> Margin? {
    guard let words = value?.words, words.count == 4 else { return nil }
    let numbers = words.map { Int(min($0, UInt32(Int16.max))) }
    return Margin(top: numbers[2], right: numbers[1], bottom: numbers[3], left: numbers[0])
  }

  /// Applies the reply about the place of a client on the screen; nil if it does not exist.
  mutating func apply(
    place: WindowPlace?, of window: UInt32, _ stack: WindowStack, _ x: inout XConnection
  ) {
    guard requests.endQuestion(&x, .geometry, of: window),
      let top = known.first(where: { $0.value.client == window })?.key,
      let outer = stack[top]?.geometry.outer
    else { return }
    isOutdated = true
    known[top]?.missing.remove(.geometry)
    known[top]?.inside = place.flatMap { top == window ? nil : FramedClient(window, $0) }
    guard let place = place?.rect else { return }
    known[top]?.insets = Margin(
      top: place.y - outer.y, right: outer.maxX - place.maxX, bottom: outer.maxY - place.maxY,
      left: place.x - outer.x)
  }

  // MARK: Clients

  /// Applies an event about a client in a frame. Returns whether there is one.
  mutating func handle(_ event: XEvent, of window: UInt32) -> Bool {
    known[window]?.inside?.recordChange()
    guard let top = known.first(where: { $0.value.inside?.id == window })?.key else { return false }
    known[top]?.inside?.apply(event)
    isOutdated = true
    return true
  }

  /// Records that the pixels of a client in a frame cannot be read at present.
  mutating func markUnreadable(of window: UInt32) {
    guard let top = known.first(where: { $0.value.inside?.id == window })?.key else { return }
    known[top]?.inside?.isReadable = false
    isOutdated = true
  }

  /// The change count of a client in a frame.
  func changeCount(of window: UInt32) -> Int {
    known.values.first { $0.inside?.id == window }?.inside?.changeCount ?? 0
  }

  /// The client in a top-level window that is shown; nil if there is none, if its place is not known, or if it is too large to be read.
  func client(in top: WindowStack.Window, _ stack: WindowStack) -> ShownClient? {
    guard let known = known[top.id], let insets = known.insets, top.isShownClient else {
      return nil
    }
    let geometry = known.client == top.id ? top.geometry : known.inside?.place.geometry
    guard geometry?.fitsPixmap(areaLimit: stack.areaLimit) == true else { return nil }
    if known.client == top.id { return ShownClient(unframed: top, root: root, visuals) }
    let origin = (top.geometry.outer.x + insets.left, top.geometry.outer.y + insets.top)
    return known.inside.flatMap { ShownClient($0, at: origin, visuals) }
  }

  // MARK: Targets

  /// The shown windows of a stack that are known, the lowest first.
  private func targets(of stack: WindowStack) -> [TargetWindow] {
    stack.windows.compactMap { window -> TargetWindow? in
      guard window.isShownClient, let attributes = window.attributes, let known = known[window.id],
        known.missing.isEmpty
      else { return nil }
      let outer = window.geometry.outer
      let inside = (known.insets ?? .none).reduced(outer)
      let frame = known.shadow.reduced(known.visibleFrame(of: window.id, outer, around: inside))
      if frame.isEmpty { return nil }
      let client = inside.intersection(frame)
      // A window manager may give its frames an alpha channel that the client has not.
      let hasAlpha = attributes.depth == 32 && known.inside?.place.depth ?? 32 == 32
      let covered = self.client(in: window, stack).map {
        TargetWindow.Client(
          rect: $0.rect, hasAlpha: $0.hasAlpha && stack.hasCompositor,
          isFullscreen: window.hints.isFullscreen
            || window.isUnmanaged && stack.coversOutput(window))
      }
      return TargetWindow(
        id: WindowID(number: window.id), properties: properties(of: window, known), frame: frame,
        shape: window.region.intersection(frame),
        requested: known.blur.map { $0.region(in: client) },
        isTranslucent: hasAlpha || isFaded(window), client: covered)
    }
  }

  /// Whether the opacity makes a difference. dunst gives its windows one of 0xffffffa0, which is opaque.
  func isFaded(_ window: WindowStack.Window) -> Bool { opacity(of: window) >> 24 < 255 }

  /// The opacity that a property of the window, or else of its client, gives to all of it, 0 to 0xffffffff.
  func opacity(of window: WindowStack.Window) -> UInt32 {
    let own = window.attributes?.opacity ?? .max
    return own == .max ? known[window.id]?.opacity ?? .max : own
  }

  private func properties(of window: WindowStack.Window, _ known: Known) -> WindowProperties {
    WindowProperties(
      id: known.client, frame: window.id,
      windowClass: known.names.count > 1 ? known.names[1] : "", instance: known.names.first ?? "",
      title: known.netName ?? known.name, role: known.role, types: known.types,
      isOverrideRedirect: window.isUnmanaged, asksForBlur: known.blur != nil)
  }
}
