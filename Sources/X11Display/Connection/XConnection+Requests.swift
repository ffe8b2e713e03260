import CXCB
import Raster

/// Requests without a reply. They are sent with the next flush; an error arrives as an item.
/// Coordinates outside the range of the protocol are clamped.
extension XConnection {
  /// Prevents the server from handling requests of other clients until `ungrab`, which must follow before the next
  /// flush, so that they wait for a moment only. Returns the request.
  @discardableResult
  mutating func grab() -> RequestSequence {
    unsafe record(xcb_grab_server(raw), .grabServer, about: root)
  }

  mutating func ungrab() { unsafe record(xcb_ungrab_server(raw), .ungrabServer, about: root) }

  // MARK: Windows

  /// The parameters of a new override-redirect window.
  struct NewWindow {
    var rect: Rect
    /// Whether its background is that of its parent. Otherwise it has none, and shows the previous
    /// screen contents until something is drawn.
    var isParentRelative = false
    /// The event mask.
    var events: UInt32 = 0
    /// The parent; nil means the root.
    var parent: UInt32?
    /// The depth, visual and colormap; nil for those of the root. A window of another depth has the pixel 0 everywhere
    /// until something is drawn, which is transparent at depth 32.
    var colormap: Colormap?
  }

  /// A colormap of a visual of another depth than that of the root.
  struct Colormap {
    let id: UInt32
    let depth: UInt8
    let visual: UInt32
  }

  /// Creates an unmapped window.
  mutating func createWindow(_ new: NewWindow) -> UInt32 {
    let window = makeID()
    let (attributes, depth, visual) = attributes(of: new)
    let cookie = unsafe xcb_create_window(
      raw, depth, window, new.parent ?? root, Int16(clamping: new.rect.x),
      Int16(clamping: new.rect.y), UInt16(clamping: new.rect.width),
      UInt16(clamping: new.rect.height), 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), visual,
      attributes.reduce(0) { $0 | $1.key.rawValue }, attributes.map(\.value))
    record(cookie, .createWindow, about: window)
    return window
  }

  /// With static gravity the pixels of a window keep their position on the screen when it is resized.
  private func attributes(
    of new: NewWindow
  ) -> (KeyValuePairs<xcb_cw_t, UInt32>, depth: UInt8, visual: UInt32) {
    if let colormap = new.colormap {
      // A window with another depth than its parent must not inherit background, border and
      // colormap.
      return (
        [
          XCB_CW_BACK_PIXEL: 0, XCB_CW_BORDER_PIXEL: 0,
          XCB_CW_BIT_GRAVITY: XCB_GRAVITY_STATIC.rawValue, XCB_CW_OVERRIDE_REDIRECT: 1,
          XCB_CW_EVENT_MASK: new.events, XCB_CW_COLORMAP: colormap.id,
        ], colormap.depth, colormap.visual
      )
    }
    return (
      [
        XCB_CW_BACK_PIXMAP:
          new.isParentRelative
          ? XCB_BACK_PIXMAP_PARENT_RELATIVE.rawValue : XCB_BACK_PIXMAP_NONE.rawValue,
        XCB_CW_BIT_GRAVITY: XCB_GRAVITY_STATIC.rawValue, XCB_CW_OVERRIDE_REDIRECT: 1,
        XCB_CW_EVENT_MASK: new.events,
      ], screen.rootDepth, screen.rootVisual
    )
  }

  /// Nil if the screen has no visual of this depth that can be converted.
  mutating func createColormap(depth: UInt8) -> Colormap? {
    screen.colorVisuals[depth].map { createColormap(depth: depth, visual: $0) }
  }

  mutating func createColormap(depth: UInt8, visual: UInt32) -> Colormap {
    let colormap = makeID()
    let cookie = unsafe xcb_create_colormap(
      raw, UInt8(XCB_COLORMAP_ALLOC_NONE.rawValue), colormap, root, visual)
    record(cookie, .createColormap, about: colormap)
    return Colormap(id: colormap, depth: depth, visual: visual)
  }

  mutating func freeColormap(_ colormap: Colormap) {
    unsafe record(xcb_free_colormap(raw, colormap.id), .freeColormap, about: colormap.id)
  }

  @discardableResult
  mutating func destroyWindow(_ window: UInt32) -> RequestSequence {
    unsafe record(xcb_destroy_window(raw, window), .destroyWindow, about: window)
  }

  mutating func map(_ window: UInt32) {
    unsafe record(xcb_map_window(raw, window), .mapWindow, about: window)
  }

  /// Sets the position and size of a window.
  @discardableResult
  mutating func place(_ window: UInt32, _ rect: Rect) -> RequestSequence {
    let values = [
      UInt32(bitPattern: Int32(clamping: rect.x)), UInt32(bitPattern: Int32(clamping: rect.y)),
      UInt32(clamping: rect.width), UInt32(clamping: rect.height),
    ]
    let mask =
      XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue
      | XCB_CONFIG_WINDOW_WIDTH.rawValue | XCB_CONFIG_WINDOW_HEIGHT.rawValue
    return unsafe record(
      xcb_configure_window(raw, window, UInt16(mask), values), .configureWindow, about: window)
  }

  /// Raises a window to the top, or directly below `sibling`.
  @discardableResult
  mutating func raise(_ window: UInt32, below sibling: UInt32?) -> RequestSequence {
    if let sibling { return restack(window, XCB_STACK_MODE_BELOW, sibling) }
    return restack(window, XCB_STACK_MODE_ABOVE)
  }

  /// Moves a window directly above `sibling`.
  mutating func raise(_ window: UInt32, above sibling: UInt32) {
    _ = restack(window, XCB_STACK_MODE_ABOVE, sibling)
  }

  /// Lowers a window to the bottom.
  mutating func lower(_ window: UInt32) { _ = restack(window, XCB_STACK_MODE_BELOW) }

  private mutating func restack(_ window: UInt32, _ mode: xcb_stack_mode_t) -> RequestSequence {
    let mask = UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue)
    return unsafe record(
      xcb_configure_window(raw, window, mask, [mode.rawValue]), .configureWindow, about: window)
  }

  private mutating func restack(
    _ window: UInt32, _ mode: xcb_stack_mode_t, _ sibling: UInt32
  ) -> RequestSequence {
    let mask = XCB_CONFIG_WINDOW_SIBLING.rawValue | XCB_CONFIG_WINDOW_STACK_MODE.rawValue
    return unsafe record(
      xcb_configure_window(raw, window, UInt16(mask), [sibling, mode.rawValue]),
      .configureWindow, about: window, sibling: sibling)
  }

  /// Paints the background in a part of a window, in the coordinates of the window.
  mutating func clear(_ window: UInt32, _ rect: Rect) {
    let cookie = unsafe xcb_clear_area(
      raw, 0, window, Int16(clamping: rect.x), Int16(clamping: rect.y),
      UInt16(clamping: rect.width), UInt16(clamping: rect.height))
    record(cookie, .clearArea, about: window)
  }

  /// Sets a background attribute.
  ///
  /// - Parameter subject: The window or pixmap without which the request fails.
  mutating func setBackground(
    _ window: UInt32, _ kind: xcb_cw_t, _ value: UInt32, about subject: UInt32
  ) {
    let cookie = unsafe xcb_change_window_attributes(raw, window, kind.rawValue, [value])
    record(cookie, .changeWindowAttributes, about: subject)
  }

  /// Sets the event mask of this client for a window.
  mutating func selectEvents(_ window: UInt32, _ mask: UInt32) {
    let cookie = unsafe xcb_change_window_attributes(
      raw, window, XCB_CW_EVENT_MASK.rawValue, [mask])
    record(cookie, .changeWindowAttributes, about: window)
  }

  /// Starts to report changes of the top-level windows and of the root, and the focus of the root too if that is wanted.
  mutating func selectRootEvents(reportsFocus: Bool = false) {
    let mask =
      XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
      | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
    selectEvents(root, reportsFocus ? mask | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue : mask)
  }

  /// Sets the input region of a window, in the coordinates of the window. Clicks elsewhere reach
  /// the window below.
  mutating func setInputRegion(_ window: UInt32, _ region: Region) {
    setShape(window, XCB_SHAPE_SK_INPUT, region)
  }

  /// Sets the bounding shape of a window, in the coordinates of the window; nil means the whole
  /// rectangle.
  mutating func setBoundingRegion(_ window: UInt32, _ region: Region?) {
    if let region { return setShape(window, XCB_SHAPE_SK_BOUNDING, region) }
    let cookie = unsafe xcb_shape_mask(
      raw, UInt8(XCB_SHAPE_SO_SET.rawValue), UInt8(XCB_SHAPE_SK_BOUNDING.rawValue), window, 0, 0, 0)
    record(cookie, .shapeMask, about: window)
  }

  private mutating func setShape(_ window: UInt32, _ kind: xcb_shape_sk_t, _ region: Region) {
    let rectangles = region.rects.map { rect in
      xcb_rectangle_t(
        x: Int16(clamping: rect.x), y: Int16(clamping: rect.y),
        width: UInt16(clamping: rect.width), height: UInt16(clamping: rect.height))
    }
    let countAtOnce = ServerRelay.requestLimit / MemoryLayout<xcb_rectangle_t>.size - 2
    var start = 0
    repeat {
      let part = Array(rectangles[start...].prefix(countAtOnce))
      let operation = start == 0 ? XCB_SHAPE_SO_SET : XCB_SHAPE_SO_UNION
      let cookie = unsafe xcb_shape_rectangles(
        raw, UInt8(operation.rawValue), UInt8(kind.rawValue),
        UInt8(XCB_CLIP_ORDERING_UNSORTED.rawValue), window, 0, 0, UInt32(part.count), part)
      record(cookie, .shapeRectangles, about: window)
      start += part.count
    } while start < rectangles.count
  }

  // MARK: Properties and selections

  mutating func setProperty(_ window: UInt32, _ atom: UInt32, type: UInt32, text: String) {
    let bytes = Array(text.utf8)
    let cookie = unsafe xcb_change_property(
      raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atom, type, 8, UInt32(bytes.count), bytes)
    record(cookie, .changeProperty, about: window)
  }

  mutating func setProperty(_ window: UInt32, _ atom: UInt32, type: UInt32, words: [UInt32]) {
    let cookie = unsafe xcb_change_property(
      raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atom, type, 32, UInt32(words.count),
      words)
    record(cookie, .changeProperty, about: window)
  }

  /// Deletes a property of a window.
  mutating func deleteProperty(_ window: UInt32, _ atom: UInt32) {
    unsafe record(xcb_delete_property(raw, window, atom), .deleteProperty, about: window)
  }

  mutating func setSelectionOwner(_ selection: UInt32, _ window: UInt32) {
    unsafe record(
      xcb_set_selection_owner(raw, window, selection, 0), .setSelectionOwner, about: window)
  }

  mutating func selectSelectionEvents(_ selection: UInt32) {
    let mask =
      XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER.rawValue
      | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY.rawValue
      | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE.rawValue
    unsafe record(
      xcb_xfixes_select_selection_input(raw, root, selection, mask), .selectSelectionInput,
      about: root)
  }

  /// Starts to report changes of the monitors and of the screen saver.
  mutating func selectScreenEvents() {
    if extensions.randr != nil {
      let mask =
        XCB_RANDR_NOTIFY_MASK_SCREEN_CHANGE.rawValue | XCB_RANDR_NOTIFY_MASK_CRTC_CHANGE.rawValue
        | XCB_RANDR_NOTIFY_MASK_OUTPUT_CHANGE.rawValue
      let cookie = unsafe xcb_randr_select_input(raw, root, UInt16(mask))
      record(cookie, .selectRandREvents, about: root)
    }
    if extensions.screenSaver != nil {
      let mask =
        XCB_SCREENSAVER_EVENT_NOTIFY_MASK.rawValue | XCB_SCREENSAVER_EVENT_CYCLE_MASK.rawValue
      let cookie = unsafe xcb_screensaver_select_input(raw, root, mask)
      record(cookie, .selectScreenSaverEvents, about: root)
    }
  }

  // MARK: Redirection and damage

  /// Redirects a window automatically: the server still shows it, and several clients may redirect
  /// it.
  mutating func redirect(_ window: UInt32) {
    let cookie = unsafe xcb_composite_redirect_window(
      raw, window, UInt8(XCB_COMPOSITE_REDIRECT_AUTOMATIC.rawValue))
    record(cookie, .redirectWindow, about: window)
  }

  mutating func unredirect(_ window: UInt32) {
    let cookie = unsafe xcb_composite_unredirect_window(
      raw, window, UInt8(XCB_COMPOSITE_REDIRECT_AUTOMATIC.rawValue))
    record(cookie, .unredirectWindow, about: window)
  }

  /// Redirects a window manually and undoes this, without other requests in between. Both requests
  /// fail if another client redirects the window manually.
  mutating func tryManualRedirect(_ window: UInt32) {
    let update = UInt8(XCB_COMPOSITE_REDIRECT_MANUAL.rawValue)
    grab()
    unsafe record(
      xcb_composite_redirect_window(raw, window, update), .tryManualRedirect, about: window)
    unsafe record(
      xcb_composite_unredirect_window(raw, window, update), .undoManualRedirect, about: window)
    ungrab()
  }

  /// What a damage object reports.
  enum DamageLevel {
    /// Each newly drawn rectangle.
    case rectangles
    /// The first drawing after the damage was subtracted.
    case first

    fileprivate var raw: UInt8 {
      switch self {
      case .rectangles: UInt8(XCB_DAMAGE_REPORT_LEVEL_DELTA_RECTANGLES.rawValue)
      case .first: UInt8(XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY.rawValue)
      }
    }
  }

  /// Starts to report what is drawn in a window. Returns the damage object.
  mutating func createDamage(_ window: UInt32, _ level: DamageLevel) -> UInt32 {
    let damage = makeID()
    let cookie = unsafe xcb_damage_create(raw, damage, window, level.raw)
    record(cookie, .damageCreate, about: window)
    return damage
  }

  mutating func destroyDamage(_ damage: UInt32, of window: UInt32) {
    unsafe record(xcb_damage_destroy(raw, damage), .damageDestroy, about: window)
  }

  /// Clears the reported damage, so that the same pixels are reported again.
  mutating func subtractDamage(_ damage: UInt32, of window: UInt32) {
    unsafe record(xcb_damage_subtract(raw, damage, 0, 0), .damageSubtract, about: window)
  }

  /// Reports a rectangle of a window as damaged to all clients that watch it.
  mutating func addDamage(_ rect: Rect, of window: UInt32) {
    let region = makeID()
    let rectangle = xcb_rectangle_t(
      x: Int16(clamping: rect.x), y: Int16(clamping: rect.y),
      width: UInt16(clamping: rect.width), height: UInt16(clamping: rect.height))
    let cookie = unsafe xcb_xfixes_create_region(raw, region, 1, [rectangle])
    record(cookie, .createRegion, about: region)
    unsafe record(xcb_damage_add(raw, window, region), .damageAdd, about: window)
    unsafe record(xcb_xfixes_destroy_region(raw, region), .destroyRegion, about: region)
  }

  mutating func selectShapeEvents(_ window: UInt32, _ isWanted: Bool) {
    unsafe record(
      xcb_shape_select_input(raw, window, isWanted ? 1 : 0), .shapeSelectInput, about: window)
  }

  // MARK: Pixels

  /// Creates a graphics context for a window or pixmap, with which the windows in a source are copied or not.
  mutating func createGC(_ drawable: UInt32, includesInferiors: Bool = false) -> UInt32 {
    let gc = makeID()
    let mode =
      includesInferiors
      ? XCB_SUBWINDOW_MODE_INCLUDE_INFERIORS : XCB_SUBWINDOW_MODE_CLIP_BY_CHILDREN
    let values = XCB_GC_SUBWINDOW_MODE.rawValue | XCB_GC_GRAPHICS_EXPOSURES.rawValue
    let cookie = unsafe xcb_create_gc(raw, gc, drawable, values, [mode.rawValue, 0])
    record(cookie, .createGC, about: drawable)
    return gc
  }

  mutating func createPixmap(width: Int, height: Int, depth: UInt8) -> UInt32 {
    let pixmap = makeID()
    let cookie = unsafe xcb_create_pixmap(
      raw, depth, pixmap, root, UInt16(width), UInt16(height))
    record(cookie, .createPixmap, about: pixmap)
    return pixmap
  }

  /// Copies the pixel in the corner of a window to a pixmap.
  mutating func copyPixel(of window: UInt32, to pixmap: UInt32, _ gc: UInt32) {
    let cookie = unsafe xcb_copy_area(raw, window, pixmap, gc, 0, 0, 0, 0, 1, 1)
    record(cookie, .copyArea, about: window)
  }

  mutating func freeGC(_ gc: UInt32) { unsafe record(xcb_free_gc(raw, gc), .freeGC, about: gc) }

  /// Attaches a file in memory to the server as a segment, and closes it here. Returns the identifier of the
  /// segment.
  mutating func attach(file: Int32) -> UInt32 {
    let segment = makeID()
    countFile()
    unsafe record(xcb_shm_attach_fd(raw, segment, file, 0), .shmAttach, about: segment)
    return segment
  }

  mutating func detach(segment: UInt32) {
    unsafe record(xcb_shm_detach(raw, segment), .shmDetach, about: segment)
  }

  /// A window with its graphics context.
  struct Canvas {
    let window: UInt32
    /// A graphics context for windows of this depth.
    let gc: UInt32
    let depth: UInt8
    /// The format of images that are drawn there.
    let format: PixelFormat
  }

  /// Draws the rectangle `part` of a window from shared memory, where its pixels follow each other from
  /// `atByte` on. If `announcesCompletion`, the server sends an event when it has read the pixels.
  @discardableResult
  mutating func putShared(
    _ segment: UInt32, atByte start: Int, part: Rect, on canvas: Canvas, announcesCompletion: Bool
  ) -> RequestSequence {
    let cookie = unsafe xcb_shm_put_image(
      raw, canvas.window, canvas.gc, UInt16(part.width), UInt16(part.height), 0, 0,
      UInt16(part.width), UInt16(part.height), Int16(part.x), Int16(part.y), canvas.depth,
      UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), announcesCompletion ? 1 : 0, segment,
      UInt32(start))
    return record(cookie, .shmPutImage, about: canvas.window, sibling: segment)
  }

  /// Sends an image of the rectangle `part`, in the format of the canvas, to a window through the
  /// socket, in as many requests as necessary.
  @discardableResult
  mutating func putPacked(_ words: Span<UInt32>, part: Rect, on canvas: Canvas) -> RequestSequence {
    let longest = unsafe Int(xcb_get_maximum_request_length(raw)) * 4
    let limit = min(longest, ServerRelay.requestLimit) - 64
    let rowLength = canvas.format.wordsPerRow(width: part.width)
    let rowsAtOnce = max(1, limit / (4 * rowLength))
    var row = 0
    var last = processed
    while row < part.height {
      let rows = min(rowsAtOnce, part.height - row)
      let band = words.extracting(row * rowLength..<(row + rows) * rowLength)
      let cookie = unsafe band.withUnsafeBytes { bytes in
        unsafe xcb_put_image(
          raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), canvas.window, canvas.gc,
          UInt16(part.width), UInt16(rows), Int16(part.x), Int16(part.y + row), 0, canvas.depth,
          UInt32(bytes.count), bytes.bindMemory(to: UInt8.self).baseAddress)
      }
      last = record(cookie, .putImage, about: canvas.window)
      row += rows
    }
    return last
  }
}
