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
      of environment: [String: String], given: String? = nil, server: ServerChoice = .auto
    ) throws -> [DisplayName] {
      try DisplayName.candidates(given, server: server) { environment[$0] }
    }
    let both = ["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"]
    #expect(try candidates(of: both) == [.wayland("wayland-1"), .x11(":0")])
    #expect(try candidates(of: both, server: .x11) == [.x11(":0")])
    #expect(try candidates(of: both, server: .wayland) == [.wayland("wayland-1")])
    #expect(try candidates(of: ["DISPLAY": ":0", "WAYLAND_DISPLAY": ""]) == [.x11(":0")])
    #expect(try candidates(of: both, given: ":7") == [.x11(":7")])
    #expect(try candidates(of: both, given: "sway", server: .wayland) == [.wayland("sway")])
    #expect(throws: ControlError.noDisplay(.auto)) { try candidates(of: [:]) }
    #expect(throws: ControlError.noDisplay(.auto)) { try candidates(of: both, given: "") }
    #expect(throws: ControlError.noDisplay(.wayland)) {
      try candidates(of: ["DISPLAY": ":0"], server: .wayland)
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
