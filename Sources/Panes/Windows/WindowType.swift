/// The type of a window (`_NET_WM_WINDOW_TYPE` of EWMH).
package enum WindowType: String, CaseIterable, Sendable {
  case desktop, dock, toolbar, menu, utility, splash, dialog, tooltip, notification, combo, dnd
  case normal
  case dropdownMenu = "dropdown-menu"
  case popupMenu = "popup-menu"

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "type")
  }
}
