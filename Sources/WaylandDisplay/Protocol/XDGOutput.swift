// xdg-output-unstable-v1.xml: where outputs are in the space of the compositor.

extension InterfaceTable {
  static let xdgOutputManager = InterfaceTable(
    "zxdg_output_manager_v1", 3, XDGOutputManagerRequest.self)
  static let xdgOutput = InterfaceTable(
    "zxdg_output_v1", 3, XDGOutputRequest.self, XDGOutputEvent.self)
}

enum XDGOutputManagerRequest: Int, MessageSet {
  case destroy, getXDGOutput
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .getXDGOutput: Message("get_xdg_output", "no", "zxdg_output_v1", "wl_output")
    }
  }
}

enum XDGOutputRequest: Int, MessageSet {
  case destroy
  var message: Message { Message("destroy") }
}

enum XDGOutputEvent: Int, MessageSet {
  case logicalPosition, logicalSize, done, name, description
  var message: Message {
    switch self {
    case .logicalPosition: Message("logical_position", "ii")
    case .logicalSize: Message("logical_size", "ii")
    case .done: Message("done")
    case .name: Message("name", "2s")
    case .description: Message("description", "2s")
    }
  }
}
