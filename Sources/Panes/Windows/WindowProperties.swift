/// The properties of a window that conditions can name.
package struct WindowProperties: Equatable, Sendable {
  /// The identifier of the window of the client.
  package var id: UInt32
  /// The identifier of its top-level window: the frame of a window manager, or the same.
  package var frame: UInt32
  /// `WM_CLASS`: the class and the instance.
  package var windowClass, instance: String
  /// `_NET_WM_NAME`, or else `WM_NAME`.
  package var title: String
  /// `WM_WINDOW_ROLE`.
  package var role: String
  /// The known types, the preferred one first.
  package var types: [WindowType]
  /// Whether window managers leave it alone, as menus and launchers.
  package var isOverrideRedirect: Bool
  /// Whether it asks for blur by `_KDE_NET_WM_BLUR_BEHIND_REGION`.
  package var asksForBlur: Bool

  package init(
    id: UInt32, frame: UInt32, windowClass: String = "", instance: String = "",
    title: String = "", role: String = "", types: [WindowType] = [],
    isOverrideRedirect: Bool = false, asksForBlur: Bool = false
  ) {
    self.id = id
    self.frame = frame
    self.windowClass = windowClass
    self.instance = instance
    self.title = title
    self.role = role
    self.types = types
    self.isOverrideRedirect = isOverrideRedirect
    self.asksForBlur = asksForBlur
  }

  /// The type that counts. A window without one is a normal window (EWMH).
  package var type: WindowType { types.first ?? .normal }
}
