import Control
import Raster
import TestSupport
import Testing

/// The end of a round: panes are compared with their backdrop, and everything is put back.
extension Soak {
  /// Checks that panes that are hidden and shown again look the same, at the size that the screen has now.
  func checkPanes() throws {
    killPrograms()
    try stopCompositor()
    try stopManager()
    try syncWindows()
    let list = try ask(.list)
    let reply = try Reply(parsing: Array(list.utf8))
    guard case .panes(let all) = reply else { throw TestFailure("no list: \(reply)") }
    // One that goes by itself may go between two screenshots.
    for pane in all where pane.remainingSeconds != nil { try ask(.remove(name: pane.name)) }
    let panes = all.filter { $0.remainingSeconds == nil }
    let shown = panes.filter(\.isShown).map(\.name)
    let eye = try TestClient(server)
    // This ends all transitions.
    for pane in panes { try ask(.hide(name: pane.name)) }
    let pictures = try (0..<2).map { _ in
      for name in shown { try ask(.hide(name: name)) }
      try ask(.sync)
      for name in shown { try ask(.show(name: name)) }
      try ask(.sync)
      return try eye.screenshot()
    }
    let difference = pictures[1].difference(from: pictures[0])
    #expect(difference == nil, "\(place): \(shown.count) panes are shown again: \(list)")
  }

  /// Puts everything back. The windows are compared with two panes before they are destroyed.
  func returnToBase() throws {
    try screen.resize(server, to: screen.sizes[0])
    try removeConfiguration()
    try ask(.apply([], isRehearsal: false))
    try scene.add("left", Rect(x: 20, y: 30, width: 300, height: 300))
    try scene.add("right", Rect(x: 340, y: 10, width: 250, height: 400), sigma: 5)
    try scene.checkEverything(place)
    try scene.clear()
    scene.client.setWallpaper(.noise(width: server.width, height: server.height, seed: seed))
    try syncWindows()
    connection = try ControlConnection(server)
    try ask(.sync)
  }
}
