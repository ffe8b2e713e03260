import CXCB

extension TestClient {
  /// Plays a compositor that comes and goes at the moment that a test chooses, and paints nothing.
  ///
  /// Not `byHand`, the server goes on painting the windows that are redirected, and blends none of them:
  /// so does `xcompmgr -a`.
  package func setCompositing(_ isOn: Bool, byHand: Bool = true) {
    let mode = byHand ? XCB_COMPOSITE_REDIRECT_MANUAL : XCB_COMPOSITE_REDIRECT_AUTOMATIC
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
