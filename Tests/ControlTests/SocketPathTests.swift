import Control
import Testing

@Suite struct SocketPathTests {
  @Test(arguments: [
    (":1", "1"), (":1.0", "1"), (":1.00", "1"), ("unix:1", "1"), ("unix:1.0", "1"),
    (":1.1", "1.1"), ("unix:1.1", "1.1"), (":1.", "1."), ("host:10", "host-10"),
    ("host:10.0", "host-10"), ("host:10.2", "host-10.2"), ("a.b:0", "a.b-0"),
    ("/tmp/.X11-unix/X1:1", "-tmp-.X11-unix-X1-1"), ("../../x:1", "..-..-x-1"),
  ])
  func namesOfAScreenHaveOneSocket(display: String, name: String) throws {
    let path = try controlSocketPath(
      display: DisplayName(display), runtimeDirectory: "/run/user/7")
    #expect(path == "/run/user/7/backdropd-\(name).sock")
  }

  @Test(arguments: [
    ("wayland-1", "wayland-1"), ("/run/user/7/wayland-1", "wayland-1"), ("1", "1"),
    ("/run/user/77/wayland-1", "-run-user-77-wayland-1"), ("../x", "..-x"),
  ])
  func namesOfACompositorHaveOneSocket(display: String, name: String) throws {
    let path = try controlSocketPath(
      display: DisplayName(display), runtimeDirectory: "/run/user/7")
    #expect(path == "/run/user/7/backdropd@\(name).sock")
  }

  @Test func compositorIsPreferred() throws {
    func candidates(
      _ given: String? = nil, _ server: ServerChoice = .auto, _ environment: [String: String]
    ) throws -> [DisplayName] {
      try DisplayName.candidates(given, server: server) { environment[$0] }
    }
    let both = ["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"]
    #expect(try candidates(both) == [.wayland("wayland-1"), .x11(":0")])
    #expect(try candidates(nil, .x11, both) == [.x11(":0")])
    #expect(try candidates(nil, .wayland, both) == [.wayland("wayland-1")])
    #expect(try candidates(["DISPLAY": ":0", "WAYLAND_DISPLAY": ""]) == [.x11(":0")])
    #expect(try candidates(":7", both) == [.x11(":7")])
    #expect(try candidates("sway", .wayland, both) == [.wayland("sway")])
    #expect(throws: ControlError.noDisplay(.auto)) { try candidates([:]) }
    #expect(throws: ControlError.noDisplay(.auto)) { try candidates("", both) }
    #expect(throws: ControlError.noDisplay(.wayland)) {
      try candidates(nil, .wayland, ["DISPLAY": ":0"])
    }
  }

  @Test func environmentWithoutPlaceForTheSocketIsNamed() {
    for directory in [nil, "", "run"] {
      #expect(throws: ControlError.noRuntimeDirectory) {
        try controlSocketPath(display: .x11(":1"), runtimeDirectory: directory)
      }
    }
    #expect("\(ControlError.noRuntimeDirectory)".contains("XDG_RUNTIME_DIR"))
    let deep = "/" + String(repeating: "x", count: 100)
    #expect(throws: ControlError.pathTooLong("\(deep)/backdropd-1.sock", limit: 107)) {
      try controlSocketPath(display: .x11(":1"), runtimeDirectory: deep)
    }
  }
}
