import CXCB
import Raster

/// Requests without an answer: they are sent with the next flush, and an error in them, mostly about a
/// window that has just gone, arrives as an event.
extension XConnection {
  /// Nothing else happens on the server until `ungrab`.
  func grab() { unsafe xcb_grab_server(raw) }
  func ungrab() { unsafe xcb_ungrab_server(raw) }

  // MARK: Windows

  struct NewWindow {
    var rect: Rect
    /// The screen's own background shows through a window that has it as its background.
    var isParentRelative = false
    var events: UInt32 = 0
    /// Nil is the root.
    var parent: UInt32?
    /// Whether its pixels have alpha, where the screen can have that: then it begins clear.
    var hasAlpha = false
  }

  /// An override-redirect window, not mapped. Without a background it keeps what
  /// was on the screen until something is put there.
  func createWindow(_ new: NewWindow) -> UInt32 {
    let window = makeID()
    var attributes: KeyValuePairs = [
      XCB_CW_BACK_PIXMAP:
        new.isParentRelative
        ? XCB_BACK_PIXMAP_PARENT_RELATIVE.rawValue : XCB_BACK_PIXMAP_NONE.rawValue,
      XCB_CW_OVERRIDE_REDIRECT: 1, XCB_CW_EVENT_MASK: new.events,
    ]
    var (depth, visual) = (rootDepth, rootVisual)
    if new.hasAlpha, let alpha {
      (depth, visual) = (32, alpha.visual)
      // What a window of another depth than its parent's must not inherit; and its pixels stay where
      // they are on the screen when it is resized, or it would be clear until it is drawn again.
      attributes = [
        XCB_CW_BACK_PIXEL: 0, XCB_CW_BORDER_PIXEL: 0,
        XCB_CW_BIT_GRAVITY: XCB_GRAVITY_STATIC.rawValue, XCB_CW_OVERRIDE_REDIRECT: 1,
        XCB_CW_EVENT_MASK: new.events, XCB_CW_COLORMAP: alpha.colormap,
      ]
    }
    unsafe xcb_create_window(
      raw, depth, window, new.parent ?? root, Int16(clamping: new.rect.x),
      Int16(clamping: new.rect.y),
      UInt16(clamping: new.rect.width), UInt16(clamping: new.rect.height), 0,
      UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), visual,
      attributes.reduce(0) { $0 | $1.key.rawValue }, attributes.map(\.value))
    return window
  }

  /// A window whose visibility tells whether the windows of the screen are redirected: it lies beyond
  /// the screen's corner, where only one that is redirected can be seen, in the server's eyes.
  func createProbe(isSeen: Bool = true) -> UInt32 {
    let window = createWindow(
      NewWindow(
        rect: Rect(x: -1, y: -1, width: 1, height: 1),
        events: XCB_EVENT_MASK_VISIBILITY_CHANGE.rawValue))
    if !isSeen { return window }
    setClickable(window, Region())
    lower(window)
    map(window)
    return window
  }

  func destroyWindow(_ window: UInt32) { unsafe xcb_destroy_window(raw, window) }
  func map(_ window: UInt32) { unsafe xcb_map_window(raw, window) }
  func unmap(_ window: UInt32) { unsafe xcb_unmap_window(raw, window) }

  func place(_ window: UInt32, _ rect: Rect) {
    let values = [
      UInt32(bitPattern: Int32(clamping: rect.x)), UInt32(bitPattern: Int32(clamping: rect.y)),
      UInt32(clamping: rect.width), UInt32(clamping: rect.height),
    ]
    unsafe xcb_configure_window(
      raw, window,
      UInt16(
        XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue
          | XCB_CONFIG_WINDOW_WIDTH.rawValue | XCB_CONFIG_WINDOW_HEIGHT.rawValue), values)
  }

  func raise(_ window: UInt32, above sibling: UInt32) {
    restack(window, XCB_STACK_MODE_ABOVE, sibling)
  }

  /// To the top, or right below a window that is to stay above.
  func raise(_ window: UInt32, below sibling: UInt32?) {
    guard let sibling else { return restack(window, XCB_STACK_MODE_ABOVE) }
    restack(window, XCB_STACK_MODE_BELOW, sibling)
  }

  func lower(_ window: UInt32) { restack(window, XCB_STACK_MODE_BELOW) }

  private func restack(_ window: UInt32, _ mode: xcb_stack_mode_t) {
    unsafe xcb_configure_window(
      raw, window, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), [mode.rawValue])
  }

  private func restack(_ window: UInt32, _ mode: xcb_stack_mode_t, _ sibling: UInt32) {
    unsafe xcb_configure_window(
      raw, window,
      UInt16(XCB_CONFIG_WINDOW_SIBLING.rawValue | XCB_CONFIG_WINDOW_STACK_MODE.rawValue),
      [sibling, mode.rawValue])
  }

  /// Paints a window's background into a part of it; rectangle in the window's coordinates.
  func clear(_ window: UInt32, _ rect: Rect) {
    unsafe xcb_clear_area(
      raw, 0, window, Int16(clamping: rect.x), Int16(clamping: rect.y),
      UInt16(clamping: rect.width), UInt16(clamping: rect.height))
  }

  func setBackground(_ window: UInt32, _ kind: xcb_cw_t, _ value: UInt32) {
    unsafe xcb_change_window_attributes(raw, window, kind.rawValue, [value])
  }

  func selectEvents(_ window: UInt32, _ mask: UInt32) {
    unsafe xcb_change_window_attributes(raw, window, XCB_CW_EVENT_MASK.rawValue, [mask])
  }

  /// Where a window takes clicks, in its own coordinates; elsewhere they reach what lies below it.
  func setClickable(_ window: UInt32, _ region: Region) {
    setShape(window, XCB_SHAPE_SK_INPUT, region)
  }

  /// Where a window is at all, in its own coordinates; everywhere when nothing is said.
  func setVisible(_ window: UInt32, _ region: Region?) {
    if let region { return setShape(window, XCB_SHAPE_SK_BOUNDING, region) }
    unsafe xcb_shape_mask(
      raw, UInt8(XCB_SHAPE_SO_SET.rawValue), UInt8(XCB_SHAPE_SK_BOUNDING.rawValue), window, 0, 0, 0)
  }

  private func setShape(_ window: UInt32, _ kind: xcb_shape_sk_t, _ region: Region) {
    let rectangles = region.rects.map { rect in
      xcb_rectangle_t(
        x: Int16(clamping: rect.x), y: Int16(clamping: rect.y),
        width: UInt16(clamping: rect.width), height: UInt16(clamping: rect.height))
    }
    unsafe xcb_shape_rectangles(
      raw, UInt8(XCB_SHAPE_SO_SET.rawValue), UInt8(kind.rawValue),
      UInt8(XCB_CLIP_ORDERING_UNSORTED.rawValue), window, 0, 0, UInt32(rectangles.count),
      rectangles)
  }

  // MARK: Properties

  func setProperty(_ window: UInt32, _ name: UInt32, type: UInt32, text: String) {
    let bytes = Array(text.utf8)
    unsafe xcb_change_property(
      raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, name, type, 8, UInt32(bytes.count), bytes)
  }

  func setProperty(_ window: UInt32, _ name: UInt32, type: UInt32, words: [UInt32]) {
    unsafe xcb_change_property(
      raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, name, type, 32, UInt32(words.count),
      words)
  }

  // MARK: Redirection and damage

  /// Automatic: the server goes on showing the window, and any number of clients may ask for it.
  func redirect(_ window: UInt32) {
    unsafe xcb_composite_redirect_window(
      raw, window, UInt8(XCB_COMPOSITE_REDIRECT_AUTOMATIC.rawValue))
  }

  func unredirect(_ window: UInt32) {
    unsafe xcb_composite_unredirect_window(
      raw, window, UInt8(XCB_COMPOSITE_REDIRECT_AUTOMATIC.rawValue))
  }

  /// From now on every newly drawn rectangle of a window is reported, until it is subtracted.
  func createDamage(_ window: UInt32) -> UInt32 {
    let damage = makeID()
    unsafe xcb_damage_create(
      raw, damage, window, UInt8(XCB_DAMAGE_REPORT_LEVEL_DELTA_RECTANGLES.rawValue))
    return damage
  }

  func destroyDamage(_ damage: UInt32) { unsafe xcb_damage_destroy(raw, damage) }

  /// Has drawing from now on reported anew.
  func subtractDamage(_ damage: UInt32) { unsafe xcb_damage_subtract(raw, damage, 0, 0) }

  func selectShapeEvents(_ window: UInt32, _ isWanted: Bool) {
    unsafe xcb_shape_select_input(raw, window, isWanted ? 1 : 0)
  }

  func selectSelectionEvents(_ selection: UInt32) {
    let mask =
      XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER.rawValue
      | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY.rawValue
      | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE.rawValue
    unsafe xcb_xfixes_select_selection_input(raw, root, selection, mask)
  }

  // MARK: Pixels

  func createContext(_ window: UInt32) -> UInt32 {
    let context = makeID()
    unsafe xcb_create_gc(raw, context, window, XCB_GC_GRAPHICS_EXPOSURES.rawValue, [0])
    return context
  }

  func freeContext(_ context: UInt32) { unsafe xcb_free_gc(raw, context) }

  /// A window, as something to put pixels on.
  struct Canvas {
    let window: UInt32
    /// Made for windows of its depth.
    let context: UInt32
    let depth: UInt8
  }

  /// Puts a part of a shared picture of `size` onto a window, at the same place.
  func putShared(
    _ segment: UInt32, size: (width: Int, height: Int), part: Rect, onto canvas: Canvas,
    announcesCompletion: Bool
  ) {
    unsafe xcb_shm_put_image(
      raw, canvas.window, canvas.context, UInt16(size.width), UInt16(size.height), UInt16(part.x),
      UInt16(part.y), UInt16(part.width), UInt16(part.height), Int16(part.x), Int16(part.y),
      canvas.depth, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), announcesCompletion ? 1 : 0, segment,
      0)
  }

  /// Puts packed pixels onto a window through the socket, in as many requests as it takes.
  func putPacked(_ pixels: Span<UInt32>, part: Rect, onto canvas: Canvas) {
    let limit = unsafe Int(xcb_get_maximum_request_length(raw)) * 4 - 64
    let rowsAtOnce = max(1, limit / (4 * part.width))
    var row = 0
    while row < part.height {
      let rows = min(rowsAtOnce, part.height - row)
      let band = pixels.extracting(row * part.width..<(row + rows) * part.width)
      unsafe band.withUnsafeBytes { bytes in
        unsafe _ = xcb_put_image(
          raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), canvas.window, canvas.context,
          UInt16(part.width), UInt16(rows), Int16(part.x), Int16(part.y + row), 0, canvas.depth,
          UInt32(bytes.count), bytes.bindMemory(to: UInt8.self).baseAddress)
      }
      row += rows
    }
  }
}
