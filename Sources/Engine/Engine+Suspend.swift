import Raster

/// The loss of the display and its return.
extension Engine where Server: ~Copyable {
  /// Ends all work because the connection to the display broke. The panes are kept, and requests change them,
  /// but nothing is shown until `resume`. Requests for syncs and pictures fail.
  package mutating func suspend() {
    cancelPainting()
    isSuspended = true
    server.disconnect()
    for entry in board.entries { hide(entry) }
    frame = .idle
    announcements = Announcements()
    windowsBetween = [:]
    // The memory of captures is released.
    server.watch([:])
    watch = Watch()
    obstacleLog = ObstacleLog()
    // The next display may have other pixels, such as those of another user.
    store.shrink()
    for ticket in syncs.map(\.ticket) + snapshots.map(\.ticket) {
      report(.completed(.failed(ticket, .away(server.report.name))))
    }
    syncs = []
    snapshots = []
  }

  /// Shows all panes on a new connection to the display.
  package mutating func resume(on server: consuming Server) {
    self.server = server
    isSuspended = false
    drawnBlending = self.server.blendsAlpha
    for entry in board.entries { entry.overlay = self.server.makeOverlay(entry.pane.name) }
    sortEntries()
    // The monitors of another display have other names.
    for entry in board.entries where entry.site == .output(.pointer) { entry.output = nil }
    updateOutputs()
    followTargets()
  }

  /// Throws `away` if there is no connection to the display.
  func checkConnection() throws(EngineError) {
    if isSuspended { throw .away(server.report.name) }
  }
}
