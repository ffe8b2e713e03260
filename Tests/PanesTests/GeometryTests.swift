import Panes
import RandomPanes
import Raster
import TestDice
import Testing

@Suite struct GeometryTests {
  private let output = Rect(x: 0, y: 0, width: 1920, height: 1080)

  @Test(arguments: [
    ("400x300+760+390", Rect(x: 760, y: 390, width: 400, height: 300)),
    ("400x300-0-0", Rect(x: 1520, y: 780, width: 400, height: 300)),
    ("400x300+-10-20", Rect(x: -10, y: 760, width: 400, height: 300)),
    ("1x1--5+0", Rect(x: 1924, y: 0, width: 1, height: 1)),
    ("760,390 400x300", Rect(x: 760, y: 390, width: 400, height: 300)),
    ("-7,0 9x8", Rect(x: -7, y: 0, width: 9, height: 8)),
  ])
  func formatsOfXAndSlopAreRead(text: String, rect: Rect) throws {
    #expect(try Geometry(parsing: text).rect(on: output) == rect)
  }

  @Test(arguments: [
    "", "400", "400x", "400x300", "400x300+1", "x300+1+1", "400x300+1+1 ", " 400x300+1+1",
    "4OOx300+1+1", "400x300+1+1+1", "1,2 3x", "1,2,3x4", "400x-300+1+1", "+1+1", "äxö+1+1",
  ])
  func unreadableGeometryIsNamed(text: String) {
    #expect {
      try Geometry(parsing: text)
    } throws: { error in
      "\(error)".hasPrefix("geometry: cannot read '\(text)'")
        && "\(error)".contains("WIDTHxHEIGHT")
    }
  }

  @Test(arguments: [
    "0x300+0+0", "400x0+0+0", "32768x1+0+0", "1099511627776x5+0+0",
    "99999999999999999999999x5+0+0", "5x5+40000+0", "5x5+0-40000", "1,99999999999999999999 2x2",
  ])
  func sizeOrOffsetOutOfRangeIsNamed(text: String) {
    #expect {
      try Geometry(parsing: text)
    } throws: { error in
      "\(error)".hasPrefix("geometry: \(text) is out of range")
    }
  }

  @Test(arguments: 0..<300)
  func geometrySurvivesItsText(seed: Int) throws {
    var dice = Dice(seed: seed)
    let geometry = Geometry.random(using: &dice)
    #expect(try Geometry(parsing: "\(geometry)") == geometry)
  }

  @Test(arguments: 0..<300)
  func rectFollowsTheOriginOfItsOutput(seed: Int) {
    var dice = Dice(seed: seed)
    let geometry = Geometry.random(using: &dice)
    let (x, y) = (dice.roll(-5000...5000), dice.roll(-5000...5000))
    let moved = output.translated(x: x, y: y)
    #expect(geometry.rect(on: moved) == geometry.rect(on: output).translated(x: x, y: y))
  }

  @Test(arguments: 0..<300)
  func placementIsClippedToItsOutput(seed: Int) {
    var dice = Dice(seed: seed)
    let geometry = Geometry.random(using: &dice)
    let placement = Placement(.geometry(geometry), on: .screen)
    let whole = Output(name: "screen", bounds: output)
    #expect(placement.frame(on: whole) == geometry.rect(on: output))
    #expect(placement.rect(on: whole) == geometry.rect(on: output).intersection(output))
    #expect(placement.fixedSize ?? (0, 0) == (geometry.width, geometry.height))
    #expect(placement.text == "\(geometry)")
  }
}
