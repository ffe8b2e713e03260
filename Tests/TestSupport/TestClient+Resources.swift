import CXCB

extension TestClient {
  /// Sets the resources of the root, as `xrdb` does; `format` is the number of bits of a unit.
  package func setResources(_ bytes: [UInt8], format: UInt8 = 8) {
    _ = unsafe xcb_change_property(
      connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), root, XCB_ATOM_RESOURCE_MANAGER.rawValue,
      XCB_ATOM_STRING.rawValue, format, UInt32(bytes.count / Int(format / 8)), bytes)
  }
}
