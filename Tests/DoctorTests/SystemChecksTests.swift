import Control
import Testing

@testable import Doctor

/// The checks of the unit, the session, the permissions and the machine.
struct SystemChecksTests {
  // MARK: Unit

  private func unit(
    _ properties: [String: String], target: String = "active", message: String? = nil,
    isRunning: Bool = false, autostart: String? = nil
  ) -> [String: Check] {
    let survey = UnitSurvey(
      unit: properties.merging(["LoadState": "loaded", "UnitFileState": "enabled"]) { own, _ in own
      },
      target: ["ActiveState": target], lastMessage: message)
    let checks = unitChecks(.answers(survey), isRunning: isRunning, autostart: autostart).checks
    return Dictionary(uniqueKeysWithValues: checks.map { ($0.name, $0) })
  }

  @Test func activeUnitIsGood() {
    #expect(unit(["ActiveState": "active"]).values.allSatisfy { $0.state == .good })
  }

  @Test func failedUnitIsAProblemWithItsLastMessage() {
    let check = unit(["ActiveState": "failed", "Result": "exit-code"], message: "no display")[
      "state"]
    #expect(check?.state == .problem)
    #expect(check?.found == "failed (exit-code); its last message: no display")
  }

  @Test func enabledUnitThatDoesNotRunIsAProblem() {
    #expect(unit(["ActiveState": "inactive"])["state"]?.state == .problem)
    #expect(unit(["ActiveState": "inactive"], isRunning: true)["state"]?.state == .note)
    #expect(
      unit(["ActiveState": "inactive", "UnitFileState": "disabled"])["state"]?.state == .note)
    #expect(
      unit(["UnitFileState": "disabled"])["unit"]?.remedy
        == "systemctl --user enable --now backdropd")
  }

  @Test func unitThatTheAutostartStartsNeedsNotBeEnabled() {
    let check = unit(["UnitFileState": "disabled"], autostart: "/etc/xdg/autostart/a.desktop")[
      "unit"]
    #expect(check?.state == .good)
    #expect(check?.remedy == nil)
  }

  @Test func targetThatIsNotReachedIsAWarning() {
    let check = unit(["ActiveState": "inactive"], target: "inactive")["target"]
    #expect(check?.state == .warning)
    #expect(unit(["ActiveState": "active"], target: "inactive")["target"]?.state == .note)
    #expect(check?.found.contains("graphical-session.target") == true)
  }

  @Test func startingUnitTellsItsStatus() {
    let check = unit(["ActiveState": "activating", "StatusText": "waiting for display :0"])["state"]
    #expect(check?.state == .warning)
    #expect(check?.found.contains("waiting for display :0") == true)
  }

  @Test func unitThatIsNotInstalledIsOneNote() {
    let checks = unit(["LoadState": "not-found"])
    #expect(checks.count == 1)
    #expect(checks["unit"]?.found == "not installed")
    #expect(checks["unit"]?.state == .note)
  }

  @Test func missingSystemdIsANote() {
    for manager in [ManagerSurvey.absent, .unreachable("Failed to connect")] {
      #expect(unitChecks(manager, isRunning: false).checks.map(\.state) == [.note])
    }
  }

  @Test func assignmentsAreReadInBlocks() {
    let blocks = assignmentBlocks("Id=a\nText=b=c\n\n\nId=d\nEmpty=\nnoise\n")
    #expect(blocks == [["Id": "a", "Text": "b=c"], ["Id": "d", "Empty": ""]])
    #expect(assignmentBlocks("") == [])
  }

  // MARK: Session

  private func session(
    _ environment: [String: String], manager: [String: String]? = nil
  ) -> [String: Check] {
    let checks = sessionChecks({ environment[$0] }, manager: manager).checks
    return Dictionary(uniqueKeysWithValues: checks.map { ($0.name, $0) })
  }

  @Test func missingRuntimeDirectoryIsAProblem() {
    #expect(session(["DISPLAY": ":0"])["XDG_RUNTIME_DIR"]?.state == .problem)
    #expect(session(["XDG_RUNTIME_DIR": ""])["XDG_RUNTIME_DIR"]?.state == .problem)
    #expect(session(["XDG_RUNTIME_DIR": "run"])["XDG_RUNTIME_DIR"]?.state == .problem)
    #expect(session(["XDG_RUNTIME_DIR": "/run"])["XDG_RUNTIME_DIR"]?.state == .good)
  }

  @Test func managerThatDoesNotKnowTheDisplayIsAWarning() {
    let own = ["DISPLAY": ":0", "XAUTHORITY": "/a", "XDG_RUNTIME_DIR": "/run"]
    #expect(session(own)["user manager"] == nil)
    #expect(session(own, manager: own)["user manager"]?.state == .good)
    let check = session(own, manager: ["DISPLAY": ":0"])["user manager"]
    #expect(check?.state == .warning)
    #expect(check?.remedy == "systemctl --user import-environment XAUTHORITY")
    let other = session(own, manager: ["DISPLAY": ":1", "XAUTHORITY": "/a"])["user manager"]
    #expect(other?.found.contains("other values of DISPLAY") == true)
  }

  // MARK: Permissions

  @Test func socketFolderMustBePrivate() {
    func state(_ folder: FileSurvey?) -> Check.State { runtimeDirectoryCheck("/run", folder).state }
    #expect(state(FileSurvey(isFolder: true, mode: 0o700)) == .good)
    #expect(state(FileSurvey(isFolder: true, mode: 0o755)) == .warning)
    #expect(state(FileSurvey(isFolder: false, mode: 0o700)) == .problem)
    #expect(state(FileSurvey(isWritable: false, isFolder: true, mode: 0o500)) == .problem)
    #expect(
      state(FileSurvey(isOwn: false, isWritable: false, isFolder: true, mode: 0o700)) == .problem)
    #expect(state(FileSurvey(isOwn: false, isFolder: true, mode: 0o700)) == .warning)
    #expect(state(nil) == .problem)
    #expect(FileSurvey("/proc/self/no-such-file") == nil)
    #expect(FileSurvey("/proc")?.isFolder == true)
  }

  @Test func authorityMattersOnlyIfTheServerRefuses() {
    let file = FileSurvey(mode: 0o600)
    #expect(authorityCheck("/a", file, isAccepted: true).state == .good)
    #expect(authorityCheck("/a", nil, isAccepted: true).state == .good)
    #expect(authorityCheck("/a", nil, isAccepted: false).state == .problem)
    let unreadable = FileSurvey(isOwn: false, isReadable: false, mode: 0o600)
    #expect(authorityCheck("/a", unreadable, isAccepted: false).found == "/a cannot be read")
  }

  // MARK: Machine

  @Test func processorIsReadFromTheKernelsText() {
    let text = """
      processor\t: 0
      model name\t: A Processor
      flags\t\t: fpu sse2 ssse3 cx16 lahf_lm popcnt sse4_1 sse4_2

      processor\t: 1
      """
    let processor = ProcessorSurvey(information: text, count: 2)
    #expect(processor.name == "A Processor")
    #expect(processor.flags.contains("sse4_2"))
    #if arch(x86_64)
      #expect(processor.level == 2)
      var newer = processor
      newer.flags.formUnion(
        ["abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"])
      #expect(newer.level == 3)
      newer.flags.remove("popcnt")
      #expect(newer.level == 1)
    #endif
  }

  @Test func slowGlassIsANote() {
    func speed(_ milliseconds: Double) -> Check? {
      machineChecks(
        ProcessorSurvey(), GlassSpeed(milliseconds: milliseconds, ratio: 3), build: .baseline,
        best: .baseline
      ).checks.first { $0.name == "speed" }
    }
    #expect(speed(1.5)?.state == .good)
    #expect(speed(1.5)?.found.contains("1.5 ms") == true)
    #expect(speed(20)?.state == .note)
    #expect(speed(20)?.remedy != nil)
  }

  @Test func slowerBuildThanPossibleIsANote() {
    func build(_ build: ProgramBuild, best: ProgramBuild) -> Check? {
      machineChecks(
        ProcessorSurvey(), GlassSpeed(milliseconds: 1, ratio: 2), build: build, best: best
      ).checks.first { $0.name == "build" }
    }
    #expect(build(.baseline, best: .baseline)?.state == .good)
    #expect(build(.level3, best: .level3)?.state == .good)
    #expect(build(.baseline, best: .level3)?.state == .note)
    #expect(build(.baseline, best: .level3)?.remedy != nil)
  }
}
