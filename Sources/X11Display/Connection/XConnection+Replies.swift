import CXCB
import Glibc
import Raster

/// Requests with replies.
extension XConnection {
  /// Requests a reply that shows that the server has executed all earlier requests.
  mutating func requestMarker(_ marker: Marker) {
    let cookie = unsafe xcb_get_input_focus(raw)
    note(PendingReply(kind: .marker(marker), sequence: cookie.sequence))
  }

  /// Requests the geometry, the attributes, the shape and the opacity of a window.
  mutating func requestAttributes(_ window: UInt32, opacityAtom: UInt32) {
    let requests = attributeRequests(window, opacityAtom: opacityAtom)
    note(PendingReply(kind: .attributes(window, requests), sequence: requests.opacity))
  }

  private func attributeRequests(
    _ window: UInt32, opacityAtom: UInt32
  ) -> PendingReply.AttributeRequests {
    unsafe PendingReply.AttributeRequests(
      geometry: xcb_get_geometry(raw, window).sequence,
      attributes: xcb_get_window_attributes(raw, window).sequence,
      extents: xcb_shape_query_extents(raw, window).sequence,
      rectangles: xcb_shape_get_rectangles(raw, window, UInt8(XCB_SHAPE_SK_BOUNDING.rawValue))
        .sequence,
      input: xcb_shape_get_rectangles(raw, window, UInt8(XCB_SHAPE_SK_INPUT.rawValue)).sequence,
      opacity: xcb_get_property(raw, 0, window, opacityAtom, XCB_ATOM_CARDINAL.rawValue, 0, 1)
        .sequence)
  }

  /// Requests the opacity of a window.
  mutating func requestOpacity(_ window: UInt32, atom: UInt32) {
    let cookie = unsafe xcb_get_property(raw, 0, window, atom, XCB_ATOM_CARDINAL.rawValue, 0, 1)
    note(PendingReply(kind: .opacity(window), sequence: cookie.sequence))
  }

  /// Requests the properties that determine the class of a window, and its children.
  mutating func requestHints(_ window: UInt32, _ atoms: HintAtoms) {
    let requests = hintRequests(window, atoms)
    note(PendingReply(kind: .hints(window, requests), sequence: requests.children))
  }

  private func hintRequests(
    _ window: UInt32, _ atoms: HintAtoms
  ) -> PendingReply.HintRequests {
    func property(_ atom: UInt32, _ type: UInt32, _ length: UInt32) -> RequestSequence {
      unsafe xcb_get_property(raw, 0, window, atom, type, 0, length).sequence
    }
    return unsafe PendingReply.HintRequests(
      types: property(atoms.windowType, XCB_ATOM_ATOM.rawValue, 16),
      states: property(atoms.state, XCB_ATOM_ATOM.rawValue, 32),
      clientState: property(atoms.clientState, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 1),
      partialStrut: property(atoms.partialStrut, XCB_ATOM_CARDINAL.rawValue, 12),
      strut: property(atoms.strut, XCB_ATOM_CARDINAL.rawValue, 4),
      children: xcb_query_tree(raw, window).sequence)
  }

  /// Requests the state of the screen saver, if the server has the extension.
  mutating func requestScreenSaver() {
    if extensions.screenSaver == nil { return }
    let cookie = unsafe xcb_screensaver_query_info(raw, root)
    note(PendingReply(kind: .screenSaver, sequence: cookie.sequence))
  }

  /// Requests the position of the pointer.
  mutating func requestPointer() {
    let cookie = unsafe xcb_query_pointer(raw, root)
    note(PendingReply(kind: .pointer, sequence: cookie.sequence))
  }

  /// Requests whether another client has grabbed the keyboard: tries to grab it for a window that is not mapped,
  /// which never succeeds.
  mutating func requestKeyboardGrab(for unmapped: UInt32) {
    let async = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let cookie = unsafe xcb_grab_keyboard(raw, 0, unmapped, 0, async, async)
    note(PendingReply(kind: .keyboardGrab, sequence: cookie.sequence))
  }

  /// Requests the pixmap in a property of the root.
  mutating func requestWallpaperPixmap(atom: UInt32) {
    let cookie = unsafe xcb_get_property(raw, 0, root, atom, XCB_ATOM_PIXMAP.rawValue, 0, 1)
    note(PendingReply(kind: .wallpaperPixmap(atom: atom), sequence: cookie.sequence))
  }

  /// Requests the depth of a pixmap.
  mutating func requestDepth(pixmap: UInt32) {
    let cookie = unsafe xcb_get_geometry(raw, pixmap)
    note(PendingReply(kind: .depth(pixmap: pixmap), sequence: cookie.sequence))
  }

  /// Requests the first 64 KiB of the resources of the display.
  mutating func requestResources() {
    let cookie = unsafe xcb_get_property(
      raw, 0, root, XCB_ATOM_RESOURCE_MANAGER.rawValue, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 0,
      16384)
    note(PendingReply(kind: .resources, sequence: cookie.sequence))
  }

  /// Requests the numbers in a property of the root, at most 1024.
  mutating func requestRootNumbers(atom: UInt32) {
    let anyType = XCB_GET_PROPERTY_TYPE_ANY.rawValue
    let cookie = unsafe xcb_get_property(raw, 0, root, atom, anyType, 0, 1024)
    note(PendingReply(kind: .rootNumbers(atom: atom), sequence: cookie.sequence))
  }

  /// Requests the first 64 KiB of the settings of the desktop.
  mutating func requestSettings(of window: UInt32, _ atom: UInt32) {
    let cookie = unsafe xcb_get_property(
      raw, 0, window, atom, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 0, 16384)
    note(PendingReply(kind: .settings(window), sequence: cookie.sequence))
  }

  /// Requests a property of any type, at most `byteCount` bytes of it.
  mutating func requestProperty(_ atom: UInt32, of window: UInt32, upTo byteCount: Int) {
    let cookie = unsafe xcb_get_property(
      raw, 0, window, atom, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 0, UInt32(byteCount / 4))
    note(PendingReply(kind: .property(window, atom: atom), sequence: cookie.sequence))
  }

  /// Requests the place of a window on the screen.
  mutating func requestPlace(of window: UInt32) {
    let geometry = unsafe xcb_get_geometry(raw, window).sequence
    let cookie = unsafe xcb_translate_coordinates(raw, window, root, 0, 0)
    note(PendingReply(kind: .place(window, geometry: geometry), sequence: cookie.sequence))
  }

  /// Requests identifiers for new resources.
  mutating func requestIDs() {
    let cookie = unsafe xcb_xc_misc_get_xid_range(raw)
    note(PendingReply(kind: .ids, sequence: cookie.sequence))
  }

  /// Requests pixels of a window, in the coordinates of the window, in a shared segment from byte
  /// `offset` on.
  mutating func requestShared(
    _ id: ImageID, _ window: UInt32, _ rect: Rect, into segment: UInt32, atByte offset: Int
  ) {
    let cookie = unsafe xcb_shm_get_image(
      raw, window, Int16(rect.x), Int16(rect.y), UInt16(rect.width), UInt16(rect.height), .max,
      UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), segment, UInt32(offset))
    note(PendingReply(kind: .image(id), sequence: cookie.sequence))
  }

  /// Requests pixels of a window through the socket.
  mutating func requestPacked(_ id: ImageID, _ window: UInt32, _ rect: Rect) {
    let cookie = unsafe xcb_get_image(
      raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, Int16(rect.x), Int16(rect.y),
      UInt16(rect.width), UInt16(rect.height), .max)
    note(PendingReply(kind: .image(id), sequence: cookie.sequence))
  }

  // MARK: Replies

  /// The reply to a request; nil if it has not arrived.
  func poll(_ pendingReply: PendingReply) -> XReply? {
    switch pendingReply.kind {
    case .marker(let marker):
      return unsafe read(pendingReply, xcb_get_input_focus_reply_t.self) { _ in .marker(marker) }
    case .attributes(let window, let requests):
      return readAttributes(pendingReply, window, requests)
    case .opacity(let window):
      return unsafe read(pendingReply, xcb_get_property_reply_t.self) {
        unsafe .opacity(window, word($0))
      }
    case .hints(let window, let requests):
      return readHints(window, requests)
    case .randr(let request):
      return poll(request, pendingReply)
    case .screenSaver:
      return unsafe read(pendingReply, xcb_screensaver_query_info_reply_t.self) {
        unsafe .screenSaver(
          ScreenSaverState(
            isActive: isActive($0?.pointee.state ?? 0), window: $0?.pointee.saver_window))
      }
    case .pointer:
      return unsafe read(pendingReply, xcb_query_pointer_reply_t.self) {
        let reply = unsafe $0?.pointee
        return .pointer(x: Int(reply?.root_x ?? 0), y: Int(reply?.root_y ?? 0))
      }
    case .keyboardGrab:
      return unsafe read(pendingReply, xcb_grab_keyboard_reply_t.self) {
        let status = unsafe $0?.pointee.status ?? 0
        return .keyboardGrab(isTaken: status == UInt8(XCB_GRAB_STATUS_ALREADY_GRABBED.rawValue))
      }
    case .image(let id):
      return readImage(pendingReply, id)
    case .wallpaperPixmap(let atom):
      return unsafe read(pendingReply, xcb_get_property_reply_t.self) {
        unsafe .wallpaperPixmap(atom: atom, word($0))
      }
    case .depth(let pixmap):
      return unsafe read(pendingReply, xcb_get_geometry_reply_t.self) {
        unsafe .depth(pixmap: pixmap, $0?.pointee.depth)
      }
    case .resources:
      return unsafe read(pendingReply, xcb_get_property_reply_t.self) {
        unsafe .resources(lines($0))
      }
    case .rootNumbers(let atom):
      return unsafe read(pendingReply, xcb_get_property_reply_t.self) {
        unsafe .rootNumbers(atom: atom, words($0))
      }
    case .settings(let window):
      return unsafe read(pendingReply, xcb_get_property_reply_t.self) {
        unsafe .settings(window, bytes($0))
      }
    case .property(let window, let atom):
      return unsafe read(pendingReply, xcb_get_property_reply_t.self) {
        unsafe .property(window, atom: atom, propertyValue($0))
      }
    case .place(let window, let geometry):
      return readPlace(pendingReply, window, geometry)
    case .ids:
      return unsafe read(pendingReply, xcb_xc_misc_get_xid_range_reply_t.self) {
        unsafe .ids(start: $0?.pointee.start_id ?? 0, count: $0?.pointee.count ?? 0)
      }
    case .contactGrab:
      return unsafe read(pendingReply, xcb_input_xi_passive_grab_device_reply_t.self) { _ in
        .contactGrab
      }
    case .focus(let overlay, let time):
      return unsafe read(pendingReply, xcb_get_input_focus_reply_t.self) {
        unsafe .focus(overlay, time: time, current: $0?.pointee.focus ?? 0)
      }
    case .keySymbol(let window):
      return unsafe read(pendingReply, xcb_get_keyboard_mapping_reply_t.self) {
        unsafe .keySymbol(window, keySymbol($0))
      }
    }
  }

  /// Returns nil if the reply has not arrived; `body` gets nil if the request failed.
  func read<Reply>(
    _ pendingReply: PendingReply, _: Reply.Type, _ body: (UnsafeMutablePointer<Reply>?) -> XReply
  ) -> XReply? {
    guard let arrived = unsafe poll(pendingReply.sequence, as: Reply.self) else { return nil }
    defer { unsafe free(arrived.reply) }
    return unsafe body(arrived.reply)
  }

  /// Waits for a reply, which the caller must free; nil if the request failed or the connection is lost.
  mutating func awaitReply<Reply>(
    _ request: RequestSequence, as type: Reply.Type
  ) -> UnsafeMutablePointer<Reply>? {
    send()
    while true {
      if let arrived = unsafe poll(request, as: type) { return unsafe arrived.reply }
      if unsafe xcb_connection_has_error(raw) != 0 { return nil }
      if !relay.deliver() { relay.awaitServer() }
    }
  }

  /// Returns nil if the reply has not arrived, or a nil `reply` if the request failed.
  private func poll<Reply>(
    _ sequence: RequestSequence, as: Reply.Type
  ) -> (reply: UnsafeMutablePointer<Reply>?, Void)? {
    var reply: UnsafeMutableRawPointer?
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    if unsafe xcb_poll_for_reply(raw, sequence, &reply, &error) == 0 { return nil }
    // Without memory the server sends an error, and libxcb drops the reply and keeps the connection.
    let isDropped = unsafe reply == nil && error == nil
    if unsafe isDropped || error?.pointee.error_code == XError.lackOfMemory {
      memory.isLacking = true
    }
    unsafe free(error)
    return unsafe (reply?.assumingMemoryBound(to: Reply.self), ())
  }

  private func readImage(_ pendingReply: PendingReply, _ id: ImageID) -> XReply? {
    // Only the reply of the packed request has more than 32 bytes: the pixels.
    guard let arrived = unsafe poll(pendingReply.sequence, as: xcb_get_image_reply_t.self) else {
      return nil
    }
    guard let reply = unsafe arrived.reply else { return .image(id, nil) }
    // Both replies have the depth at the same place.
    let format = unsafe screen.format(ofDepth: reply.pointee.depth)
    if unsafe reply.pointee.length == 0 {
      unsafe free(reply)
      return .image(id, .shared(format))
    }
    return unsafe .image(id, .packed(PackedImage(reply), format))
  }

  private func readAttributes(
    _ pendingReply: PendingReply, _ window: UInt32, _ requests: PendingReply.AttributeRequests
  ) -> XReply? {
    guard let last = unsafe poll(requests.opacity, as: xcb_get_property_reply_t.self) else {
      return nil
    }
    // The other requests were made before it, so their replies have arrived.
    let geometry = unsafe poll(requests.geometry, as: xcb_get_geometry_reply_t.self)?.reply
    let kind = unsafe poll(requests.attributes, as: xcb_get_window_attributes_reply_t.self)?.reply
    let extents = unsafe poll(requests.extents, as: xcb_shape_query_extents_reply_t.self)?.reply
    let shape = unsafe poll(requests.rectangles, as: xcb_shape_get_rectangles_reply_t.self)?.reply
    let input = unsafe poll(requests.input, as: xcb_shape_get_rectangles_reply_t.self)?.reply
    defer {
      unsafe free(last.reply)
      unsafe free(geometry)
      unsafe free(kind)
      unsafe free(extents)
      unsafe free(shape)
      unsafe free(input)
    }
    guard let geometry = unsafe geometry?.pointee, let kind = unsafe kind?.pointee else {
      return .attributes(window, nil)
    }
    let isShaped = unsafe (extents?.pointee.bounding_shaped ?? 0) != 0
    let size = Rect(
      x: 0, y: 0, width: Int(geometry.width), height: Int(geometry.height))
    let inputShape = unsafe region(input)
    let attributes = unsafe WindowAttributes(
      depth: geometry.depth,
      isInputOnly: kind._class != UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
      shape: isShaped ? region(shape) : nil,
      inputShape: inputShape.contains(size) ? nil : inputShape, opacity: word(last.reply) ?? .max)
    return .attributes(
      window,
      WindowReply(
        geometry: WindowGeometry(
          x: Int(geometry.x), y: Int(geometry.y), width: Int(geometry.width),
          height: Int(geometry.height), border: Int(geometry.border_width)),
        isMapped: kind.map_state != UInt8(XCB_MAP_STATE_UNMAPPED.rawValue),
        isOverrideRedirect: kind.override_redirect != 0, attributes: attributes))
  }

  private func readPlace(
    _ pendingReply: PendingReply, _ window: UInt32, _ request: RequestSequence
  ) -> XReply? {
    guard let last = unsafe poll(pendingReply.sequence, as: xcb_translate_coordinates_reply_t.self)
    else { return nil }
    let geometry = unsafe poll(request, as: xcb_get_geometry_reply_t.self)?.reply
    defer {
      unsafe free(last.reply)
      unsafe free(geometry)
    }
    guard let place = unsafe last.reply?.pointee, let size = unsafe geometry?.pointee else {
      return .place(window, nil)
    }
    return .place(
      window,
      Rect(
        x: Int(place.dst_x), y: Int(place.dst_y), width: Int(size.width), height: Int(size.height)))
  }

  private func readHints(_ window: UInt32, _ requests: PendingReply.HintRequests) -> XReply? {
    guard let last = unsafe poll(requests.children, as: xcb_query_tree_reply_t.self) else {
      return nil
    }
    // The other requests were made before it, so their replies have arrived.
    let types = unsafe poll(requests.types, as: xcb_get_property_reply_t.self)?.reply
    let states = unsafe poll(requests.states, as: xcb_get_property_reply_t.self)?.reply
    let client = unsafe poll(requests.clientState, as: xcb_get_property_reply_t.self)?.reply
    let partialStrut = unsafe poll(requests.partialStrut, as: xcb_get_property_reply_t.self)?.reply
    let strut = unsafe poll(requests.strut, as: xcb_get_property_reply_t.self)?.reply
    defer {
      unsafe free(last.reply)
      unsafe free(types)
      unsafe free(states)
      unsafe free(client)
      unsafe free(partialStrut)
      unsafe free(strut)
    }
    let children = unsafe last.reply.map { tree in
      unsafe Array(
        UnsafeBufferPointer(
          start: xcb_query_tree_children(tree), count: Int(xcb_query_tree_children_length(tree))))
    }
    return unsafe .hints(
      window,
      HintsReply(
        types: words(types), states: words(states), partialStrut: words(partialStrut),
        strut: words(strut), isClient: (client?.pointee.type ?? 0) != 0,
        parent: last.reply?.pointee.parent ?? 0, children: children ?? []))
  }

  /// Whether a state of the screen saver means that it hides the screen.
  func isActive(_ state: UInt8) -> Bool {
    state == UInt8(XCB_SCREENSAVER_STATE_ON.rawValue)
      || state == UInt8(XCB_SCREENSAVER_STATE_CYCLE.rawValue)
  }

  private func region(
    _ reply: UnsafeMutablePointer<xcb_shape_get_rectangles_reply_t>?
  ) -> Region {
    guard let reply = unsafe reply else { return Region() }
    let rectangles = unsafe UnsafeBufferPointer(
      start: xcb_shape_get_rectangles_rectangles(reply),
      count: Int(xcb_shape_get_rectangles_rectangles_length(reply)))
    return unsafe Region(rectangles.map { Rect($0) })
  }

  /// The 32-bit value of a property; nil if it has none.
  func word(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) -> UInt32? {
    guard let reply = unsafe reply, unsafe reply.pointee.format == 32,
      unsafe xcb_get_property_value_length(reply) >= 4,
      let value = unsafe xcb_get_property_value(reply)
    else { return nil }
    return unsafe value.loadUnaligned(as: UInt32.self)
  }

  /// The value of a property; nil if there is none.
  private func propertyValue(
    _ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?
  ) -> PropertyValue? {
    guard let reply = unsafe reply, unsafe reply.pointee.type != 0 else { return nil }
    return unsafe PropertyValue(
      type: reply.pointee.type, words: words(reply), bytes: bytes(reply),
      isWhole: reply.pointee.bytes_after == 0)
  }

  /// All 32-bit values of a property.
  private func words(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) -> [UInt32] {
    guard let reply = unsafe reply, unsafe reply.pointee.format == 32,
      let value = unsafe xcb_get_property_value(reply)
    else { return [] }
    let count = unsafe Int(xcb_get_property_value_length(reply)) / 4
    return (0..<count).map {
      unsafe value.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
    }
  }

  /// The 8-bit values of a property.
  func bytes(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) -> [UInt8] {
    guard let reply = unsafe reply, unsafe reply.pointee.format == 8,
      let value = unsafe xcb_get_property_value(reply)
    else { return [] }
    let count = unsafe Int(xcb_get_property_value_length(reply))
    return unsafe Array(UnsafeRawBufferPointer(start: value, count: count))
  }

  /// The text of a property, without its last line if it was truncated.
  private func lines(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) -> [UInt8] {
    let bytes = unsafe bytes(reply)
    let isWhole = unsafe reply.map { unsafe $0.pointee.bytes_after == 0 } ?? true
    return isWhole ? bytes : Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)])
  }
}
