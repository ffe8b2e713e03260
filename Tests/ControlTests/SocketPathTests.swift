import Control
import Testing

@Suite struct SocketPathTests {
  @Test(arguments: [
    (":1", "1"), (":1.0", "1"), (":1.00", "1"), ("unix:1", "1"), ("unix:1.0", "1"),
    (":1.1", "1.1"), ("unix:1.1", "1.1"), (":1.", "1."), ("host:10", "host-10"),
    ("host:10.0", "host-10"), ("host:10.2", "host-10.2"), ("a.b:0", "a.b-0"),
    ("/tmp/.X11-unix/X1:1", "-tmp-.X11-unix-X1-1"), ("unix", "unix"), ("../../x:1", "..-..-x-1"),
  ])
  func namesOfAScreenHaveOneSocket(display: String, name: String) throws {
    let path = try controlSocketPath(display: display, runtimeDirectory: "/run/user/7")
    #expect(path == "/run/user/7/backdropd-\(name).sock")
  }

  @Test func environmentWithoutPlaceForTheSocketIsNamed() {
    #expect(throws: ControlError.noDisplay) {
      try controlSocketPath(display: "", runtimeDirectory: "/run")
    }
    for directory in [nil, "", "run"] {
      #expect(throws: ControlError.noRuntimeDirectory) {
        try controlSocketPath(display: ":1", runtimeDirectory: directory)
      }
    }
    #expect("\(ControlError.noRuntimeDirectory)".contains("XDG_RUNTIME_DIR"))
    let deep = "/" + String(repeating: "x", count: 100)
    #expect(throws: ControlError.pathTooLong("\(deep)/backdropd-1.sock", limit: 107)) {
      try controlSocketPath(display: ":1", runtimeDirectory: deep)
    }
  }
}
