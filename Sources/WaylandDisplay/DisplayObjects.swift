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
  /// The highest layer of wlr-layer-shell on which a pane may be: 3, overlay. Without ext-session-lock a lock screen is a surface of
  /// it that no other client sees, and sway 1.7 shows a new surface below others of its layer; so it is 2, top.
  let highestLayer: Int
}

extension DisplayObjects {
  /// Binds what is needed; of the protocols for captures, the one that `capture` names, if any. Throws `unsupported` with the
  /// name of a missing protocol.
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
