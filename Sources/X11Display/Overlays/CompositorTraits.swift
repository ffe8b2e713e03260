import CXCB

/// The special behaviour of a compositor, which its name determines.
struct CompositorTraits {
  private var program = Program.other
  private var question = Question.none
  /// The window that owns the selection of the compositor; 0 if none does.
  private var owner: UInt32 = 0
  private let managerAtom, nameAtom: UInt32

  private enum Program {
    case xcompmgr, marco, xfwm4, other
  }

  /// Whether the compositor paints a shadow around each window without alpha, even if the properties of the window forbid it.
  /// `xcompmgr -c` does. Marco does unless the window has a frame, a shape or the type DND. Overlays must have alpha then.
  var addsShadows: Bool { program == .xcompmgr || program == .marco }
  /// Whether the compositor determines that a window has alpha when the window is mapped, not before.
  var readsAlphaWhenMapped: Bool { program == .xcompmgr }
  /// Whether the screen is black where neither a window nor a pixmap of the root is; others paint gray.
  var paintsBlack: Bool { program == .xfwm4 || program == .marco }

  /// The last question to the server.
  private enum Question: Equatable {
    case none
    /// The name of the compositor. The options of xcompmgr cannot be determined.
    case name
    /// The window with the name of the window manager. It is needed because the owner of marco's selection has no name.
    case manager
    case managerName(UInt32)
  }

  init(_ atoms: Atoms) {
    managerAtom = atoms.windowManager
    nameAtom = atoms.netName
  }

  var isAsking: Bool { question != .none }

  /// Records the window of the compositor, and requests the name of the compositor.
  mutating func setOwner(_ window: UInt32, _ x: inout XConnection) {
    owner = window
    program = .other
    question = window == 0 ? .none : .name
    if isAsking { x.requestProperty(XCB_ATOM_WM_NAME.rawValue, of: window, upTo: 64) }
  }

  /// Applies the value of a property of a window; nil if it has none. Returns whether that is the name of a compositor that
  /// differs from others.
  mutating func apply(
    _ value: PropertyValue?, _ atom: UInt32, of window: UInt32, _ x: inout XConnection
  ) -> Bool {
    let name = value.map { String(decoding: $0.bytes, as: UTF8.self) }
    switch question {
    case .name where window == owner && atom == XCB_ATOM_WM_NAME.rawValue:
      program = name == "xcompmgr" ? .xcompmgr : name == "xfwm4" ? .xfwm4 : .other
      question = name == nil ? .manager : .none
      if isAsking { x.requestProperty(managerAtom, of: x.root, upTo: 4) }
    case .manager where atom == managerAtom:
      question = .none
      if let window = value?.words.first, x.identity.isSameClient(window, owner) {
        question = .managerName(window)
        x.requestProperty(nameAtom, of: window, upTo: 64)
      }
    case .managerName(window) where atom == nameAtom:
      if name == "Metacity (Marco)" { program = .marco }
      question = .none
    default: return false
    }
    return program != .other
  }
}
