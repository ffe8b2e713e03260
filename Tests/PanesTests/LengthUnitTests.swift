import Frost
import Panes
import Raster
import Testing

/// Places and looks in logical units, and numbers with a density.
@Suite struct LengthUnitTests {
  private let output = Output(
    name: "x", bounds: Rect(x: 100, y: 0, width: 2000, height: 1000), scale: 2)

  private func pane(_ edit: (inout PaneSettings) -> Void) throws -> Pane {
    var settings = PaneSettings()
    settings.output = .primary
    settings.units = .logical
    edit(&settings)
    return try Pane("pane", settings)
  }

  @Test func placeFollowsTheScaleOfTheOutput() throws {
    let fixed = try pane { $0.geometry = try? Geometry(parsing: "400x300-20+40") }
    #expect(fixed.placement.frame(on: output) == Rect(x: 1260, y: 80, width: 800, height: 600))
    #expect(fixed.placement.fixedSize == nil)
    let anchored = try pane {
      $0.size = try? PaneSize(parsing: "100x50%")
      $0.anchor = .bottomRight
      $0.margin = Margin(top: 10, right: 10, bottom: 10, left: 10)
    }
    #expect(anchored.placement.frame(on: output) == Rect(x: 1880, y: 500, width: 200, height: 480))
    var same = output
    same.scale = 1
    #expect(anchored.placement.frame(on: same) == Rect(x: 1990, y: 500, width: 100, height: 490))
  }

  @Test func drawerFollowsTheScaleOfTheOutput() throws {
    let drawer = try pane {
      $0.size = try? PaneSize(parsing: "100x80")
      $0.edge = .top
      $0.peek = 10
      $0.dragHandle = try? Geometry(parsing: "100x10+0-0")
    }
    #expect(drawer.travel(on: output)?.length == 140)
    let frame = Rect(x: 0, y: 0, width: 200, height: 160)
    #expect(drawer.drawer?.handle(of: frame, unit: 2) == Rect(x: 0, y: 140, width: 200, height: 20))
  }

  @Test func lookFollowsTheScaleOfTheOutput() throws {
    let pane = try pane {
      $0.size = try? PaneSize(parsing: "100x80")
      $0.corner = Corner(radius: 20)
      $0.sigma = 15
      $0.border = Border(width: 1.5, color: .none)
      $0.shadow = Shadow(offsetX: -3, offsetY: 8, radius: 24, color: .none)
    }
    let look = pane.look(in: .dark, size: (200, 160), unit: 2)
    #expect(look.material.sigma == 30)
    #expect(look.decoration.corner.radius == 40 && look.decoration.border.width == 3)
    let shadow = look.decoration.shadow
    #expect(shadow.offsetX == -6 && shadow.offsetY == 16 && shadow.radius == 48)
    // Lengths stay in their ranges, and a corner fits the pane.
    let large = pane.look(in: .dark, size: (100, 60), unit: 8)
    #expect(large.material.sigma == 120 && large.decoration.corner.radius == 30)
    #expect(large.decoration.shadow.radius == 192 && large.decoration.shadow.offsetY == 64)
  }

  @Test(arguments: [
    ("400x300+10-20@2x", "800x600+20-40"), ("400x300+-5+0@1.5x", "600x450+-8+0"),
    ("3x3+1+1@0.5x", "2x2+1+1"), ("10,20 30x40@2x", "60x80+20+40"), ("9x9+0+0@1x", "9x9+0+0"),
  ])
  func densityMultipliesAGeometry(text: String, pixels: String) throws {
    #expect("\(try Geometry(parsing: text))" == pixels)
  }

  @Test func densityMultipliesASize() throws {
    #expect(try PaneSize(parsing: "400x50%@2x").text == "800x50%")
  }

  @Test(arguments: [
    "9x9+0+0@", "9x9+0+0@x", "9x9+0+0@2", "9x9+0+0@-2x", "9x9+0+0@9x", "@2x", "9x9+0+0@0x",
  ])
  func wrongDensityIsRefused(text: String) {
    #expect(throws: PaneError.self) { try Geometry(parsing: text) }
    let size = text.replacing("+0+0", with: "")
    #expect(throws: PaneError.self) { try PaneSize(parsing: size) }
  }

  @Test func misplacedDensityIsToldItsPlace() {
    #expect {
      try Geometry(parsing: "200x100@2x+100+200")
    } throws: {
      "\($0)".contains("only at the end, as in 400x300+20+40@2x")
    }
    #expect {
      try PaneSize(parsing: "200@2xx100")
    } throws: {
      "\($0)".contains("only at the end, as in 400x300@2x")
    }
  }

  @Test func scaledSizeIsInRange() {
    #expect(throws: PaneError.self) { try Geometry(parsing: "20000x9+0+0@2x") }
    #expect(throws: PaneError.self) { try PaneSize(parsing: "20000x9@2x") }
    #expect("\((try? LengthUnit(parsing: "inches")) as Any)" == "nil")
  }
}
