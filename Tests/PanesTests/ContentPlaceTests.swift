import Panes
import Testing

@Suite struct ContentPlaceTests {
  private func randomPosition() -> ContentPlace.Position {
    let distance = Int.random(in: ContentPlace.distanceRange)
    return [.center, .fromStart(distance), .fromEnd(distance)].randomElement() ?? .center
  }

  @Test func aPlaceIsWrittenAsItIsRead() throws {
    for _ in 0..<500 {
      let place = ContentPlace(x: randomPosition(), y: randomPosition())
      #expect(try ContentPlace(parsing: place.text) == place)
    }
  }

  @Test(arguments: [
    ("center", 40, 35), ("center,center", 40, 35), ("0,0", 0, 0), ("-0,-0", 80, 70),
    ("12,-3", 12, 67), ("center,7", 40, 7), ("-100,center", -20, 35), ("007,200", 7, 200),
  ])
  func aPictureOf20By30LiesOnAPaneOf100By100(text: String, x: Int, y: Int) throws {
    let origin = try ContentPlace(parsing: text).origin(of: (20, 30), on: (100, 100))
    #expect(origin == (x, y))
  }

  @Test func bothEdgesAreCountedAlike() {
    for _ in 0..<500 {
      let picture = (width: Int.random(in: 1...300), height: Int.random(in: 1...300))
      let pane = (width: Int.random(in: 1...300), height: Int.random(in: 1...300))
      let (x, y) = (Int.random(in: 0...400), Int.random(in: 0...400))
      let start = ContentPlace(x: .fromStart(x), y: .fromStart(y)).origin(of: picture, on: pane)
      let end = ContentPlace(x: .fromEnd(x), y: .fromEnd(y)).origin(of: picture, on: pane)
      #expect(start == (x, y))
      #expect(pane.width - end.x - picture.width == x)
      #expect(pane.height - end.y - picture.height == y)
      let middle = ContentPlace.center.origin(of: picture, on: pane)
      #expect(abs(pane.width - picture.width - 2 * middle.x) <= 1)
      #expect(abs(pane.height - picture.height - 2 * middle.y) <= 1)
    }
  }

  @Test(arguments: [
    "", "middle", "12", "1,2,3", ",", "1,", ",1", "1, 2", "+1,2", "--1,2", "1.5,2", "centre,1",
    "１,2", "center,", "-,1", "Center",
  ])
  func whatIsNoPlaceIsNamed(text: String) {
    #expect {
      try ContentPlace(parsing: text)
    } throws: { error in
      "\(error)".hasPrefix("at: cannot read '\(text)'") && "\(error)".contains("X,Y")
    }
  }

  @Test(arguments: ["32768,0", "0,-32768", "99999999999999999999999,center"])
  func distancesOutOfRangeAreNamed(text: String) {
    #expect {
      try ContentPlace(parsing: text)
    } throws: { error in
      "\(error)".hasPrefix("at: \(text) is out of range")
    }
  }
}
