import CXCB
import Engine
import Glibc
import Linux

/// The screen that is served.
struct XScreen {
  /// The number of the screen, as in `_NET_WM_CM_S0`.
  let number: Int
  let root: UInt32
  let rootVisual: UInt32
  let rootDepth: UInt8
  /// The format of drawables of the root's depth.
  let rootFormat: PixelFormat
  /// The TrueColor visuals of the depths 24 and 32 whose pixels are BGRX or BGRA, by their depth.
  let colorVisuals: [UInt8: UInt32]
  let initialSize: (width: Int, height: Int)

  /// A TrueColor visual with 32 bits, BGRA; nil if the screen has none.
  var alphaVisual: UInt32? { colorVisuals[32] }
  /// The format of a drawable.
  func format(ofDepth depth: UInt8) -> PixelFormat { depth == rootDepth ? rootFormat : .bgrx8 }
  /// The depth of windows with or without alpha.
  func depth(hasAlpha: Bool) -> UInt8 { hasAlpha ? 32 : rootDepth }
}

/// The properties of a server that a client gets when it connects.
struct ServerSetup {
  let identity: Identity
  let screen: XScreen
  let extensions: Extensions

  /// Throws `unreachable` if the connection failed, or `unsupported` if the server lacks an
  /// extension or has another pixel format. Waits for the server.
  init(
    _ raw: OpaquePointer, _ display: String, screenNumber: Int32, _ needs: [ExtensionName]
  ) throws(DisplayError) {
    guard unsafe xcb_connection_has_error(raw) == 0, let setup = unsafe xcb_get_setup(raw) else {
      throw unreachable(display)
    }
    identity = unsafe Identity(
      base: setup.pointee.resource_id_base, mask: setup.pointee.resource_id_mask)
    var screens = unsafe xcb_setup_roots_iterator(setup)
    for _ in 0..<screenNumber { unsafe xcb_screen_next(&screens) }
    guard let found = unsafe screens.data else {
      throw .unreachable("display '\(display)' has no screen \(screenNumber)")
    }
    let visuals = unsafe trueColorVisuals(found)
    let format = try unsafe rootFormat(setup, found.pointee, visuals, display)
    screen = unsafe XScreen(
      number: Int(screenNumber), root: found.pointee.root, rootVisual: found.pointee.root_visual,
      rootDepth: found.pointee.root_depth, rootFormat: format,
      colorVisuals: Dictionary(
        visuals.filter {
          unsafe $0.masks == colorMasks && imageLayout(setup, depth: $0.depth) == (32, 32)
        }.map { ($0.depth, $0.id) }, uniquingKeysWith: { first, _ in first }),
      initialSize: (Int(found.pointee.width_in_pixels), Int(found.pointee.height_in_pixels)))
    extensions = try unsafe Extensions(
      findExtensions(raw, display), isLocal: isUnixSocket(xcb_get_file_descriptor(raw)), display,
      needs)
    // Enables requests of more than 256 KiB.
    _ = unsafe xcb_get_maximum_request_length(raw)
  }
}

/// The error of a connection that could not be made.
func unreachable(_ display: String) -> DisplayError {
  .unreachable(
    display.isEmpty
      ? "no display: DISPLAY is not set; name one with --display :0"
      : "cannot connect to display '\(display)'; check that the X server runs and allows access")
}

/// A TrueColor visual.
private struct TrueColorVisual {
  let id: UInt32
  let depth: UInt8
  let masks: PixelFormat.Masks
}

/// The masks of BGRX and BGRA pixels.
private let colorMasks = PixelFormat.Masks(red: 0xff0000, green: 0xff00, blue: 0xff)

private func trueColorVisuals(
  _ screen: UnsafeMutablePointer<xcb_screen_t>
) -> [TrueColorVisual] {
  var found: [TrueColorVisual] = []
  var depths = unsafe xcb_screen_allowed_depths_iterator(screen)
  while unsafe depths.rem > 0 {
    var visuals = unsafe xcb_depth_visuals_iterator(depths.data)
    while unsafe visuals.rem > 0 {
      let visual = unsafe visuals.data.pointee
      if visual._class == UInt8(XCB_VISUAL_CLASS_TRUE_COLOR.rawValue) {
        let masks = PixelFormat.Masks(
          red: visual.red_mask, green: visual.green_mask, blue: visual.blue_mask)
        unsafe found.append(
          TrueColorVisual(id: visual.visual_id, depth: depths.data.pointee.depth, masks: masks))
      }
      unsafe xcb_visualtype_next(&visuals)
    }
    unsafe xcb_depth_next(&depths)
  }
  return found
}

/// The format of the pixels of a screen. Throws `unsupported` with the reason if they cannot be converted.
private func rootFormat(
  _ setup: UnsafePointer<xcb_setup_t>, _ screen: xcb_screen_t, _ visuals: [TrueColorVisual],
  _ display: String
) throws(DisplayError) -> PixelFormat {
  func refusal(_ reason: String) -> DisplayError {
    .unsupported(
      "display \(display) has depth \(screen.root_depth) \(reason); glass needs TrueColor of depth "
        + "16 (RGB 5-6-5), 24 (8-8-8) or 30 (10-10-10), such as Xvfb -screen 0 1920x1080x24")
  }
  guard let visual = visuals.first(where: { $0.id == screen.root_visual }) else {
    throw refusal("without TrueColor")
  }
  let (bits, rowPad) = unsafe imageLayout(setup, depth: screen.root_depth)
  let masks = visual.masks
  let format = PixelFormat(depth: screen.root_depth, bitsPerPixel: bits, masks)
  guard let format else {
    let list = [masks.red, masks.green, masks.blue].map { String($0, radix: 16) }
    throw refusal("with \(bits)-bit pixels of the masks \(list.joined(separator: ", "))")
  }
  let order = unsafe setup.pointee.image_byte_order
  if order != UInt8(XCB_IMAGE_ORDER_LSB_FIRST.rawValue) { throw refusal("in big-endian order") }
  if rowPad != 32 { throw refusal("with rows padded to \(rowPad) bits") }
  return format
}

/// The size of a pixel in an image, and that to a multiple of which each row is padded, in bits. 0 if the server
/// does not say.
private func imageLayout(
  _ setup: UnsafePointer<xcb_setup_t>, depth: UInt8
) -> (bits: UInt8, rowPad: UInt8) {
  var formats = unsafe xcb_setup_pixmap_formats_iterator(setup)
  while unsafe formats.rem > 0 {
    let format = unsafe formats.data.pointee
    if format.depth == depth { return (format.bits_per_pixel, format.scanline_pad) }
    unsafe xcb_format_next(&formats)
  }
  return (0, 0)
}
