import CXCB

/// Whether the compositor paints a shadow around each window that has no alpha, whatever its properties say, as `xcompmgr -c`
/// does. Overlays have alpha then.
struct ShadowRule {
  private(set) var addsShadows = false
  private(set) var isAsking = false
  /// The window that owns the selection of the compositor; 0 if none does.
  private(set) var owner: UInt32 = 0

  /// Notes the window of the compositor, and requests its name. xcompmgr does not tell its options.
  mutating func setOwner(_ window: UInt32, _ x: inout XConnection) {
    owner = window
    addsShadows = false
    isAsking = window != 0
    if isAsking { x.requestProperty(XCB_ATOM_WM_NAME.rawValue, of: window, upTo: 64) }
  }

  /// Applies the name of the compositor; nil if it has none.
  mutating func take(_ value: PropertyValue?) {
    isAsking = false
    addsShadows = value.map { String(decoding: $0.bytes, as: UTF8.self) } == "xcompmgr"
  }
}
