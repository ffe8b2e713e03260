import Panes
import Raster
import Testing

@Suite struct GeometryTests {
  private let screen = Rect(x: 0, y: 0, width: 1920, height: 1080)

  @Test(arguments: [
    ("400x300+760+390", Rect(x: 760, y: 390, width: 400, height: 300)),
    ("400x300-0-0", Rect(x: 1520, y: 780, width: 400, height: 300)),
    ("400x300+-10-20", Rect(x: -10, y: 760, width: 400, height: 300)),
    ("1x1--5+0", Rect(x: 1924, y: 0, width: 1, height: 1)),
    ("760,390 400x300", Rect(x: 760, y: 390, width: 400, height: 300)),
    ("-7,0 9x8", Rect(x: -7, y: 0, width: 9, height: 8)),
  ])
  func geometryIsReadAsXAndSlopWriteIt(text: String, rect: Rect) throws {
    #expect(try Geometry(parsing: text).rect(on: screen) == rect)
  }

  @Test(arguments: [
    "", "400", "400x", "400x300", "400x300+1", "x300+1+1", "400x300+1+1 ", " 400x300+1+1",
    "4OOx300+1+1", "400x300+1+1+1", "1,2 3x", "1,2,3x4", "400x-300+1+1", "+1+1", "äxö+1+1",
  ])
  func whatIsNoGeometryIsNamed(text: String) {
    #expect {
      try Geometry(parsing: text)
    } throws: { error in
      "\(error)".contains("'\(text)'") && "\(error)".contains("WIDTHxHEIGHT")
    }
  }

  @Test(arguments: [
    "0x300+0+0", "400x0+0+0", "32768x1+0+0", "1099511627776x5+0+0",
    "99999999999999999999999x5+0+0", "5x5+40000+0", "5x5+0-40000", "1,99999999999999999999 2x2",
  ])
  func sizesAndOffsetsOutOfRangeAreNamed(text: String) {
    #expect {
      try Geometry(parsing: text)
    } throws: { error in
      "\(error)".contains(text) && "\(error)".contains("out of range")
    }
  }

  @Test func aGeometryIsWrittenAsItIsRead() throws {
    for _ in 0..<200 {
      func offset() -> Geometry.Offset {
        let distance = Int.random(in: Geometry.offsetRange)
        return Bool.random() ? .fromStart(distance) : .fromEnd(distance)
      }
      let geometry = Geometry(
        width: .random(in: Geometry.sizeRange), height: .random(in: Geometry.sizeRange),
        x: offset(), y: offset())
      #expect(try Geometry(parsing: "\(geometry)") == geometry)
    }
  }
}
