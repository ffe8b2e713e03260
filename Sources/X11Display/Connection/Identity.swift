/// The range of resource identifiers of this client.
struct Identity {
  let base, mask: UInt32

  /// Whether this client made a resource.
  func isOwn(_ id: UInt32) -> Bool { id & ~mask == base }

  /// Whether the same client made two resources.
  func isSameClient(_ one: UInt32, _ other: UInt32) -> Bool { one & ~mask == other & ~mask }

  /// Whether the server itself made a resource, such as the overlay window on which a compositor paints.
  func isServers(_ id: UInt32) -> Bool { id & 0x1fff_ffff & ~mask == 0 }
}
