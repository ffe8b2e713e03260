import TestSupport

extension CaptureScene {
  /// The numbers of what the daemon and its X server hold for it, by name.
  func heldCounts() throws -> [String: Int] {
    let process = daemon.process
    var counts = [
      "descriptors": namesInDirectory("/proc/\(process.pid)/fd").count,
      "threads": namesInDirectory("/proc/\(process.pid)/task").count,
      "windows": try server.topLevelWindows().count,
      "shared memory": try server.sharedMemory().count,
    ]
    for key in ["bufferBytes", "redirectedWindows", "pinnedTiles"] { counts[key] = try number(key) }
    for (type, count) in try client.resourceCounts(ofOwnerOf: "_BACKDROPD_S0") {
      // The server stores one for each window of the daemon whose shape another client has watched.
      if type != "ShapeEvent" { counts["X \(type)"] = count }
    }
    return counts
  }
}
