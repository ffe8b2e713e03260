import CXCB
import Desktop
import Glibc
import Raster

/// A connection to an X server: the requests that this room makes, as typed calls.
///
/// XCB, not Xlib: a question's error comes back with its answer, and questions can be asked in a row
/// before the first answer is awaited. No other file spells a pointer of XCB's, `XEvent` and the
/// queries beside this one excepted.
@safe struct XConnection: ~Copyable {
  let raw: OpaquePointer
  /// The screen's number, as in `_NET_WM_CM_S0`.
  let screenNumber: Int
  let root: UInt32
  let rootVisual: UInt32
  let rootDepth: UInt8
  /// A visual whose pixels have alpha, and the colormap that its windows need; nil when the screen
  /// has none.
  let alpha: (visual: UInt32, colormap: UInt32)?
  let initialSize: (width: Int, height: Int)
  /// The first event numbers of extensions.
  let damageEvents, shapeEvents, shmEvents, fixesEvents: UInt8
  let hasSharedMemory: Bool
  private let idBase, idMask: UInt32
  private let display: String

  init(display: String) throws(DesktopError) {
    var number: Int32 = 0
    guard let raw = unsafe xcb_connect(display.isEmpty ? nil : display, &number) else {
      throw .unreachable("cannot connect to display '\(display)': out of memory")
    }
    let setup: Setup
    do {
      setup = try unsafe Setup(raw, display, screenNumber: number)
    } catch {
      unsafe xcb_disconnect(raw)
      throw error
    }
    unsafe self.raw = unsafe raw
    self.display = display
    screenNumber = Int(number)
    root = setup.screen.root
    rootVisual = setup.screen.root_visual
    rootDepth = setup.screen.root_depth
    alpha = setup.alphaVisual.map { visual in
      let colormap = unsafe xcb_generate_id(raw)
      unsafe xcb_create_colormap(
        raw, UInt8(XCB_COLORMAP_ALLOC_NONE.rawValue), colormap, setup.screen.root, visual)
      return (visual, colormap)
    }
    initialSize = (Int(setup.screen.width_in_pixels), Int(setup.screen.height_in_pixels))
    (idBase, idMask) = (setup.idBase, setup.idMask)
    damageEvents = setup.extensions[0] ?? 0
    fixesEvents = setup.extensions[1] ?? 0
    shapeEvents = setup.extensions[2] ?? 0
    shmEvents = setup.extensions[4] ?? 0
    hasSharedMemory = setup.extensions[4] != nil
  }

  deinit { unsafe xcb_disconnect(raw) }

  var descriptor: Int32 { unsafe xcb_get_file_descriptor(raw) }

  /// Whether a resource is one of ours.
  func isOwn(_ id: UInt32) -> Bool { id & ~idMask == idBase }

  /// Whether the server itself has made a resource, as the window that a compositor paints on: it is
  /// above all others, and all of them are in it.
  func isServers(_ id: UInt32) -> Bool { id & 0x1fff_ffff & ~idMask == 0 }

  func makeID() -> UInt32 { unsafe xcb_generate_id(raw) }

  /// Fails when the connection is gone.
  func check() throws(DesktopError) {
    if unsafe xcb_connection_has_error(raw) != 0 {
      throw .lost("display \(display) has closed the connection")
    }
  }

  func flush() throws(DesktopError) {
    unsafe _ = xcb_flush(raw)
    try check()
  }

  /// Waits until everything asked so far is done.
  func roundTrip() throws(DesktopError) {
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    unsafe free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), &error))
    unsafe free(error)
    try check()
  }
}

/// What a server says of itself when it accepts us.
private struct Setup {
  var screen: xcb_screen_t
  var idBase, idMask: UInt32
  /// The first event numbers of DAMAGE, XFIXES, SHAPE, Composite and MIT-SHM; nil for one that the
  /// server lacks, which only the last may be.
  var extensions: [UInt8?]
  /// Of 32 bits, BGRA.
  var alphaVisual: UInt32?

  init(_ raw: OpaquePointer, _ display: String, screenNumber: Int32) throws(DesktopError) {
    guard unsafe xcb_connection_has_error(raw) == 0, let setup = unsafe xcb_get_setup(raw) else {
      throw .unreachable(
        display.isEmpty
          ? "no display: DISPLAY is not set; name one with --display :0"
          : "cannot connect to display '\(display)'; is the X server running, and does it allow us?"
      )
    }
    unsafe (idBase, idMask) = (setup.pointee.resource_id_base, setup.pointee.resource_id_mask)
    var screens = unsafe xcb_setup_roots_iterator(setup)
    for _ in 0..<screenNumber { unsafe xcb_screen_next(&screens) }
    guard let found = unsafe screens.data else {
      throw .unreachable("display '\(display)' has no screen \(screenNumber)")
    }
    screen = unsafe found.pointee
    let visuals = unsafe trueColorVisuals(found)
    try unsafe checkPixelFormat(setup, screen, visuals, display)
    alphaVisual = visuals.first { $0.depth == 32 }?.id
    let names = ["DAMAGE", "XFIXES", "SHAPE", "Composite", "MIT-SHM"]
    let asked = names.map { name in
      unsafe xcb_query_extension(raw, UInt16(name.utf8.count), name)
    }
    extensions = asked.map { cookie in
      guard let reply = unsafe xcb_query_extension_reply(raw, cookie, nil) else { return nil }
      defer { unsafe free(reply) }
      return unsafe reply.pointee.present != 0 ? reply.pointee.first_event : nil
    }
    for (name, number) in zip(names, extensions).dropLast() where number == nil {
      throw .unsupported("display \(display) lacks the extension \(name), which glass needs")
    }
    unsafe greetExtensions(raw)
  }
}

/// Tells the versions that we speak: a server does nothing of an extension before it knows.
private func greetExtensions(_ raw: OpaquePointer) {
  let composite = unsafe xcb_composite_query_version(raw, 0, 4)
  let damage = unsafe xcb_damage_query_version(raw, 1, 1)
  let fixes = unsafe xcb_xfixes_query_version(raw, 5, 0)
  unsafe free(xcb_composite_query_version_reply(raw, composite, nil))
  unsafe free(xcb_damage_query_version_reply(raw, damage, nil))
  unsafe free(xcb_xfixes_query_version_reply(raw, fixes, nil))
}

/// The visuals of a screen whose colours are blue, green and red, from the lowest byte on.
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

/// Pixels must be 32 bits, BGRX in memory, as every screen of 24 bits has them.
private func checkPixelFormat(
  _ setup: UnsafePointer<xcb_setup_t>, _ screen: xcb_screen_t,
  _ visuals: [(id: UInt32, depth: UInt8)], _ display: String
) throws(DesktopError) {
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
