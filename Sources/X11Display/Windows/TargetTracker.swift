import CXCB
import Engine
import Panes
import Raster

/// The properties of windows behind which panes may be. Nothing is requested or kept until `setActive`.
struct TargetTracker {
  private let atoms: TargetAtoms
  private let opacityAtom: UInt32
  private(set) var isActive = false
  /// By the top-level window.
  fileprivate var known: [UInt32: Known] = [:]
  private var requests = TargetRequests()

  /// A window of a client, as far as replies have told.
  fileprivate struct Known {
    let client: UInt32
    /// The text of `WM_CLASS`: instance and class, each with a zero at its end.
    var names: [UInt8] = []
    var netName: [UInt8]?
    var name: [UInt8] = []
    var role: [UInt8] = []
    var types: [WindowType] = []
    var blur: BlurRequest?
    /// The shadow that the client draws itself.
    var extents = Margin.none
    var isTranslucent = false
    /// The distances of the client from the edges of its top-level window; nil until they are known.
    var insets: Margin?
    /// The size of the top-level window when they were requested.
    var size: (width: Int, height: Int)?
    /// The answers that are missing before it is reported for the first time.
    var missing: Set<TargetRequests.Question>
  }

  init(_ atoms: TargetAtoms, opacity: UInt32) {
    self.atoms = atoms
    opacityAtom = opacity
  }

  var isAsking: Bool { requests.isBusy }

  /// Starts or ends the reports.
  mutating func setActive(_ isActive: Bool) {
    self.isActive = isActive
    if !isActive { known = [:] }
  }

  private var questions: [TargetRequests.Question] {
    [
      XCB_ATOM_WM_CLASS.rawValue, XCB_ATOM_WM_NAME.rawValue, atoms.netName, atoms.role,
      atoms.windowType, atoms.blurRegion, atoms.frameExtents, opacityAtom,
    ].map { .property($0) } + [.geometry]
  }

  /// Asks what is not known of the windows of a stack. `client` returns the window of the client in a frame.
  mutating func update(_ x: inout XConnection, _ stack: WindowStack, client: (UInt32) -> UInt32?) {
    if !isActive { return }
    let shown = stack.windows.filter(\.isShownClient)
    let ids = Set(shown.map(\.id))
    known = known.filter { ids.contains($0.key) }
    for window in shown {
      let client = client(window.id) ?? window.id
      if known[window.id]?.client != client {
        known[window.id] = Known(client: client, missing: Set(questions))
        x.selectEvents(client, XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
        for question in questions where question != .geometry {
          requests.ask(&x, question, of: client)
        }
      }
      let outer = window.geometry.outer
      if let size = known[window.id]?.size, size == (outer.width, outer.height) { continue }
      // A window manager may have changed the frame.
      known[window.id]?.size = (outer.width, outer.height)
      requests.ask(&x, .geometry, of: client)
    }
  }

  /// Notes that a property of a window has changed.
  mutating func noteProperty(_ x: inout XConnection, _ atom: UInt32, of window: UInt32) {
    guard isActive, questions.contains(.property(atom)),
      known.contains(where: { $0.value.client == window })
    else { return }
    requests.ask(&x, .property(atom), of: window)
  }

  // MARK: Replies

  /// Applies the reply about a property; nil if the window has none or does not exist.
  mutating func take(
    _ value: PropertyValue?, _ atom: UInt32, of window: UInt32, _ x: inout XConnection
  ) {
    guard requests.noteReply(&x, .property(atom), of: window),
      let top = known.first(where: { $0.value.client == window })?.key
    else { return }
    known[top]?.missing.remove(.property(atom))
    switch atom {
    case XCB_ATOM_WM_CLASS.rawValue: known[top]?.names = value?.bytes ?? []
    case XCB_ATOM_WM_NAME.rawValue: known[top]?.name = value?.bytes ?? []
    case atoms.netName: known[top]?.netName = value?.bytes
    case atoms.role: known[top]?.role = value?.bytes ?? []
    case atoms.windowType: known[top]?.types = value?.words.compactMap { atoms.types[$0] } ?? []
    case atoms.blurRegion: known[top]?.blur = value.map { BlurRequest(words: $0.words) }
    case atoms.frameExtents: known[top]?.extents = Self.extents(value?.words ?? [])
    case opacityAtom: known[top]?.isTranslucent = value?.words.first.map { $0 != .max } ?? false
    default: break
    }
  }

  /// Left, right, top and bottom.
  private static func extents(_ words: [UInt32]) -> Margin {
    guard words.count == 4 else { return .none }
    let numbers = words.map { Int(min($0, UInt32(Int16.max))) }
    return Margin(top: numbers[2], right: numbers[1], bottom: numbers[3], left: numbers[0])
  }

  /// Applies the reply about the place of a client on the screen; nil if it does not exist.
  mutating func take(
    place: Rect?, of window: UInt32, _ stack: WindowStack, _ x: inout XConnection
  ) {
    guard requests.noteReply(&x, .geometry, of: window),
      let top = known.first(where: { $0.value.client == window })?.key,
      let outer = stack[top]?.geometry.outer
    else { return }
    known[top]?.missing.remove(.geometry)
    guard let place else { return }
    known[top]?.insets = Margin(
      top: place.y - outer.y, right: outer.maxX - place.maxX, bottom: outer.maxY - place.maxY,
      left: place.x - outer.x)
  }

  // MARK: Targets

  /// The shown windows of a stack that are known, the lowest first.
  func targets(of stack: WindowStack) -> [TargetWindow] {
    if !isActive { return [] }
    return stack.windows.compactMap { window -> TargetWindow? in
      guard window.isShownClient, let attributes = window.attributes, let known = known[window.id],
        known.missing.isEmpty
      else { return nil }
      let outer = window.geometry.outer
      let frame = known.extents.reduced(outer)
      if frame.isEmpty { return nil }
      let client = (known.insets ?? .none).reduced(outer).intersection(frame)
      return TargetWindow(
        id: WindowID(number: window.id), properties: known.properties(of: window), frame: frame,
        shape: window.region.intersection(frame),
        requested: known.blur.map { $0.region(in: client) },
        isTranslucent: attributes.depth == 32 || attributes.opacity != .max
          || known.isTranslucent)
    }
  }
}

extension TargetTracker.Known {
  func properties(of window: WindowStack.Window) -> WindowProperties {
    let words = names.split(separator: 0, omittingEmptySubsequences: false).map { text($0[...]) }
    return WindowProperties(
      id: client, frame: window.id, windowClass: words.count > 1 ? words[1] : "",
      instance: words.first ?? "", title: text((netName ?? name)[...]), role: text(role[...]),
      types: types, isOverrideRedirect: window.isUnmanaged, asksForBlur: blur != nil)
  }

  /// At most 1 KiB.
  private func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(1024), as: UTF8.self)
  }
}
