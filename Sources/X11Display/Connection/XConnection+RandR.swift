import CXCB
import Panes

extension XConnection {
  mutating func send(_ requests: [RandRRequest]) {
    for request in requests { self.request(request) }
  }

  /// Makes a request about monitors. The server must have RandR 1.5.
  private mutating func request(_ request: RandRRequest) {
    let now: UInt32 = 0
    switch request {
    case .monitors:
      let cookie = unsafe xcb_randr_get_monitors(raw, root, 1)
      unsafe expect(cookie.sequence, xcb_randr_get_monitors_reply_t.self) {
        unsafe .randr(.monitors(monitorReplies($0)))
      }
    case .resources:
      let cookie = unsafe xcb_randr_get_screen_resources_current(raw, root)
      unsafe expect(cookie.sequence, xcb_randr_get_screen_resources_current_reply_t.self) {
        unsafe .randr(screenResources($0))
      }
    case .output(let output):
      let cookie = unsafe xcb_randr_get_output_info(raw, output, now)
      unsafe expect(cookie.sequence, xcb_randr_get_output_info_reply_t.self) {
        unsafe .randr(.output(output, OutputReply($0)))
      }
    case .crtc(let crtc):
      let cookie = unsafe xcb_randr_get_crtc_info(raw, crtc, now)
      unsafe expect(cookie.sequence, xcb_randr_get_crtc_info_reply_t.self) {
        let rotation = unsafe $0?.pointee.rotation
        return .randr(.crtc(crtc, rotation.map { Orientation(randR: $0) }))
      }
    case .transform(let crtc):
      let cookie = unsafe xcb_randr_get_crtc_transform(raw, crtc)
      unsafe expect(cookie.sequence, xcb_randr_get_crtc_transform_reply_t.self) {
        let matrix = unsafe $0?.pointee.current_transform
        let scale = matrix.map {
          transformScale($0.matrix11, $0.matrix12, $0.matrix21, $0.matrix22)
        }
        return .randr(.transform(crtc, scale))
      }
    case .name(let atom):
      let cookie = unsafe xcb_get_atom_name(raw, atom)
      unsafe expect(cookie.sequence, xcb_get_atom_name_reply_t.self) {
        unsafe .randr(.name(atom, atomName($0)))
      }
    }
  }
}
