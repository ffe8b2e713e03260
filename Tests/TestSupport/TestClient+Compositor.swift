import CXCB

extension TestClient {
  /// Simulates a compositor that starts or ends at once, and paints nothing.
  ///
  /// If redirection is not manual the server still paints redirected windows, and blends none of them, as with
  /// `xcompmgr -a`.
  package func setCompositing(_ isOn: Bool, isManual: Bool = true) {
    let mode = isManual ? XCB_COMPOSITE_REDIRECT_MANUAL : XCB_COMPOSITE_REDIRECT_AUTOMATIC
    let update = UInt8(mode.rawValue)
    if isOn {
      unsafe _ = xcb_composite_query_version(connection, 0, 4)
      unsafe _ = xcb_composite_redirect_subwindows(connection, root, update)
    } else {
      unsafe _ = xcb_composite_unredirect_subwindows(connection, root, update)
    }
    unsafe _ = xcb_set_selection_owner(connection, isOn ? root : 0, atom("_NET_WM_CM_S0"), 0)
  }
}
