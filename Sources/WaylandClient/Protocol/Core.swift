// The interfaces of wayland.xml that are used.

extension InterfaceTable {
  /// Announces the globals.
  package static let registry = InterfaceTable(
    "wl_registry", 1, RegistryRequest.self, RegistryEvent.self)
  /// Says that something has happened.
  package static let callback = InterfaceTable("wl_callback", 1, events: CallbackEvent.self)
  /// Makes surfaces and regions.
  package static let compositor = InterfaceTable("wl_compositor", 5, CompositorRequest.self)
  /// Makes pools of shared memory.
  package static let shm = InterfaceTable("wl_shm", 1, ShmRequest.self, ShmEvent.self)
  /// Shared memory with buffers.
  package static let shmPool = InterfaceTable("wl_shm_pool", 1, ShmPoolRequest.self)
  /// Pixels for a surface, or of a capture.
  package static let buffer = InterfaceTable("wl_buffer", 1, BufferRequest.self, BufferEvent.self)
  /// A rectangle of pixels on the screen.
  package static let surface = InterfaceTable(
    "wl_surface", 5, SurfaceRequest.self, SurfaceEvent.self)
  /// A set of pixels of a surface.
  package static let region = InterfaceTable("wl_region", 1, RegionRequest.self)
  /// A monitor.
  package static let output = InterfaceTable("wl_output", 4, OutputRequest.self, OutputEvent.self)
}

/// The requests of `wl_registry`.
package enum RegistryRequest: Int, MessageSet {
  case bind
  /// The new object has no fixed interface, so its name and version are arguments.
  package var message: Message { Message("bind", "usun") }
}

/// The events of `wl_registry`.
package enum RegistryEvent: Int, MessageSet {
  case global, globalRemove
  package var message: Message {
    switch self {
    case .global: Message("global", "usu")
    case .globalRemove: Message("global_remove", "u")
    }
  }
}

/// The events of `wl_callback`.
package enum CallbackEvent: Int, MessageSet {
  case done
  package var message: Message { Message("done", "u") }
}

/// The requests of `wl_compositor`.
package enum CompositorRequest: Int, MessageSet {
  case createSurface, createRegion
  package var message: Message {
    switch self {
    case .createSurface: Message("create_surface", "n", "wl_surface")
    case .createRegion: Message("create_region", "n", "wl_region")
    }
  }
}

/// The requests of `wl_shm`.
package enum ShmRequest: Int, MessageSet {
  case createPool
  package var message: Message { Message("create_pool", "nhi", "wl_shm_pool") }
}

/// The events of `wl_shm`.
package enum ShmEvent: Int, MessageSet {
  case format
  package var message: Message { Message("format", "u") }
}

/// The requests of `wl_shm_pool`.
package enum ShmPoolRequest: Int, MessageSet {
  case createBuffer, destroy, resize
  package var message: Message {
    switch self {
    case .createBuffer: Message("create_buffer", "niiiiu", "wl_buffer")
    case .destroy: Message("destroy")
    case .resize: Message("resize", "i")
    }
  }
}

/// The requests of `wl_buffer`.
package enum BufferRequest: Int, MessageSet {
  case destroy
  package var message: Message { Message("destroy") }
}

/// The events of `wl_buffer`.
package enum BufferEvent: Int, MessageSet {
  case release
  package var message: Message { Message("release") }
}

/// The requests of `wl_surface`.
package enum SurfaceRequest: Int, MessageSet {
  case destroy, attach, damage, frame, setOpaqueRegion, setInputRegion, commit
  case setBufferTransform, setBufferScale, damageBuffer, offset
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .attach: Message("attach", "?oii", "wl_buffer")
    case .damage: Message("damage", "iiii")
    case .frame: Message("frame", "n", "wl_callback")
    case .setOpaqueRegion: Message("set_opaque_region", "?o", "wl_region")
    case .setInputRegion: Message("set_input_region", "?o", "wl_region")
    case .commit: Message("commit")
    case .setBufferTransform: Message("set_buffer_transform", "2i")
    case .setBufferScale: Message("set_buffer_scale", "3i")
    case .damageBuffer: Message("damage_buffer", "4iiii")
    case .offset: Message("offset", "5ii")
    }
  }
}

/// The events of `wl_surface`.
package enum SurfaceEvent: Int, MessageSet {
  case enter, leave
  package var message: Message {
    switch self {
    case .enter: Message("enter", "o", "wl_output")
    case .leave: Message("leave", "o", "wl_output")
    }
  }
}

/// The requests of `wl_region`.
package enum RegionRequest: Int, MessageSet {
  case destroy, add, subtract
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .add: Message("add", "iiii")
    case .subtract: Message("subtract", "iiii")
    }
  }
}

/// The requests of `wl_output`.
package enum OutputRequest: Int, MessageSet {
  case release
  package var message: Message { Message("release", "3") }
}

/// The events of `wl_output`.
package enum OutputEvent: Int, MessageSet {
  case geometry, mode, done, scale, name, description
  package var message: Message {
    switch self {
    case .geometry: Message("geometry", "iiiiissi")
    case .mode: Message("mode", "uiii")
    case .done: Message("done", "2")
    case .scale: Message("scale", "2i")
    case .name: Message("name", "4s")
    case .description: Message("description", "4s")
    }
  }
}
