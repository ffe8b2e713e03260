import Engine
import WaylandClient

/// The objects that overlays need.
struct DisplayObjects {
  let compositor, shm, layerShell: WaylandObject
  /// Nil if the compositor cannot be captured.
  let captures: CaptureManager?
  /// Nil if the compositor has none, or if it is not used.
  var backgroundEffects: WaylandObject?
  let xdgOutputs, viewporter: WaylandObject?
  /// Whether the compositor tells clients scales that are not whole numbers.
  let hasFractionalScales: Bool
  /// The highest layer of wlr-layer-shell on which a pane may be: 3 (overlay), or 2 (top) without ext-session-lock. Without that
  /// protocol a lock screen is a surface of layer 3, which no other client can detect. Sway 1.7 shows a new surface below older
  /// surfaces of its layer, so a pane of layer 3 would be above the lock screen.
  let highestLayer: Int
}

extension DisplayObjects {
  /// Binds the objects. If `capture` is not nil, only this protocol is used for captures. Throws `unsupported` with the name of a
  /// missing protocol.
  init(
    _ connection: borrowing WaylandConnection, _ globals: Globals, _ capture: CaptureProtocol?
  ) throws(DisplayError) {
    func bind(_ table: InterfaceTable) throws(DisplayError) -> WaylandObject {
      guard let object = connection.bind(table, in: globals) else {
        throw .unsupported(
          "display \(connection.name) cannot show glass: the compositor has no \(table.name)")
      }
      return object
    }
    self.init(
      compositor: try bind(.compositor), shm: try bind(.shm), layerShell: try bind(.layerShell),
      captures: CaptureManager(connection, globals, only: capture),
      backgroundEffects: connection.bind(.backgroundEffectManager, in: globals),
      xdgOutputs: connection.bind(.xdgOutputManager, in: globals),
      viewporter: connection.bind(.viewporter, in: globals),
      hasFractionalScales: globals.has("wp_fractional_scale_manager_v1"),
      highestLayer: globals.has("ext_session_lock_manager_v1") ? 3 : 2)
  }
}
