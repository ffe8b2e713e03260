import CXCB
import Engine
import Glibc

/// An extension of an X server.
package struct ServerExtension: Equatable, Sendable {
  /// The name that the server uses, such as `XFIXES`.
  package let name: ExtensionName
  /// The version that the server and backdropd have negotiated; nil if backdropd does not use it.
  package let version: ExtensionVersion?
  /// The first code of its events, and the code of its requests.
  let event, request: UInt8
}

/// A version of an extension.
package struct ExtensionVersion: Comparable, Sendable, CustomStringConvertible {
  package let major, minor: Int

  package init(_ major: Int, _ minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Whether one is older.
  package static func < (one: Self, other: Self) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }

  package var description: String { "\(major).\(minor)" }
}

/// The extensions that backdropd asks for. The raw values are their names.
package enum ExtensionName: String, CaseIterable, Sendable {
  case composite = "Composite"
  case damage = "DAMAGE"
  case fixes = "XFIXES"
  case shape = "SHAPE"
  case sharedMemory = "MIT-SHM"
  case randr = "RANDR"
  case input = "XInputExtension"
  case screenSaver = "MIT-SCREEN-SAVER"
  /// The extension of servers that can switch monitors off.
  case monitorPower = "DPMS"
  case identifiers = "XC-MISC"
  case present = "Present"
  /// The extension of newer versions of Xwayland.
  case xwayland = "XWAYLAND"

  /// The extensions without which there is no glass.
  package static let needed: [ExtensionName] = [.damage, .fixes, .shape, .composite]
}

/// The codes of the extensions that the daemon uses.
struct Extensions {
  let damage, fixes, shape: UInt8
  /// Nil if the server lacks MIT-SHM 1.2, or is on another host.
  let sharedMemory: UInt8?
  /// Nil if the server lacks RandR 1.5.
  let randr: UInt8?
  /// Nil if the server lacks MIT-SCREEN-SAVER.
  let screenSaver: UInt8?
  /// Whether the server has monitors that it can make dark.
  let hasMonitors: Bool
  /// Whether the server has XC-MISC, which finds unused identifiers.
  let hasIDRanges: Bool
  /// The code that marks events of the X Input Extension; nil if the server lacks its version 2.2, which knows touches.
  let input: UInt8?

  /// Throws `unsupported` if an extension in `needs` is missing. The requests of an extension of `ExtensionName.needed` must be
  /// used only if it is in `needs`. `isLocal` is whether the server is on this host; only then it can map the files whose
  /// descriptors clients send with MIT-SHM 1.2.
  init(
    _ found: [ServerExtension], isLocal: Bool, _ display: String, _ needs: [ExtensionName]
  ) throws(DisplayError) {
    func event(_ name: ExtensionName, since version: ExtensionVersion? = nil) -> UInt8? {
      found.first { $0.name == name && isNew($0.version, since: version) }?.event
    }
    for name in needs where event(name) == nil {
      throw .unsupported(
        "display \(display) lacks the extension \(name.rawValue), which glass needs")
    }
    damage = event(.damage) ?? 0
    fixes = event(.fixes) ?? 0
    shape = event(.shape) ?? 0
    sharedMemory = isLocal ? event(.sharedMemory, since: .sharesFiles) : nil
    randr = event(.randr, since: .knowsMonitors)
    screenSaver = event(.screenSaver)
    hasMonitors = event(.monitorPower) != nil
    hasIDRanges = event(.identifiers) != nil
    input =
      found.first { $0.name == .input && isNew($0.version, since: .knowsTouches) }?.request
  }
}

private func isNew(_ version: ExtensionVersion?, since limit: ExtensionVersion?) -> Bool {
  guard let limit else { return true }
  return version.map { $0 >= limit } ?? false
}

extension ExtensionVersion {
  /// The first version of MIT-SHM in which the server maps files whose descriptors it gets.
  package static let sharesFiles = ExtensionVersion(1, 2)
  /// The first version of RandR with monitors.
  package static let knowsMonitors = ExtensionVersion(1, 5)
  /// The first version of the X Input Extension with touches.
  package static let knowsTouches = ExtensionVersion(2, 2)
}

/// The extensions of a server among those of `ExtensionName`. Negotiates their versions, because the server refuses other
/// requests of an extension before. Throws `lost`.
func findExtensions(
  _ raw: OpaquePointer, _ display: String
) throws(DisplayError) -> [ServerExtension] {
  // libxcb would wait for the codes and the limit at the first request that needs them. Without memory for the reply it would
  // wait for ever. So all are requested here.
  unsafe request_extension_codes(raw)
  let names = ExtensionName.allCases
  let cookies = names.map { name in
    unsafe xcb_query_extension(raw, UInt16(name.rawValue.utf8.count), name.rawValue)
  }
  var replies: [(ExtensionName, xcb_query_extension_reply_t)] = []
  for (name, cookie) in zip(names, cookies) {
    let reply = try unsafe awaitReply(
      to: cookie.sequence, as: xcb_query_extension_reply_t.self, raw, display)
    if let reply, reply.present != 0 { replies.append((name, reply)) }
  }
  unsafe xcb_prefetch_maximum_request_length(raw)
  var found: [ServerExtension] = []
  for (name, reply) in replies {
    found.append(
      ServerExtension(
        name: name, version: try unsafe negotiate(name, raw, display), event: reply.first_event,
        request: reply.major_opcode))
  }
  return found
}

/// Negotiates the version of an extension that the server has. Waits for the server. Throws `lost`.
private func negotiate(
  _ name: ExtensionName, _ raw: OpaquePointer, _ display: String
) throws(DisplayError) -> ExtensionVersion? {
  func version<Reply>(
    _ request: RequestSequence, _ read: (Reply) -> (UInt32, UInt32)
  ) throws(DisplayError) -> ExtensionVersion? {
    let reply = try unsafe awaitReply(to: request, as: Reply.self, raw, display)
    return reply.map(read).map { ExtensionVersion(Int($0), Int($1)) }
  }
  return switch name {
  case .composite:
    try unsafe version(xcb_composite_query_version(raw, 0, 4).sequence) {
      (reply: xcb_composite_query_version_reply_t) in (reply.major_version, reply.minor_version)
    }
  case .damage:
    try unsafe version(xcb_damage_query_version(raw, 1, 1).sequence) {
      (reply: xcb_damage_query_version_reply_t) in (reply.major_version, reply.minor_version)
    }
  case .fixes:
    try unsafe version(xcb_xfixes_query_version(raw, 5, 0).sequence) {
      (reply: xcb_xfixes_query_version_reply_t) in (reply.major_version, reply.minor_version)
    }
  case .shape:
    try unsafe version(xcb_shape_query_version(raw).sequence) {
      (reply: xcb_shape_query_version_reply_t) in
      (UInt32(reply.major_version), UInt32(reply.minor_version))
    }
  case .sharedMemory:
    try unsafe version(xcb_shm_query_version(raw).sequence) {
      (reply: xcb_shm_query_version_reply_t) in
      (UInt32(reply.major_version), UInt32(reply.minor_version))
    }
  case .randr:
    try unsafe version(xcb_randr_query_version(raw, 1, 5).sequence) {
      (reply: xcb_randr_query_version_reply_t) in (reply.major_version, reply.minor_version)
    }
  case .input:
    try unsafe version(xcb_input_xi_query_version(raw, 2, 2).sequence) {
      (reply: xcb_input_xi_query_version_reply_t) in
      (UInt32(reply.major_version), UInt32(reply.minor_version))
    }
  case .screenSaver:
    try unsafe version(xcb_screensaver_query_version(raw, 1, 1).sequence) {
      (reply: xcb_screensaver_query_version_reply_t) in
      (UInt32(reply.server_major_version), UInt32(reply.server_minor_version))
    }
  case .identifiers:
    try unsafe version(xcb_xc_misc_get_version(raw, 1, 1).sequence) {
      (reply: xcb_xc_misc_get_version_reply_t) in
      (UInt32(reply.server_major_version), UInt32(reply.server_minor_version))
    }
  case .present, .xwayland, .monitorPower: nil
  }
}

/// Waits for a reply to a request, as long as there is no relay. Returns its fixed part; nil if the server refused the request.
/// Throws `lost`.
///
/// `xcb_wait_for_reply` would wait for ever if libxcb had no memory for what arrived.
private func awaitReply<Reply>(
  to request: RequestSequence, as: Reply.Type, _ raw: OpaquePointer, _ display: String
) throws(DisplayError) -> Reply? {
  _ = unsafe xcb_flush(raw)
  var reply: UnsafeMutableRawPointer?
  var error: UnsafeMutablePointer<xcb_generic_error_t>?
  while unsafe xcb_poll_for_reply(raw, request, &reply, &error) == 0 {
    if unsafe xcb_connection_has_error(raw) != 0 { break }
    var polled = unsafe pollfd(
      fd: xcb_get_file_descriptor(raw), events: Int16(POLLIN), revents: 0)
    // A call that failed is repeated, but not all the time.
    if unsafe poll(&polled, 1, -1) < 0, errno != EINTR { usleep(10_000) }
  }
  defer {
    unsafe free(reply)
    unsafe free(error)
  }
  if unsafe reply == nil && error == nil { throw unsafe loss(of: display, raw) }
  return unsafe reply?.load(as: Reply.self)
}
