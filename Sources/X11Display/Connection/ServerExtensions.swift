import CXCB
import Engine
import Glibc

/// An extension of an X server.
package struct ServerExtension: Equatable, Sendable {
  /// As the server calls it, such as `XFIXES`.
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
  /// What servers have that can switch monitors off.
  case monitorPower = "DPMS"
  case identifiers = "XC-MISC"
  case present = "Present"
  /// What newer versions of Xwayland have.
  case xwayland = "XWAYLAND"

  /// Those without which there is no glass.
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

  /// Throws `unsupported` if one of `needs` is missing, whose requests must not be used otherwise. Only servers that are `isLocal` can map files whose
  /// descriptors they get, which MIT-SHM 1.2 has introduced.
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
  /// Since when MIT-SHM maps files whose descriptors the server gets.
  package static let sharesFiles = ExtensionVersion(1, 2)
  /// Since when RandR knows monitors.
  package static let knowsMonitors = ExtensionVersion(1, 5)
  /// Since when the X Input Extension knows touches.
  package static let knowsTouches = ExtensionVersion(2, 2)
}

/// The extensions of a server among those of `ExtensionName`. Negotiates their versions, because the server refuses other
/// requests of an extension before, and libxcb would wait for the server with the first one. Throws `lost`.
func findExtensions(
  _ raw: OpaquePointer, _ display: String
) throws(DisplayError) -> [ServerExtension] {
  let names = ExtensionName.allCases
  let cookies = names.map { name in
    unsafe xcb_query_extension(raw, UInt16(name.rawValue.utf8.count), name.rawValue)
  }
  let codes = cookies.map { cookie -> (event: UInt8, request: UInt8)? in
    guard let reply = unsafe xcb_query_extension_reply(raw, cookie, nil) else { return nil }
    defer { unsafe free(reply) }
    let codes = unsafe (reply.pointee.first_event, reply.pointee.major_opcode)
    return unsafe reply.pointee.present != 0 ? codes : nil
  }
  if unsafe xcb_connection_has_error(raw) != 0 {
    throw .lost("display \(display) has closed the connection")
  }
  return zip(names, codes).compactMap { name, codes in
    codes.map {
      ServerExtension(
        name: name, version: unsafe negotiate(name, raw), event: $0.event, request: $0.request)
    }
  }
}

/// Negotiates the version of an extension that the server has. Waits for the server.
private func negotiate(_ name: ExtensionName, _ raw: OpaquePointer) -> ExtensionVersion? {
  switch name {
  case .composite:
    unsafe version(
      xcb_composite_query_version_reply(raw, xcb_composite_query_version(raw, 0, 4), nil)
    ) { ExtensionVersion(Int($0.major_version), Int($0.minor_version)) }
  case .damage:
    unsafe version(
      xcb_damage_query_version_reply(raw, xcb_damage_query_version(raw, 1, 1), nil)
    ) { ExtensionVersion(Int($0.major_version), Int($0.minor_version)) }
  case .fixes:
    unsafe version(
      xcb_xfixes_query_version_reply(raw, xcb_xfixes_query_version(raw, 5, 0), nil)
    ) { ExtensionVersion(Int($0.major_version), Int($0.minor_version)) }
  case .shape:
    unsafe version(xcb_shape_query_version_reply(raw, xcb_shape_query_version(raw), nil)) {
      ExtensionVersion(Int($0.major_version), Int($0.minor_version))
    }
  case .sharedMemory:
    unsafe version(xcb_shm_query_version_reply(raw, xcb_shm_query_version(raw), nil)) {
      ExtensionVersion(Int($0.major_version), Int($0.minor_version))
    }
  case .randr:
    unsafe version(
      xcb_randr_query_version_reply(raw, xcb_randr_query_version(raw, 1, 5), nil)
    ) { ExtensionVersion(Int($0.major_version), Int($0.minor_version)) }
  case .input:
    unsafe version(
      xcb_input_xi_query_version_reply(raw, xcb_input_xi_query_version(raw, 2, 2), nil)
    ) { ExtensionVersion(Int($0.major_version), Int($0.minor_version)) }
  case .screenSaver:
    unsafe version(
      xcb_screensaver_query_version_reply(raw, xcb_screensaver_query_version(raw, 1, 1), nil)
    ) { ExtensionVersion(Int($0.server_major_version), Int($0.server_minor_version)) }
  case .identifiers:
    unsafe version(
      xcb_xc_misc_get_version_reply(raw, xcb_xc_misc_get_version(raw, 1, 1), nil)
    ) { ExtensionVersion(Int($0.server_major_version), Int($0.server_minor_version)) }
  case .present, .xwayland, .monitorPower: nil
  }
}

/// The version in a reply, which is freed.
private func version<Reply>(
  _ reply: UnsafeMutablePointer<Reply>?, _ read: (Reply) -> ExtensionVersion
) -> ExtensionVersion? {
  defer { unsafe free(reply) }
  return unsafe (reply?.pointee).map(read)
}
