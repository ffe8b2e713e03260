import CWayland
import Glibc

/// Tables of interfaces in the form that libwayland needs. They are never freed, because the library keeps pointers to
/// them, so make them once.
@safe package struct CInterfaces: @unchecked Sendable {
  /// The interfaces of `InterfaceTable.all`.
  package static let shared = CInterfaces(InterfaceTable.all)

  private let interfaces: [String: UnsafeMutablePointer<wl_interface>]

  package init(_ tables: [InterfaceTable]) {
    var interfaces: [String: UnsafeMutablePointer<wl_interface>] = unsafe [:]
    for table in tables {
      unsafe interfaces[table.name] = .allocate(capacity: 1)
    }
    for table in tables {
      unsafe interfaces[table.name]?.initialize(
        to: wl_interface(
          name: strdup(table.name), version: Int32(table.version),
          method_count: Int32(table.requests.count),
          methods: UnsafePointer(Self.messages(table.requests, interfaces)),
          event_count: Int32(table.events.count),
          events: UnsafePointer(Self.messages(table.events, interfaces))))
    }
    unsafe self.interfaces = interfaces
  }

  /// Traps if the interface is in none of the tables.
  func pointer(_ table: InterfaceTable) -> UnsafePointer<wl_interface> {
    guard let pointer = unsafe interfaces[table.name] else {
      preconditionFailure("\(table.name) is in no list")
    }
    return unsafe UnsafePointer(pointer)
  }

  private static func messages(
    _ messages: [Message], _ interfaces: [String: UnsafeMutablePointer<wl_interface>]
  ) -> UnsafeMutablePointer<wl_message> {
    let pointer = UnsafeMutablePointer<wl_message>.allocate(capacity: max(1, messages.count))
    for (index, message) in messages.enumerated() {
      // One element for each argument; nil if it is no object, or one that is not used.
      let types = UnsafeMutablePointer<UnsafePointer<wl_interface>?>.allocate(
        capacity: max(1, message.kinds.count))
      var names = message.interfaces[...]
      for (i, kind) in message.kinds.enumerated() {
        let name = "on".contains(kind) ? names.popFirst() : nil
        unsafe (types + i).initialize(
          to: name.flatMap { unsafe interfaces[$0] }.map { unsafe UnsafePointer($0) })
      }
      unsafe (pointer + index).initialize(
        to: wl_message(
          name: strdup(message.name), signature: strdup(message.signature), types: types))
    }
    return unsafe pointer
  }
}

extension InterfaceTable {
  /// All that this module describes.
  package static let all = [
    registry, callback, compositor, shm, shmPool, buffer, surface, region, output, layerShell,
    layerSurface, screencopyManager, screencopyFrame, outputSourceManager, imageSource,
    imageCopyManager, imageCopySession, imageCopyFrame, xdgOutputManager, xdgOutput, viewporter,
    viewport, backgroundEffectManager, backgroundEffect, seat, pointer, keyboard, touch,
  ]
}
