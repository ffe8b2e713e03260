// wlr-screencopy-unstable-v1.xml: pixels of outputs.

extension InterfaceTable {
  /// Captures outputs.
  package static let screencopyManager = InterfaceTable(
    "zwlr_screencopy_manager_v1", 3, ScreencopyManagerRequest.self)
  /// A capture of an output.
  package static let screencopyFrame = InterfaceTable(
    "zwlr_screencopy_frame_v1", 3, ScreencopyFrameRequest.self, ScreencopyFrameEvent.self)
}

/// The requests of `zwlr_screencopy_manager_v1`.
package enum ScreencopyManagerRequest: Int, MessageSet {
  case captureOutput, captureOutputRegion, destroy
  package var message: Message {
    switch self {
    case .captureOutput:
      Message("capture_output", "nio", "zwlr_screencopy_frame_v1", "wl_output")
    case .captureOutputRegion:
      Message("capture_output_region", "nioiiii", "zwlr_screencopy_frame_v1", "wl_output")
    case .destroy: Message("destroy")
    }
  }
}

/// The requests of `zwlr_screencopy_frame_v1`.
package enum ScreencopyFrameRequest: Int, MessageSet {
  case copy, destroy, copyWithDamage
  package var message: Message {
    switch self {
    case .copy: Message("copy", "o", "wl_buffer")
    case .destroy: Message("destroy")
    case .copyWithDamage: Message("copy_with_damage", "2o", "wl_buffer")
    }
  }
}

/// The events of `zwlr_screencopy_frame_v1`.
package enum ScreencopyFrameEvent: Int, MessageSet {
  case buffer, flags, ready, failed, damage, linuxDmabuf, bufferDone
  package var message: Message {
    switch self {
    case .buffer: Message("buffer", "uuuu")
    case .flags: Message("flags", "u")
    case .ready: Message("ready", "uuu")
    case .failed: Message("failed")
    case .damage: Message("damage", "2uuuu")
    case .linuxDmabuf: Message("linux_dmabuf", "3uuu")
    case .bufferDone: Message("buffer_done", "3")
    }
  }
}
