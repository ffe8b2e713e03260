import Control
import Panes
import TestSupport

/// A part of a session.
struct FaultOperation {
  let name: String
  /// Returns whether all requests succeeded.
  let perform: (FaultSession) throws -> Bool

  init(_ name: String, _ perform: @escaping (FaultSession) throws -> Bool) {
    self.name = name
    self.perform = perform
  }

  private static let fade = try? Fade(milliseconds: 40)

  /// A usual session on any desktop, as operations that begin with the same panes.
  static var all: [FaultOperation] {
    [
      FaultOperation("add") {
        try $0.command(
          "add", "new", "--geometry", "100x70+150+90", "--shadow", "outer-view", "--corner", "9",
          "--scheme", "dark")
      },
      FaultOperation("add a label") {
        try $0.command(
          "add", "new", "--size", "auto", "--label", "New", "--anchor", "top", "--scheme", "dark")
      },
      FaultOperation("set") { try $0.command("set", "a", "--sigma", "9", "--tint", "#80FF0040") },
      FaultOperation("set a label") { try $0.command("set", "text", "--label", "Changed") },
      FaultOperation("move") {
        try $0.command(
          "set", "a", "--geometry", "150x90+40+60", "--shadow", "none", "--corner", "0")
      },
      FaultOperation("hide") { $0.perform(.hide(name: "a", fade ?? .none)) },
      FaultOperation("show") { $0.perform(.show(name: "hidden", fade ?? .none)) },
      FaultOperation("open a drawer") { $0.perform(.drawer(name: "drawer", .open)) },
      FaultOperation("take pictures") {
        $0.perform(
          .snapshot(name: "a", isBackdrop: true), .snapshot(name: "text", isBackdrop: false))
      },
      FaultOperation("subscribe") { session in
        guard let watcher = try? ControlConnection(session.server) else { return false }
        try watcher.send(.subscribe())
        let isDone = session.perform(.hide(name: "a", .none), .show(name: "a", .none))
        // The first events tell what is there; the connection ends with the subscription, which may fail.
        return watcher.reply() != nil && isDone
      },
      FaultOperation("ask") { $0.perform(.list, .status, .outputs, .cache, .declared) },
      FaultOperation("configure") { session in
        try session.configure(
          #"panes = ( { name = "file"; geometry = "60x50+240+150"; scheme = "dark"; } );"#)
        return session.perform()
      },
      FaultOperation("refresh") { $0.perform(.clearCache, .refresh) },
      FaultOperation("remove") { $0.perform(.remove(name: "a"), .remove(name: "text")) },
    ]
  }
}
