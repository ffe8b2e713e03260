import CXCB
import Glibc

/// Properties by which panes behind windows find them.
extension TestClient {
  /// Sets `WM_CLASS`.
  package func setClass(_ instance: String, _ name: String, of window: TestWindow) {
    let bytes = Array("\(instance)\0\(name)\0".utf8)
    _ = unsafe xcb_change_property(
      connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window.id, XCB_ATOM_WM_CLASS.rawValue,
      XCB_ATOM_STRING.rawValue, 8, UInt32(bytes.count), bytes)
  }

  /// Whether a window has a property.
  package func hasProperty(_ name: String, on window: TestWindow) -> Bool {
    hasProperty(name, on: window.id)
  }
}

extension TestWindow {
  /// Deletes a property.
  package func deleteProperty(_ name: String) {
    _ = unsafe xcb_delete_property(client.connection, id, client.atom(name))
  }
}

extension TestClient {
  /// Sets `WM_NAME`.
  package func setTitle(_ title: String, of window: TestWindow) {
    let bytes = Array(title.utf8)
    _ = unsafe xcb_change_property(
      connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window.id, XCB_ATOM_WM_NAME.rawValue,
      XCB_ATOM_STRING.rawValue, 8, UInt32(bytes.count), bytes)
  }
}
