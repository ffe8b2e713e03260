import Control
import Glibc
import Testing

/// Files of saved panes that cannot be read. `KeptPanesTests` has those that can.
@Suite struct PaneFileTests {
  @Test func withoutAFileThereAreNoPanes() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/panes"
    var file = PaneFile(path: path)
    #expect(try file.load() == SavedPanes())
    #expect(unsafe access(path + "-bad", F_OK) != 0)
  }

  /// It is not taken for a missing file, which the next save would replace.
  @Test func whatCannotBeReadIsNamedAndKept() {
    let folder = TemporaryFolder()
    let path = folder.path + "/panes"
    #expect(unsafe mkdir(path, 0o700) == 0)
    defer { unsafe rmdir(path + "-bad") }
    var file = PaneFile(path: path)
    let error = #expect(throws: PaneFileError.self) { try file.load() }
    #expect(error?.reason == "it is no regular file")
    #expect(unsafe access(path + "-bad", F_OK) == 0 && access(path, F_OK) != 0)
  }
}
