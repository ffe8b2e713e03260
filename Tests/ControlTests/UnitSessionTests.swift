import Control
import Testing

@Suite struct UnitSessionTests {
  private func session(in folder: String) throws -> UnitSession {
    let environment = ["NOTIFY_SOCKET": "/n", "XDG_RUNTIME_DIR": folder]
    return try #require(UnitSession { environment[$0] })
  }

  /// The variables that a unit gets when it starts again.
  private func resumed(
    _ session: UnitSession, isListening: Bool = true
  ) -> [String: String?] {
    var variables: [String: String?] = [:]
    session.resume(isListening: { _ in isListening }, setValue: { variables[$0] = .some($1) })
    return variables
  }

  @Test func unitThatCrashedGetsItsSessionAgain() throws {
    let folder = TemporaryFolder()
    let session = try session(in: folder.path)
    defer { session.forget() }
    let first = ["DISPLAY": ":81", "XAUTHORITY": "/a b\n", "GDK_SCALE": ""]
    session.keep(.x11(":81")) { first[$0] }
    let variables = resumed(session)
    #expect(Set(variables.keys) == Set(sessionVariables))
    for name in sessionVariables { #expect(variables[name] == .some(first[name]), "\(name)") }
  }

  @Test func sessionWithoutAServerIsNotResumed() throws {
    let folder = TemporaryFolder()
    let session = try session(in: folder.path)
    defer { session.forget() }
    #expect(resumed(session).isEmpty)
    session.keep(.x11(":81")) { _ in nil }
    #expect(resumed(session, isListening: false).isEmpty)
    session.forget()
    #expect(resumed(session).isEmpty)
  }

  @Test func onlyUnitsHaveASession() {
    #expect(UnitSession { $0 == "XDG_RUNTIME_DIR" ? "/r" : nil } == nil)
    #expect(UnitSession { $0 == "NOTIFY_SOCKET" ? "/n" : nil } == nil)
  }
}
