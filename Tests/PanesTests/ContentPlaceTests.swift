import Panes
import RandomPanes
import TestDice
import Testing

@Suite struct ContentPlaceTests {
  @Test(arguments: 0..<300)
  func placeSurvivesItsText(seed: Int) throws {
    var dice = Dice(seed: seed)
    let place = ContentPlace.random(using: &dice)
    #expect(try ContentPlace(parsing: place.text) == place)
  }

  @Test(arguments: [
    ("center", 40, 35), ("center,center", 40, 35), ("0,0", 0, 0), ("-0,-0", 80, 70),
    ("12,-3", 12, 67), ("center,7", 40, 7), ("-100,center", -20, 35), ("007,200", 7, 200),
  ])
  func originOfPictureOf20By30OnPaneOf100By100(text: String, x: Int, y: Int) throws {
    let origin = try ContentPlace(parsing: text).origin(of: (20, 30), on: (100, 100))
    #expect(origin == (x, y))
  }

  @Test(arguments: 0..<300)
  func distancesFromOppositeEdgesAreSymmetric(seed: Int) {
    var dice = Dice(seed: seed)
    let picture = (width: dice.roll(1...300), height: dice.roll(1...300))
    let pane = (width: dice.roll(1...300), height: dice.roll(1...300))
    let (x, y) = (dice.roll(0...400), dice.roll(0...400))
    let start = ContentPlace(x: .fromStart(x), y: .fromStart(y)).origin(of: picture, on: pane)
    let end = ContentPlace(x: .fromEnd(x), y: .fromEnd(y)).origin(of: picture, on: pane)
    #expect(start == (x, y))
    #expect(pane.width - end.x - picture.width == x)
    #expect(pane.height - end.y - picture.height == y)
    let middle = ContentPlace.center.origin(of: picture, on: pane)
    #expect(abs(pane.width - picture.width - 2 * middle.x) <= 1)
    #expect(abs(pane.height - picture.height - 2 * middle.y) <= 1)
  }

  @Test(arguments: [
    "", "middle", "12", "1,2,3", ",", "1,", ",1", "1, 2", "+1,2", "--1,2", "1.5,2", "centre,1",
    "１,2", "center,", "-,1", "Center",
  ])
  func unreadablePlaceIsNamed(text: String) {
    #expect {
      try ContentPlace(parsing: text)
    } throws: { error in
      "\(error)".hasPrefix("at: cannot read '\(text)'") && "\(error)".contains("X,Y")
    }
  }

  @Test(arguments: ["32768,0", "0,-32768", "99999999999999999999999,center"])
  func distanceOutOfRangeIsNamed(text: String) {
    #expect {
      try ContentPlace(parsing: text)
    } throws: { error in
      "\(error)".hasPrefix("at: \(text) is out of range")
    }
  }
}
