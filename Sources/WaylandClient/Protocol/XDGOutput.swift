// xdg-output-unstable-v1.xml: where outputs are in the space of the compositor.

extension InterfaceTable {
  /// Tells where outputs are.
  package static let xdgOutputManager = InterfaceTable(
    "zxdg_output_manager_v1", 3, XDGOutputManagerRequest.self)
  /// The place of an output in the space of the compositor.
  package static let xdgOutput = InterfaceTable(
    "zxdg_output_v1", 3, XDGOutputRequest.self, XDGOutputEvent.self)
}

/// The requests of `zxdg_output_manager_v1`.
package enum XDGOutputManagerRequest: Int, MessageSet {
  case destroy, getXDGOutput
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .getXDGOutput: Message("get_xdg_output", "no", "zxdg_output_v1", "wl_output")
    }
  }
}

/// The requests of `zxdg_output_v1`.
package enum XDGOutputRequest: Int, MessageSet {
  case destroy
  package var message: Message { Message("destroy") }
}

/// The events of `zxdg_output_v1`.
package enum XDGOutputEvent: Int, MessageSet {
  case logicalPosition, logicalSize, done, name, description
  package var message: Message {
    switch self {
    case .logicalPosition: Message("logical_position", "ii")
    case .logicalSize: Message("logical_size", "ii")
    case .done: Message("done")
    case .name: Message("name", "2s")
    case .description: Message("description", "2s")
    }
  }
}
