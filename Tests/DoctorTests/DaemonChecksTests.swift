import Control
import Doctor
import Testing

struct DaemonChecksTests {
  private func checks(_ answer: DaemonAnswer, served: [String] = []) -> [Check] {
    daemonChecks(answer, version: "1.2", served: served, display: ":7").checks
      .filter { $0.name == "backdropd" }
  }

  @Test func runningDaemonIsGood() {
    #expect(checks(.status(.example)).map(\.state) == [.good])
  }

  @Test func otherVersionIsAProblem() {
    var status = StatusReport.example
    status.version = "1.1"
    let check = checks(.status(status))[0]
    #expect(check.state == .problem)
    #expect(check.found.contains("1.1"))
    #expect(check.remedy == "backdropctl restart --display :7")
    #expect(checks(.otherVersion).map(\.state) == [.problem])
  }

  @Test func lostDisplayAndLockAreTold() {
    var status = StatusReport.example
    status.connected = false
    #expect(checks(.status(status)).map(\.state) == [.problem])
    status.connected = true
    status.locked = true
    status.lockReason = "window 0x5 is there"
    #expect(checks(.status(status)).map(\.state) == [.good, .note])
    #expect(checks(.status(status))[1].found.contains("window 0x5"))
  }

  @Test func absentDaemonIsAWarningThatNamesOthers() {
    let check = checks(.absent)[0]
    #expect(check.state == .warning)
    #expect(check.remedy == "backdropctl start --display :7")
    #expect(checks(.absent, served: [":5"])[0].found.contains("--display :5"))
  }

  @Test func otherAnswersAreProblemsWithTheirText() {
    for answer in [DaemonAnswer.refused("wait"), .unreachable("wait")] {
      #expect(checks(answer)[0].state == .problem)
      #expect(checks(answer)[0].found == "wait")
    }
    #expect(checks(.notAsked)[0].state == .note)
  }
}
