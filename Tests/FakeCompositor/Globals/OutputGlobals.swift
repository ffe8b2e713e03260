/// `wl_output`.
final class OutputHandler: RequestHandler {
  weak var resource: Resource?
  /// Nil after its removal.
  private(set) weak var output: FakeOutput?

  init(_ output: FakeOutput?) { self.output = output }

  func begin() {
    output?.handlers.append(self)
    sendState()
    send("done")
  }

  func end() { output?.handlers.removeAll { $0 === self } }

  func sendState() {
    guard let state = output?.state else { return }
    send(
      "geometry",
      [
        .int(state.x), .int(state.y), .int(300), .int(200), .int(0), .text("maker"),
        .text("model"), .int(state.transform),
      ])
    send("mode", [.uint(1), .int(state.width), .int(state.height), .int(60000)])
    send("scale", [.int(Int(state.scale.rounded(.up)))])
    send("name", [.text(state.name)])
    send("description", [.text("An output of a test")])
  }

  /// Makes the object inert.
  func removeOutput() { output = nil }
}

/// `zxdg_output_manager_v1`.
final class XDGOutputManagerHandler: RequestHandler {
  weak var resource: Resource?
  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "get_xdg_output" else { return }
    let output = request.handler(1, as: OutputHandler.self)
    try request.make(0, XDGOutputHandler(output?.output))
    // Since version 3 the end of the events is that of the output.
    output?.send("done")
  }
}

/// `zxdg_output_v1`.
final class XDGOutputHandler: RequestHandler {
  weak var resource: Resource?
  private weak var output: FakeOutput?

  init(_ output: FakeOutput?) { self.output = output }

  func begin() {
    output?.positions.append(self)
    sendState()
  }

  func end() { output?.positions.removeAll { $0 === self } }

  func sendState() {
    guard let state = output?.state else { return }
    let logical = state.logical
    send("logical_position", [.int(logical.x), .int(logical.y)])
    send("logical_size", [.int(logical.width), .int(logical.height)])
    send("name", [.text(state.name)])
  }
}
