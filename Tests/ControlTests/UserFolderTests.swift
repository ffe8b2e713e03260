import Control
import Testing

struct UserFolderTests {
  @Test(arguments: [
    (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/backdropd"),
    (["HOME": "/h"], "/h/.local/state/backdropd"),
    (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/backdropd"),
    (["XDG_STATE_HOME": "", "HOME": ""], nil), ([:], nil),
  ])
  func stateIsInTheFolderOfTheUser(environment: [String: String], folder: String?) {
    #expect(stateFolder { environment[$0] } == folder)
  }

  @Test func panesAreNamedLikeTheirSocket() {
    #expect(
      paneFilePath(forSocket: "/run/backdropd-1.sock", stateFolder: "/s") == "/s/backdropd-1.panes")
    #expect(
      logFilePath(forSocket: "/run/backdropd-1.sock", stateFolder: "/s") == "/s/backdropd-1.log")
    #expect(
      paneFilePath(forSocket: "/run/backdropd@wayland-1.sock", stateFolder: nil)
        == "/run/backdropd@wayland-1.panes")
  }
}
