import Control
import Doctor
import Engine
import Panes
import Raster
import Testing
import WaylandClient
import WaylandDisplay
import X11Display

struct DisplayChecksTests {
  private static let output = Output(
    name: "DP-1", bounds: Rect(x: 0, y: 0, width: 1920, height: 1080), scale: 1.25)
  private static let desktop = DesktopSurvey(depth: 24, screen: output, outputs: [output])

  private func display(
    x11 desktop: Result<DesktopSurvey, DisplayError> = .success(desktop)
  ) -> ConsideredDisplay {
    ConsideredDisplay(.x11(":0"), from: "DISPLAY", .x11(ServerSurvey([], desktop)))
  }

  private func display(
    wayland glass: Result<GlassSurvey, DisplayError>, process: String = "sway",
    others: [String] = []
  ) -> ConsideredDisplay {
    ConsideredDisplay(
      .wayland("wayland-1"), from: "WAYLAND_DISPLAY",
      .wayland(
        CompositorSurvey(
          process: process,
          globals: (["zwlr_layer_shell_v1"] + others).map { .init(interface: $0, version: 4) },
          glass: glass)))
  }

  private func glass(_ way: GlassWay = .live) -> Result<GlassSurvey, DisplayError> {
    .success(GlassSurvey(way: way, reason: "because", outputs: [Self.output]))
  }

  private func checks(_ groups: [CheckGroup], _ name: String) -> [Check] {
    groups.flatMap(\.checks).filter { $0.name == name }
  }

  @Test func firstUsableDisplayIsChosen() {
    let groups = displayChecks([display(wayland: glass()), display()], .absent)
    #expect(groups.map(\.name) == ["display", "Wayland compositor"])
    #expect(checks(groups, "display").map(\.state) == [.good])
    #expect(checks(groups, "display")[0].found.hasPrefix("wayland-1, "))
    #expect(checks(groups, "output")[0].found == "DP-1: 1920x1080+0+0, scale 1.25")
  }

  @Test(arguments: [
    (
      RootPixmap.usable, nil as String?, nil as String?, Check.State.good,
      "_XROOTPMAP_ID of the root"
    ),
    (
      .unusable(.gone), "Xfdesktop", "xfwm4", .good,
      "the desktop window of Xfdesktop, with its icons"
    ),
    (.unusable(.gone), nil, "picom", .warning, "does not exist"),
    (.unusable(.gone), nil, nil, .note, "the background of the root"),
    (.unusable(.depth(1)), nil, "picom", .warning, "depth 1, and the screen has depth 24: grey"),
    (.none, nil, "picom", .note, "grey"),
  ])
  func wallpaperThatCannotBeShownIsExplained(
    pixmap: RootPixmap, window: String?, compositor: String?, state: Check.State, text: String
  ) throws {
    var desktop = Self.desktop
    (desktop.rootPixmap, desktop.desktopWindow, desktop.compositor) = (pixmap, window, compositor)
    let found = checks(displayChecks([display(x11: .success(desktop))], .absent), "wallpaper")
    let check = try #require(found.first)
    #expect(check.state == state && check.found.contains(text), "\(check.found)")
    #expect((check.remedy == nil) == (state == .good))
  }

  @Test func refusedCompositorIsHarmlessBesideAnXServer() {
    let refused = display(wayland: .failure(.unsupported("no glass")))
    let groups = displayChecks([refused, display()], .absent)
    #expect(checks(groups, "display").map(\.state) == [.note, .good])
    #expect(checks(groups, "display")[0].found == "no glass")
    let alone = displayChecks([refused], .absent)
    #expect(checks(alone, "display").map(\.state) == [.problem])
    #expect(checks(alone, "display")[0].remedy?.contains("sway") == true)
    #expect(checks(alone, "not offered")[0].found.contains("zwlr_screencopy_manager_v1"))
  }

  @Test func servedDisplayIsChosenWhateverTheOrderSays() {
    var status = StatusReport.example
    status.display = ":0"
    let groups = displayChecks([display(wayland: glass()), display()], .status(status))
    #expect(checks(groups, "display")[0].found.hasPrefix(":0, an X server, which the daemon"))
  }

  @Test(arguments: [
    (DisplaySurvey.refused, "does not accept"), (.silent, "does not answer"),
    (.failed(.unreachable("no way")), "no way"),
  ])
  func unreachableDisplayIsAProblem(_ survey: DisplaySurvey, _ text: String) {
    let groups = displayChecks(
      [ConsideredDisplay(.x11(":0"), from: "DISPLAY", survey)], .absent)
    let check = checks(groups, "display")[0]
    #expect(check.state == .problem)
    #expect(check.found.contains(text))
    #expect(check.remedy != nil)
    #expect(groups.count == 1)
  }

  @Test func missingExtensionIsNamed() {
    let groups = displayChecks([display(x11: .failure(.unsupported("refused")))], .absent)
    let check = checks(groups, "extensions")[0]
    #expect(check.state == .problem)
    #expect(
      check.found.hasPrefix("missing, and glass needs them: DAMAGE, XFIXES, SHAPE, Composite"))
  }

  @Test func daemonThatIsNotReachedIsAProblem() {
    var desktop = Self.desktop
    desktop.daemon = 4321
    let groups = displayChecks([display(x11: .success(desktop))], .absent)
    #expect(checks(groups, "other daemon").map(\.state) == [.problem])
    #expect(checks(groups, "other daemon")[0].found.contains("4321"))
    var status = StatusReport.example
    status.display = ":0"
    #expect(
      checks(displayChecks([display(x11: .success(desktop))], .status(status)), "other daemon")
        .isEmpty)
  }

  @Test func sharedMemoryTellsWhyItIsMissing() {
    var desktop = Self.desktop
    desktop.sharesMemory = false
    func check() -> Check {
      checks(displayChecks([display(x11: .success(desktop))], .absent), "shared memory")[0]
    }
    #expect(check().state == .warning)
    #expect(check().found.contains("lacks MIT-SHM"))
    desktop.isLocal = false
    #expect(check().found.contains("another host"))
  }

  @Test func xwaylandIsAWarning() {
    var desktop = Self.desktop
    desktop.outputs = [Output(name: "XWAYLAND0", bounds: Self.output.bounds)]
    let groups = displayChecks([display(x11: .success(desktop))], .absent)
    #expect(checks(groups, "Xwayland").map(\.state) == [.warning])
    #expect(checks(displayChecks([display()], .absent), "Xwayland").isEmpty)
  }

  @Test func stillGlassIsAWarningWithTheReasonOfTheDaemon() {
    var status = StatusReport.example
    (status.display, status.glass, status.glassReason) = ("wayland-1", "still", "it differs")
    let check = checks(displayChecks([display(wayland: glass())], .status(status)), "glass")[0]
    #expect(check.state == .warning)
    #expect(check.found.contains("it differs"))
    #expect(checks(displayChecks([display(wayland: glass())], .absent), "glass")[0].state == .good)
    let handed = checks(displayChecks([display(wayland: glass(.handedOver))], .absent), "glass")[0]
    #expect(handed.found == "handed-over: because")
  }

  @Test(arguments: [
    ("sway", [], [Check.State.note]), ("sway", ["ext_session_lock_manager_v1"], []),
    ("phoc", [], []),
  ])
  func coveredNotificationsAreToldOfOldSway(
    process: String, others: [String], states: [Check.State]
  ) {
    let display = display(wayland: glass(), process: process, others: others)
    let found = checks(displayChecks([display], .absent), "order of layers")
    #expect(found.map(\.state) == states)
    #expect(found.allSatisfy { $0.remedy?.contains("layer=overlay for mako") == true })
  }

  @Test func missingDisplayNamesTheOneOfADaemon() {
    #expect(missingDisplayCheck(served: []).checks.map(\.state) == [.problem])
    let check = missingDisplayCheck(served: [":3"]).checks[0]
    #expect(check.remedy == "backdropctl doctor --display :3")
  }
}
