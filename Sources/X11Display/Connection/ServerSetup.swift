import CXCB
import Engine
import Glibc

/// The screen that is served.
struct XScreen {
  /// The number of the screen, as in `_NET_WM_CM_S0`.
  let number: Int
  let root: UInt32
  let rootVisual: UInt32
  let rootDepth: UInt8
  /// A TrueColor visual with 32 bits, BGRA; nil if the screen has none.
  let alphaVisual: UInt32?
  let initialSize: (width: Int, height: Int)
}

/// The first event codes of the extensions.
struct Extensions {
  let damage, fixes, shape: UInt8
  /// Nil if the server lacks MIT-SHM 1.2, or is on another host.
  let sharedMemory: UInt8?
  /// Nil if the server lacks RandR 1.5.
  let randr: UInt8?
  /// Nil if the server lacks MIT-SCREEN-SAVER.
  let screenSaver: UInt8?
}

/// The properties of a server that a client gets when it connects.
struct ServerSetup {
  let identity: Identity
  let screen: XScreen
  let extensions: Extensions

  /// Throws `unreachable` if the connection failed, or `unsupported` if the server lacks an
  /// extension or has another pixel format. Waits for the server.
  init(_ raw: OpaquePointer, _ display: String, screenNumber: Int32) throws(DisplayError) {
    guard unsafe xcb_connection_has_error(raw) == 0, let setup = unsafe xcb_get_setup(raw) else {
      throw .unreachable(
        display.isEmpty
          ? "no display: DISPLAY is not set; name one with --display :0"
          : "cannot connect to display '\(display)'; check that the X server runs and allows access"
      )
    }
    identity = unsafe Identity(
      base: setup.pointee.resource_id_base, mask: setup.pointee.resource_id_mask)
    var screens = unsafe xcb_setup_roots_iterator(setup)
    for _ in 0..<screenNumber { unsafe xcb_screen_next(&screens) }
    guard let found = unsafe screens.data else {
      throw .unreachable("display '\(display)' has no screen \(screenNumber)")
    }
    let visuals = unsafe trueColorVisuals(found)
    try unsafe checkPixelFormat(setup, found.pointee, visuals, display)
    screen = unsafe XScreen(
      number: Int(screenNumber), root: found.pointee.root, rootVisual: found.pointee.root_visual,
      rootDepth: found.pointee.root_depth, alphaVisual: visuals.first { $0.depth == 32 }?.id,
      initialSize: (Int(found.pointee.width_in_pixels), Int(found.pointee.height_in_pixels)))
    extensions = try unsafe queryExtensions(raw, display)
    unsafe negotiateVersions(raw)
  }
}

private func queryExtensions(
  _ raw: OpaquePointer, _ display: String
) throws(DisplayError) -> Extensions {
  let names = ["DAMAGE", "XFIXES", "SHAPE", "Composite", "MIT-SHM", "RANDR", "MIT-SCREEN-SAVER"]
  let cookies = names.map { name in
    unsafe xcb_query_extension(raw, UInt16(name.utf8.count), name)
  }
  let numbers = cookies.map { cookie -> UInt8? in
    guard let reply = unsafe xcb_query_extension_reply(raw, cookie, nil) else { return nil }
    defer { unsafe free(reply) }
    return unsafe reply.pointee.present != 0 ? reply.pointee.first_event : nil
  }
  if unsafe xcb_connection_has_error(raw) != 0 {
    throw .lost("display \(display) has closed the connection")
  }
  for (name, number) in zip(names, numbers).prefix(4) where number == nil {
    throw .unsupported("display \(display) lacks the extension \(name), which glass needs")
  }
  let sharesFiles = unsafe numbers[4] != nil && sharesFiles(raw)
  let hasMonitors = unsafe numbers[5] != nil && knowsMonitors(raw)
  return Extensions(
    damage: numbers[0] ?? 0, fixes: numbers[1] ?? 0, shape: numbers[2] ?? 0,
    sharedMemory: sharesFiles ? numbers[4] : nil, randr: hasMonitors ? numbers[5] : nil,
    screenSaver: numbers[6])
}

/// Whether a server with MIT-SHM can map files whose descriptors it gets, which version 1.2 has introduced.
private func sharesFiles(_ raw: OpaquePointer) -> Bool {
  let cookie = unsafe xcb_shm_query_version(raw)
  let reply = unsafe xcb_shm_query_version_reply(raw, cookie, nil)
  defer { unsafe free(reply) }
  guard let version = unsafe reply?.pointee else { return false }
  var address = sockaddr_storage()
  var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
  let socket = unsafe xcb_get_file_descriptor(raw)
  let isLocal = unsafe withUnsafeMutablePointer(to: &address) { storage in
    unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe getsockname(socket, $0, &length) == 0
    }
  }
  // Only local sockets transfer descriptors.
  return isLocal && address.ss_family == sa_family_t(AF_UNIX)
    && (version.major_version, version.minor_version) >= (1, 2)
}

/// Whether a server with RandR knows monitors, which version 1.5 has introduced.
private func knowsMonitors(_ raw: OpaquePointer) -> Bool {
  let cookie = unsafe xcb_randr_query_version(raw, 1, 5)
  let reply = unsafe xcb_randr_query_version_reply(raw, cookie, nil)
  defer { unsafe free(reply) }
  guard let version = unsafe reply?.pointee else { return false }
  return (version.major_version, version.minor_version) >= (1, 5)
}

/// Negotiates the versions of extensions. The server refuses other requests of an extension before
/// this.
private func negotiateVersions(_ raw: OpaquePointer) {
  let composite = unsafe xcb_composite_query_version(raw, 0, 4)
  let damage = unsafe xcb_damage_query_version(raw, 1, 1)
  let fixes = unsafe xcb_xfixes_query_version(raw, 5, 0)
  unsafe free(xcb_composite_query_version_reply(raw, composite, nil))
  unsafe free(xcb_damage_query_version_reply(raw, damage, nil))
  unsafe free(xcb_xfixes_query_version_reply(raw, fixes, nil))
}

/// The TrueColor visuals of a screen with blue, green and red from the lowest byte on.
private func trueColorVisuals(
  _ screen: UnsafeMutablePointer<xcb_screen_t>
) -> [(id: UInt32, depth: UInt8)] {
  var found: [(id: UInt32, depth: UInt8)] = []
  var depths = unsafe xcb_screen_allowed_depths_iterator(screen)
  while unsafe depths.rem > 0 {
    var visuals = unsafe xcb_depth_visuals_iterator(depths.data)
    while unsafe visuals.rem > 0 {
      let visual = unsafe visuals.data.pointee
      if visual._class == UInt8(XCB_VISUAL_CLASS_TRUE_COLOR.rawValue),
        visual.red_mask == 0xff0000, visual.green_mask == 0xff00, visual.blue_mask == 0xff
      {
        unsafe found.append((visual.visual_id, depths.data.pointee.depth))
      }
      unsafe xcb_visualtype_next(&visuals)
    }
    unsafe xcb_depth_next(&depths)
  }
  return found
}

/// Throws `unsupported` unless the pixels of the screen are 32-bit BGRX in memory, the usual format
/// of 24-bit screens.
private func checkPixelFormat(
  _ setup: UnsafePointer<xcb_setup_t>, _ screen: xcb_screen_t,
  _ visuals: [(id: UInt32, depth: UInt8)], _ display: String
) throws(DisplayError) {
  var bits: UInt8 = 0
  var formats = unsafe xcb_setup_pixmap_formats_iterator(setup)
  while unsafe formats.rem > 0 {
    let format = unsafe formats.data.pointee
    if format.depth == screen.root_depth { bits = format.bits_per_pixel }
    unsafe xcb_format_next(&formats)
  }
  let isLittleEndian =
    unsafe setup.pointee.image_byte_order == UInt8(XCB_IMAGE_ORDER_LSB_FIRST.rawValue)
  let isTrueColor = visuals.contains { $0.id == screen.root_visual }
  guard screen.root_depth == 24, bits == 32, isTrueColor, isLittleEndian else {
    throw .unsupported(
      "display \(display) has \(screen.root_depth)-bit pixels in \(bits) bits; "
        + "glass needs a 24-bit TrueColor screen (for Xvfb: -screen 0 1920x1080x24)")
  }
}
