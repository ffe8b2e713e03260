/// The protocols by which outputs can be captured.
package enum CaptureProtocol: Sendable, CaseIterable {
  /// wlr-screencopy-unstable-v1, which also captures parts of outputs.
  case screencopy
  /// ext-image-copy-capture-v1.
  case imageCopy
}

/// The objects by which a compositor captures outputs.
package enum CaptureManager {
  case screencopy(WaylandObject)
  case imageCopy(manager: WaylandObject, sources: WaylandObject)

  /// The first version of screencopy that reports damage and the end of the description of a buffer.
  private static let neededScreencopy = 3

  /// Binds the objects of a protocol that the compositor has, screencopy if it has both. If `only` is given, no other protocol is
  /// used. Nil if there is none. The compositor keeps the damage of an output for each manager.
  package init?(
    _ connection: borrowing WaylandConnection, _ globals: Globals, only: CaptureProtocol? = nil
  ) {
    if only != .imageCopy, let version = globals.version(of: .screencopyManager),
      version >= Self.neededScreencopy,
      let manager = connection.bind(.screencopyManager, in: globals)
    {
      self = .screencopy(manager)
    } else if only != .screencopy, globals.version(of: .outputSourceManager) != nil,
      let manager = connection.bind(.imageCopyManager, in: globals),
      let sources = connection.bind(.outputSourceManager, in: globals)
    {
      self = .imageCopy(manager: manager, sources: sources)
    } else {
      return nil
    }
  }

  /// The protocols that a compositor without a manager should have, as the end of a sentence: "neither ... nor ...".
  package static func missing(in globals: Globals) -> String {
    let old = globals.version(of: .screencopyManager)
      .map { " in version \(neededScreencopy), but \($0)," }
    let other: InterfaceTable =
      globals.version(of: .imageCopyManager) == nil ? .imageCopyManager : .outputSourceManager
    return "neither \(InterfaceTable.screencopyManager.name)\(old ?? "") nor \(other.name)"
  }

  /// The capture of an output.
  package func capture(of output: WaylandObject, shm: WaylandObject) -> any OutputCapture {
    switch self {
    case .screencopy(let manager): ScreencopyCapture(manager: manager, of: output, shm: shm)
    case .imageCopy(let manager, let sources):
      ImageCopyCapture(manager: manager, sources: sources, of: output, shm: shm)
    }
  }
}
