import CWayland
import Glibc
import Linux

/// A connection to a compositor. Requests are sent by `flush`; events are put into a list and returned as values. No call
/// waits for the compositor but `init` and `roundTrip`.
@safe package struct WaylandConnection: ~Copyable {
  /// The address, for messages.
  package let name: String
  private let display: OpaquePointer
  private let interfaces: CInterfaces
  private let inbox: Inbox
  /// The registry of globals.
  package let registry: WaylandObject

  /// The events that were dispatched and not taken, and all objects. A class, because libwayland keeps a pointer to it.
  private final class Inbox {
    var events: [WaylandEvent] = []
    /// By the addresses of their proxies.
    private(set) var objects: [UInt: WaylandObject] = [:]
    /// Whether libwayland had no memory for an object. The connection is lost then: it sends nothing and has no events.
    private(set) var lacksMemory = false
    private var count: UInt64 = 0

    /// Adds an object that was just made.
    func add(_ proxy: OpaquePointer) -> WaylandObject {
      let object = unsafe makeObject(proxy)
      objects[object.address] = object
      return object
    }

    /// Records that an object could not be made. Returns one in its place, with any proxy: it is not used.
    func recordLackOfMemory(_ proxy: OpaquePointer) -> WaylandObject {
      lacksMemory = true
      return unsafe makeObject(proxy)
    }

    private func makeObject(_ proxy: OpaquePointer) -> WaylandObject {
      count += 1
      return unsafe WaylandObject(proxy, number: count)
    }

    /// Returns whether the object was there.
    @discardableResult
    func remove(_ object: WaylandObject) -> Bool {
      guard objects[object.address] == object else { return false }
      objects[object.address] = nil
      return true
    }
  }

  /// Connects to the compositor at a name or a path of a socket, as WAYLAND_DISPLAY. `interfaces` has all that are used.
  /// Throws `unreachable`.
  package init(_ name: String, _ interfaces: CInterfaces = .shared) throws(WaylandError) {
    guard let display = unsafe wl_display_connect(name.systemText) else {
      throw .unreachable(
        "cannot connect to Wayland display \(name): \(unsafe String(cString: strerror(errno)))")
    }
    // wl_display has the request get_registry with opcode 1.
    var argument = unsafe wl_argument()
    let registry = unsafe wl_proxy_marshal_array_flags(
      display, 1, interfaces.pointer(.registry), 1, 0, &argument)
    guard let registry = unsafe registry else {
      unsafe wl_display_disconnect(display)
      throw .unreachable("cannot connect to Wayland display \(name): \(Self.lackOfMemory)")
    }
    unsafe self.display = display
    self.name = name
    self.interfaces = interfaces
    inbox = Inbox()
    self.registry = unsafe inbox.add(registry)
    listen(to: self.registry)
  }

  deinit {
    for object in inbox.objects.values { unsafe wl_proxy_destroy(object.proxy) }
    unsafe wl_display_disconnect(display)
  }

  private static let lackOfMemory = "there is no memory for an object of the protocol"

  /// Becomes readable when there are events.
  package var descriptor: Int32 { unsafe wl_display_get_fd(display) }

  /// The name of the process that listens at the socket: usually the compositor. Nil if it is unknown.
  package var peerName: String? {
    SocketPeer(of: descriptor)?.process.flatMap { processName($0) }
  }

  // MARK: Requests

  /// Sends a request. If it makes an object, returns it; nil without memory.
  @discardableResult
  package func send<Request: MessageSet>(
    _ request: Request, to object: WaylandObject, _ arguments: [WaylandArgument] = [],
    making table: InterfaceTable? = nil, version: Int? = nil, destroys: Bool = false
  ) -> WaylandObject? {
    if inbox.lacksMemory { return nil }
    if destroys { inbox.remove(object) }
    var texts: [UnsafeMutablePointer<CChar>?] = unsafe []
    defer { unsafe texts.forEach { unsafe free($0) } }
    var values = unsafe arguments.map { unsafe wl_argument($0, &texts) }
    let own = unsafe wl_proxy_get_version(object.proxy)
    let proxy = unsafe wl_proxy_marshal_array_flags(
      object.proxy, UInt32(request.rawValue), table.map { unsafe interfaces.pointer($0) },
      version.map { UInt32($0) } ?? own, destroys ? UInt32(WL_MARSHAL_FLAG_DESTROY) : 0, &values)
    guard let proxy = unsafe proxy else { return nil }
    let new = unsafe inbox.add(proxy)
    listen(to: new)
    return new
  }

  /// Forgets an object that the compositor has destroyed, or destroys without a request: a callback.
  package func release(_ object: WaylandObject) {
    if inbox.remove(object) { unsafe wl_proxy_destroy(object.proxy) }
  }

  /// Sends a request that makes an object. Without memory the connection is lost, and the next call that can throw throws `lost`.
  package func make<Request: MessageSet>(
    _ table: InterfaceTable, by request: Request, of object: WaylandObject,
    _ arguments: [WaylandArgument], version: Int? = nil
  ) -> WaylandObject {
    unsafe send(request, to: object, arguments, making: table, version: version)
      ?? inbox.recordLackOfMemory(registry.proxy)
  }

  /// Requests the event `done` of a callback when the compositor has executed all requests so far.
  package func requestSync() -> WaylandObject {
    if inbox.lacksMemory { return unsafe inbox.recordLackOfMemory(registry.proxy) }
    // wl_display has the request sync with opcode 0.
    var argument = unsafe wl_argument()
    let callback = unsafe wl_proxy_marshal_array_flags(
      display, 0, interfaces.pointer(.callback), 1, 0, &argument)
    guard let callback = unsafe callback else {
      return unsafe inbox.recordLackOfMemory(registry.proxy)
    }
    let object = unsafe inbox.add(callback)
    listen(to: object)
    return object
  }

  /// Sends all requests so far. A later call sends the rest that the socket does not take. Throws `lost` or `refused`.
  package func flush() throws(WaylandError) {
    try checkMemory()
    if unsafe wl_display_flush(display) < 0, errno != EAGAIN { throw loss }
  }

  /// The events since the last call; if `reads` is false only those in memory. Throws `lost` or `refused`.
  package func takeEvents(reads: Bool) throws(WaylandError) -> [WaylandEvent] {
    try checkMemory()
    if reads {
      while unsafe wl_display_prepare_read(display) != 0 { try dispatch() }
      // Does not wait: it returns at once if there is nothing to read.
      if unsafe wl_display_read_events(display) < 0 { throw loss }
    }
    try dispatch()
    defer { inbox.events = [] }
    return inbox.events
  }

  /// Waits until the compositor has executed all requests so far. The events stay in the list. Throws `lost` or
  /// `refused`.
  package func roundTrip() throws(WaylandError) {
    try checkMemory()
    if unsafe wl_display_roundtrip(display) < 0 { throw loss }
  }

  private func checkMemory() throws(WaylandError) {
    if inbox.lacksMemory { throw .lost("display \(name): \(Self.lackOfMemory)") }
  }

  private func dispatch() throws(WaylandError) {
    if unsafe wl_display_dispatch_pending(display) < 0 { throw loss }
  }

  /// The reason why the connection broke: an error that the compositor reported, or that of the socket.
  private var loss: WaylandError {
    let code = unsafe wl_display_get_error(display)
    var interface: UnsafePointer<wl_interface>?
    var id: UInt32 = 0
    let number = unsafe wl_display_get_protocol_error(display, &interface, &id)
    guard code == EPROTO, let interface = unsafe interface else {
      return .lost("display \(name) has closed the connection")
    }
    let object = unsafe String(cString: interface.pointee.name)
    return .refused("display \(name) reported error \(number) of \(object)")
  }

  // MARK: Events

  /// Puts all events of an object into the list.
  private func listen(to object: WaylandObject) {
    let context = unsafe Unmanaged.passUnretained(inbox).toOpaque()
    _ = unsafe wl_proxy_add_dispatcher(object.proxy, Self.receive, context, nil)
  }

  /// Called by libwayland for each event.
  private static let receive: wl_dispatcher_func_t = {
    context, target, opcode, message, arguments in
    guard let context = unsafe context, let target = unsafe target, let message = unsafe message
    else { return 0 }
    let inbox = unsafe Unmanaged<Inbox>.fromOpaque(context).takeUnretainedValue()
    guard let object = inbox.objects[UInt(bitPattern: target)] else { return 0 }
    var values: [WaylandArgument] = []
    // Versions and question marks are no arguments. `Character.isLetter` is slow.
    let signature = unsafe String(cString: message.pointee.signature)
    let kinds = signature.unicodeScalars.filter { ("a"..."z").contains($0) }
    for (index, kind) in kinds.enumerated() {
      guard let argument = unsafe arguments?[index] else { break }
      // The wire's object is the first member of the library's proxy.
      let object = kind == "o" ? unsafe inbox.objects[UInt(bitPattern: argument.o)] : nil
      values.append(unsafe WaylandArgument(argument, kind, object))
    }
    inbox.events.append(
      WaylandEvent(object: object, opcode: Int(opcode), arguments: values))
    return 0
  }
}

extension WaylandArgument {
  /// `object` is the object that it refers to, if it is one.
  fileprivate init(_ argument: wl_argument, _ kind: Unicode.Scalar, _ object: WaylandObject?) {
    switch kind {
    case "i": self = unsafe .int(Int(argument.i))
    case "u": self = unsafe .uint(Int(argument.u))
    case "f": self = unsafe .fixed(argument.f)
    case "s": self = .text(unsafe argument.s.map { unsafe String(cString: $0) } ?? "")
    case "o": self = .object(object)
    case "h": self = unsafe .file(ReceivedFile(owning: argument.h))
    default: self = .other
    }
  }
}

extension wl_argument {
  /// Texts are copied, and the copies appended to `texts`.
  fileprivate init(_ argument: WaylandArgument, _ texts: inout [UnsafeMutablePointer<CChar>?]) {
    unsafe self.init()
    switch argument {
    case .int(let number): unsafe i = Int32(truncatingIfNeeded: number)
    case .uint(let number): unsafe u = UInt32(truncatingIfNeeded: number)
    case .fixed(let number): unsafe f = number
    case .text(let text):
      unsafe texts.append(strdup(text))
      unsafe s = texts.last.flatMap { unsafe UnsafePointer($0) }
    case .object(let object): unsafe o = object?.proxy
    case .descriptor(let number): unsafe h = number
    case .newObject, .file, .other: break
    }
  }
}
