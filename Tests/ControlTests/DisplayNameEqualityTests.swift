import Control
import Testing

@Suite struct DisplayNameEqualityTests {
  @Test func namesOfOneScreenAreEqual() throws {
    let names = [":100", ":100.0", "unix:100", "unix:100.0"].map { DisplayName($0) }
    #expect(Set(names).count == 1)
    for name in names {
      #expect(
        try controlSocketPath(display: name, runtimeDirectory: "/r") == "/r/backdropd-100.sock")
    }
  }

  @Test func otherScreensAndServersDiffer() {
    let texts = [":100", ":100.1", ":10", "host:100", "wayland-1", "wayland-1.0", "100"]
    #expect(Set(texts.map { DisplayName($0) }).count == texts.count)
    #expect(DisplayName("host:1.0") == DisplayName("host:1"))
  }
}
