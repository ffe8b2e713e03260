import Engine
import Frost
import Panes
import Raster
import TestDice
import Testing

/// Panes on outputs that come, go and change.
@Suite struct OutputPaneTests {
  private let scene = Scene(width: 200, height: 150)
  private let left = Output(name: "left", bounds: Rect(x: 0, y: 0, width: 120, height: 150))
  private let right = Output(
    name: "right", bounds: Rect(x: 120, y: 20, width: 80, height: 130), isPrimary: true)

  private func pane(_ output: OutputChoice?, _ edit: (inout PaneSettings) -> Void = { _ in }) throws
    -> Pane
  {
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = 4
    settings.size = PaneSize(width: .percent(50), height: .pixels(30))
    settings.anchor = .topLeft
    settings.workArea = false
    settings.output = output
    edit(&settings)
    return try Pane("pane", settings)
  }

  private func places() -> [String?] {
    scene.engine.states(of: "pane").map { $0.rect.map { "\($0)" } }
  }

  private func expect(_ expected: [String?], _ what: Comment = "") throws {
    #expect(try scene.settle())
    #expect(places() == expected, what)
    #expect(scene.fault() == nil, what)
  }

  @Test func paneFollowsItsOutput() throws {
    scene.display.setOutputs([left, right])
    try scene.step()
    try scene.add(pane(.named("right")))
    try expect(["40x30+120+20"])
    var moved = right
    moved.bounds = Rect(x: 60, y: 0, width: 100, height: 50)
    scene.display.setOutputs([left, moved])
    try expect(["50x30+60+0"], "moved")
    scene.display.setOutputs([left])
    try expect([nil], "gone")
    #expect(throws: EngineError.pane(.waiting("pane", output: "right"))) {
      try scene.picture(of: "pane")
    }
    #expect(scene.display.overlay(named: "pane")?.isShown == false)
    scene.display.setOutputs([right])
    try expect(["40x30+120+20"], "back")
  }

  @Test func paneOnThePrimaryOutputFollowsTheChoiceOfTheUser() throws {
    scene.display.setOutputs([left, right])
    try scene.step()
    try scene.add(pane(nil))
    try expect(["40x30+120+20"])
    var others = [left, right]
    others[1].isPrimary = false
    scene.display.setOutputs(others)
    try expect(["60x30+0+0"], "the first one")
  }

  @Test func paneOnAllOutputsHasOneOverlayOnEach() throws {
    scene.display.setOutputs([left, right])
    try scene.step()
    try scene.add(pane(.all))
    try expect(["60x30+0+0", "40x30+120+20"])
    #expect(scene.names == ["pane"] && scene.display.overlayCount == 2)
    let third = Output(name: "third", bounds: Rect(x: 0, y: 100, width: 40, height: 40))
    scene.display.setOutputs([right, third])
    try expect(["40x30+120+20", "20x30+0+100"])
    try scene.setShown("pane", false)
    try scene.change("pane") { $0.sigma = 9 }
    try scene.setShown("pane", true)
    try expect(["40x30+120+20", "20x30+0+100"])
    #expect(try scene.picture(of: "pane").width == 40)
    try scene.change("pane") { $0.output = .screen }
    try expect(["100x30+0+0"])
    #expect(scene.display.overlayCount == 1)
    try scene.change("pane") { $0.output = .all }
    try expect(["40x30+120+20", "20x30+0+100"])
    try scene.remove("pane")
    #expect(scene.display.overlayCount == 0)
  }

  /// On each of its outputs it is above the panes that were in its new layer.
  @Test(arguments: [OutputChoice.named("left"), .named("right")])
  func paneGoesToAllOutputsOfAnotherLayer(from old: OutputChoice) throws {
    scene.display.setOutputs([left, right])
    try scene.step()
    try scene.add(pane(old) { $0.stackingLayer = .belowDocks })
    var other = try pane(.all).settings
    other.sigma = 9
    try scene.add(Pane("other", other))
    try scene.change("pane") {
      $0.output = .all
      $0.stackingLayer = .normal
    }
    #expect(try scene.settle())
    #expect(scene.names == ["other", "pane"] && scene.fault() == nil)
  }

  @Test func pictureOfAPaneOnAllOutputsIsThatOnTheOutput() throws {
    scene.display.setOutputs([left, right])
    try scene.step()
    try scene.add(pane(.all))
    #expect(try scene.settle())
    let picture = try scene.picture(of: "pane", on: "right")
    #expect(picture.bounds == Rect(x: 0, y: 0, width: 40, height: 30))
    #expect(throws: EngineError.pane(.notOnOutput("pane", "top", all: ["left", "right"]))) {
      try scene.picture(of: "pane", on: "top")
    }
  }

  @Test func paneAppearsOnTheOutputWithThePointer() throws {
    scene.display.setOutputs([left, right])
    scene.display.pointer = (150, 30)
    try scene.step()
    try scene.add(pane(.pointer))
    try expect(["40x30+120+20"])
    scene.display.pointer = (5, 5)
    try scene.change("pane") { $0.sigma = 9 }
    try expect(["40x30+120+20"], "it stays while it is shown")
    try scene.setShown("pane", false)
    try scene.setShown("pane", true)
    try expect(["60x30+0+0"], "shown again")
    // No output contains this place, so the nearest one counts.
    scene.display.pointer = (160, 5)
    scene.display.setOutputs([right])
    try expect(["40x30+120+20"])
  }

  /// Its size is not known before its output is.
  @Test func paneAtThePointerFadesIn() throws {
    scene.display.setOutputs([left, right])
    scene.display.pointer = (150, 30)
    try scene.step()
    try scene.add(pane(.pointer) { $0.style = .glass }, fade: Fade(milliseconds: 200))
    try scene.step()
    try scene.step()
    #expect(scene.isFading)
    try expect(["40x30+120+20"])
    #expect(!scene.isFading)
  }

  /// A change of the space that panels reserve is no reason to end a fade.
  @Test func fadeOfAPaneOnAllOutputsGoesOnWhenAPanelAppears() throws {
    scene.display.setOutputs([left, right])
    try scene.step()
    try scene.add(pane(.all), fade: Fade(milliseconds: 200))
    try scene.step()
    var reserved = left
    reserved.workArea = Rect(x: 0, y: 10, width: 120, height: 140)
    scene.display.setOutputs([reserved, right])
    try scene.step()
    #expect(scene.isFading)
    try expect(["60x30+0+0", "40x30+120+20"])
  }

  @Test func paneOutsideItsOutputCanBeChangedInOtherWays() throws {
    scene.display.setOutputs([left, right])
    try scene.step()
    try scene.add(
      pane(.named("right")) { $0.margin = Margin(top: 100, right: 0, bottom: 0, left: 0) })
    try expect(["40x30+120+120"])
    var small = right
    small.bounds = Rect(x: 120, y: 0, width: 80, height: 50)
    scene.display.setOutputs([left, small])
    try expect(["0x0+0+0"])
    try scene.change("pane") { $0.corner = Corner(radius: 9) }
    #expect(throws: EngineError.self) {
      try scene.change("pane") { $0.corner = Corner(radius: 90) }
    }
    #expect(throws: EngineError.self) { try scene.change("pane") { $0.anchor = .top } }
    try expect(["0x0+0+0"])
  }

  /// A corner that fits one output may be too large for the pane on another one.
  @Test func cornerIsReducedOnASmallerOutput() throws {
    scene.display.setOutputs([left, right])
    try scene.step()
    try scene.add(
      pane(.named("left")) { settings in
        settings.size = PaneSize(width: .percent(50), height: .percent(50))
        settings.corner = Corner(radius: 30)
      })
    #expect(try scene.settle())
    var small = left
    small.bounds = Rect(x: 0, y: 0, width: 40, height: 60)
    scene.display.setOutputs([small, right])
    try expect(["20x30+0+0"])
  }

  @Test func workAreaTakesThePlaceOfTheOutput() throws {
    scene.display.setOutputs([left, right])
    try scene.step()
    try scene.add(pane(.named("left")) { $0.workArea = true })
    try expect(["60x30+0+0"])
    let captures = scene.display.calls.captures
    var reserved = left
    reserved.workArea = Rect(x: 20, y: 10, width: 100, height: 140)
    scene.display.setOutputs([reserved, right])
    try expect(["50x30+20+10"])
    #expect(scene.display.calls.captures == captures + 1)
  }

  @Test func paneWaitsForAnOutputThatIsNotThere() throws {
    scene.display.inactiveOutputs = ["HDMI-2"]
    scene.display.setOutputs([left])
    try scene.step()
    for name in ["HDMI-2", "right"] {
      try scene.add(pane(.named(name)))
      try expect([nil])
      try scene.remove("pane")
    }
    try scene.add(pane(.named("left")))
    try scene.change("pane") { $0.output = .named("right") }
    try expect([nil])
    scene.display.setOutputs([left, right])
    try expect(["40x30+120+20"])
  }
}
