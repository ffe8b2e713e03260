// ext-image-capture-source-v1.xml and ext-image-copy-capture-v1.xml: pixels of outputs.

extension InterfaceTable {
  /// Makes outputs the sources of captures.
  package static let outputSourceManager = InterfaceTable(
    "ext_output_image_capture_source_manager_v1", 1, OutputSourceManagerRequest.self)
  /// The source of a capture.
  package static let imageSource = InterfaceTable(
    "ext_image_capture_source_v1", 1, ImageSourceRequest.self)
  /// Captures sources.
  package static let imageCopyManager = InterfaceTable(
    "ext_image_copy_capture_manager_v1", 1, ImageCopyManagerRequest.self)
  /// Captures of a source, one frame at a time.
  package static let imageCopySession = InterfaceTable(
    "ext_image_copy_capture_session_v1", 1, ImageCopySessionRequest.self,
    ImageCopySessionEvent.self)
  /// A frame of a session.
  package static let imageCopyFrame = InterfaceTable(
    "ext_image_copy_capture_frame_v1", 1, ImageCopyFrameRequest.self, ImageCopyFrameEvent.self)
}

/// The requests of `ext_output_image_capture_source_manager_v1`.
package enum OutputSourceManagerRequest: Int, MessageSet {
  case createSource, destroy
  package var message: Message {
    switch self {
    case .createSource:
      Message("create_source", "no", "ext_image_capture_source_v1", "wl_output")
    case .destroy: Message("destroy")
    }
  }
}

/// The requests of `ext_image_capture_source_v1`.
package enum ImageSourceRequest: Int, MessageSet {
  case destroy
  package var message: Message { Message("destroy") }
}

/// The requests of `ext_image_copy_capture_manager_v1`.
package enum ImageCopyManagerRequest: Int, MessageSet {
  /// In the order of the protocol.
  case createSession, createPointerCursorSession, destroy
  package var message: Message {
    switch self {
    case .createSession:
      Message(
        "create_session", "nou", "ext_image_copy_capture_session_v1",
        "ext_image_capture_source_v1")
    case .createPointerCursorSession:
      Message(
        "create_pointer_cursor_session", "noo", "ext_image_copy_capture_cursor_session_v1",
        "ext_image_capture_source_v1", "wl_pointer")
    case .destroy: Message("destroy")
    }
  }
}

/// The requests of `ext_image_copy_capture_session_v1`.
package enum ImageCopySessionRequest: Int, MessageSet {
  case createFrame, destroy
  package var message: Message {
    switch self {
    case .createFrame: Message("create_frame", "n", "ext_image_copy_capture_frame_v1")
    case .destroy: Message("destroy")
    }
  }
}

/// The events of `ext_image_copy_capture_session_v1`.
package enum ImageCopySessionEvent: Int, MessageSet {
  case bufferSize, shmFormat, dmabufDevice, dmabufFormat, done, stopped
  package var message: Message {
    switch self {
    case .bufferSize: Message("buffer_size", "uu")
    case .shmFormat: Message("shm_format", "u")
    case .dmabufDevice: Message("dmabuf_device", "a")
    case .dmabufFormat: Message("dmabuf_format", "ua")
    case .done: Message("done")
    case .stopped: Message("stopped")
    }
  }
}

/// The requests of `ext_image_copy_capture_frame_v1`.
package enum ImageCopyFrameRequest: Int, MessageSet {
  case destroy, attachBuffer, damageBuffer, capture
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .attachBuffer: Message("attach_buffer", "o", "wl_buffer")
    case .damageBuffer: Message("damage_buffer", "iiii")
    case .capture: Message("capture")
    }
  }
}

/// The events of `ext_image_copy_capture_frame_v1`.
package enum ImageCopyFrameEvent: Int, MessageSet {
  case transform, damage, presentationTime, ready, failed
  package var message: Message {
    switch self {
    case .transform: Message("transform", "u")
    case .damage: Message("damage", "iiii")
    case .presentationTime: Message("presentation_time", "uuu")
    case .ready: Message("ready")
    case .failed: Message("failed", "u")
    }
  }
}
