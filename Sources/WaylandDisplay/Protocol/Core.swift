// The interfaces of wayland.xml that are used.

extension InterfaceTable {
  static let registry = InterfaceTable("wl_registry", 1, RegistryRequest.self, RegistryEvent.self)
  static let callback = InterfaceTable("wl_callback", 1, events: CallbackEvent.self)
  static let compositor = InterfaceTable("wl_compositor", 5, CompositorRequest.self)
  static let shm = InterfaceTable("wl_shm", 1, ShmRequest.self, ShmEvent.self)
  static let shmPool = InterfaceTable("wl_shm_pool", 1, ShmPoolRequest.self)
  static let buffer = InterfaceTable("wl_buffer", 1, BufferRequest.self, BufferEvent.self)
  static let surface = InterfaceTable("wl_surface", 5, SurfaceRequest.self, SurfaceEvent.self)
  static let region = InterfaceTable("wl_region", 1, RegionRequest.self)
  static let output = InterfaceTable("wl_output", 4, OutputRequest.self, OutputEvent.self)
}

enum RegistryRequest: Int, MessageSet {
  case bind
  /// The new object has no fixed interface, so its name and version are arguments.
  var message: Message { Message("bind", "usun") }
}

enum RegistryEvent: Int, MessageSet {
  case global, globalRemove
  var message: Message {
    switch self {
    case .global: Message("global", "usu")
    case .globalRemove: Message("global_remove", "u")
    }
  }
}

enum CallbackEvent: Int, MessageSet {
  case done
  var message: Message { Message("done", "u") }
}

enum CompositorRequest: Int, MessageSet {
  case createSurface, createRegion
  var message: Message {
    switch self {
    case .createSurface: Message("create_surface", "n", "wl_surface")
    case .createRegion: Message("create_region", "n", "wl_region")
    }
  }
}

enum ShmRequest: Int, MessageSet {
  case createPool
  var message: Message { Message("create_pool", "nhi", "wl_shm_pool") }
}

enum ShmEvent: Int, MessageSet {
  case format
  var message: Message { Message("format", "u") }
}

enum ShmPoolRequest: Int, MessageSet {
  case createBuffer, destroy, resize
  var message: Message {
    switch self {
    case .createBuffer: Message("create_buffer", "niiiiu", "wl_buffer")
    case .destroy: Message("destroy")
    case .resize: Message("resize", "i")
    }
  }
}

enum BufferRequest: Int, MessageSet {
  case destroy
  var message: Message { Message("destroy") }
}

enum BufferEvent: Int, MessageSet {
  case release
  var message: Message { Message("release") }
}

enum SurfaceRequest: Int, MessageSet {
  case destroy, attach, damage, frame, setOpaqueRegion, setInputRegion, commit
  case setBufferTransform, setBufferScale, damageBuffer, offset
  var message: Message {
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

enum SurfaceEvent: Int, MessageSet {
  case enter, leave
  var message: Message {
    switch self {
    case .enter: Message("enter", "o", "wl_output")
    case .leave: Message("leave", "o", "wl_output")
    }
  }
}

enum RegionRequest: Int, MessageSet {
  case destroy, add, subtract
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .add: Message("add", "iiii")
    case .subtract: Message("subtract", "iiii")
    }
  }
}

enum OutputRequest: Int, MessageSet {
  case release
  var message: Message { Message("release", "3") }
}

enum OutputEvent: Int, MessageSet {
  case geometry, mode, done, scale, name, description
  var message: Message {
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
