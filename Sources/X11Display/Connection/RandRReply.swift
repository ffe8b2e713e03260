import CXCB
import Panes
import Raster

/// A request about monitors. Its reply is a `RandRReply`.
enum RandRRequest: Hashable {
  case monitors
  /// The outputs and the CRTCs, as the server knows them: it asks no hardware.
  case resources
  case output(UInt32)
  case crtc(UInt32)
  /// The transform of a CRTC.
  case transform(UInt32)
  /// The name of an atom.
  case name(UInt32)
}

/// A reply about monitors; without values if the request failed.
enum RandRReply {
  case monitors([MonitorReply])
  case resources(outputs: [UInt32], crtcs: [UInt32])
  case output(UInt32, OutputReply?)
  case crtc(UInt32, Orientation?)
  case transform(UInt32, Double?)
  case name(UInt32, String?)
}

/// A monitor in the form of the protocol.
struct MonitorReply {
  /// An atom.
  var name: UInt32
  var isPrimary: Bool
  var bounds: Rect
  var outputs: [UInt32]
}

/// An output: a connector of the graphics card.
struct OutputReply {
  var name: String
  /// The CRTC whose picture it shows; nil if it shows nothing.
  var crtc: UInt32?
}

/// The monitors in a reply; none if the request failed.
func monitorReplies(
  _ reply: UnsafeMutablePointer<xcb_randr_get_monitors_reply_t>?
) -> [MonitorReply] {
  guard let reply = unsafe reply else { return [] }
  var found: [MonitorReply] = []
  var monitors = unsafe xcb_randr_get_monitors_monitors_iterator(reply)
  while unsafe monitors.rem > 0, let data = unsafe monitors.data {
    let monitor = unsafe data.pointee
    let outputs = unsafe UnsafeBufferPointer(
      start: xcb_randr_monitor_info_outputs(data),
      count: Int(xcb_randr_monitor_info_outputs_length(data)))
    unsafe found.append(
      MonitorReply(
        name: monitor.name, isPrimary: monitor.primary != 0,
        bounds: Rect(
          x: Int(monitor.x), y: Int(monitor.y), width: Int(monitor.width),
          height: Int(monitor.height)), outputs: Array(outputs)))
    unsafe xcb_randr_monitor_info_next(&monitors)
  }
  return found.filter { !$0.bounds.isEmpty }
}

/// The outputs and the CRTCs in a reply; none if the request failed.
func screenResources(
  _ reply: UnsafeMutablePointer<xcb_randr_get_screen_resources_current_reply_t>?
) -> RandRReply {
  guard let reply = unsafe reply else { return .resources(outputs: [], crtcs: []) }
  let outputs = unsafe UnsafeBufferPointer(
    start: xcb_randr_get_screen_resources_current_outputs(reply),
    count: Int(xcb_randr_get_screen_resources_current_outputs_length(reply)))
  let crtcs = unsafe UnsafeBufferPointer(
    start: xcb_randr_get_screen_resources_current_crtcs(reply),
    count: Int(xcb_randr_get_screen_resources_current_crtcs_length(reply)))
  return unsafe .resources(outputs: Array(outputs), crtcs: Array(crtcs))
}

extension OutputReply {
  /// Nil if the request failed.
  init?(_ reply: UnsafeMutablePointer<xcb_randr_get_output_info_reply_t>?) {
    guard let reply = unsafe reply else { return nil }
    let name = unsafe UnsafeBufferPointer(
      start: xcb_randr_get_output_info_name(reply),
      count: Int(xcb_randr_get_output_info_name_length(reply)))
    self.init(
      name: unsafe String(decoding: name, as: UTF8.self),
      crtc: unsafe reply.pointee.crtc == 0 ? nil : reply.pointee.crtc)
  }
}

/// The name of an atom in a reply; nil if the request failed.
func atomName(_ reply: UnsafeMutablePointer<xcb_get_atom_name_reply_t>?) -> String? {
  guard let reply = unsafe reply, let start = unsafe xcb_get_atom_name_name(reply) else {
    return nil
  }
  let count = unsafe Int(xcb_get_atom_name_name_length(reply))
  return unsafe String(
    decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}

/// The factor by which the transform with this matrix, whose elements have 16 fractional bits, changes lengths; within the
/// range of scales.
func transformScale(_ m11: Int32, _ m12: Int32, _ m21: Int32, _ m22: Int32) -> Double {
  func number(_ fixed: Int32) -> Double { Double(fixed) / 65536 }
  let area = number(m11) * number(m22) - number(m12) * number(m21)
  let scale = area.magnitude.squareRoot()
  return min(Output.scaleRange.upperBound, max(Output.scaleRange.lowerBound, scale))
}

extension Orientation {
  /// The orientation that a rotation of RandR describes: one of the lowest four bits for the quarter turns, then two for
  /// reflections left to right and top to bottom. The second is the first and a half turn.
  init(randR rotation: UInt16) {
    let turns = rotation.trailingZeroBitCount & 3
    let isReflectedX = rotation & UInt16(XCB_RANDR_ROTATION_REFLECT_X.rawValue) != 0
    let isReflectedY = rotation & UInt16(XCB_RANDR_ROTATION_REFLECT_Y.rawValue) != 0
    self.init(
      quarterTurns: turns + (isReflectedY ? 2 : 0), isReflected: isReflectedX != isReflectedY)
  }
}
