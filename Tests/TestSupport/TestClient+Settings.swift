import CXCB

extension TestClient {
  /// Publishes the settings of a desktop on a window, as `xfsettingsd` does; an empty text withdraws them.
  package func publishSettings(theme: String, on window: TestWindow) {
    let owner = theme.isEmpty ? 0 : window.id
    let bytes = settingsBytes([("Net/ThemeName", theme)])
    let property = atom("_XSETTINGS_SETTINGS")
    _ = unsafe xcb_change_property(
      connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window.id, property, property, 8,
      UInt32(bytes.count), bytes)
    _ = unsafe xcb_set_selection_owner(connection, owner, atom("_XSETTINGS_S0"), 0)
  }
}
