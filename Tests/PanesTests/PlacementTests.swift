import Panes
import RandomPanes
import Raster
import TestDice
import Testing

/// Panes at edges, corners and the centre of an output.
@Suite struct PlacementTests {
  private let output = Output(
    name: "DP-1", bounds: Rect(x: 1000, y: 50, width: 800, height: 600),
    workArea: Rect(x: 1000, y: 80, width: 760, height: 570))

  private func frame(
    _ anchor: String?, _ size: String, _ margin: String?, keepsWorkArea: Bool = false
  ) throws -> Rect {
    var settings = PaneSettings()
    settings.size = try PaneSize(parsing: size)
    settings.anchor = try anchor.map { text throws(PaneError) in try Anchor(parsing: text) }
    settings.margin = try margin.map { text throws(PaneError) in try Margin(parsing: text) }
    settings.workArea = keepsWorkArea
    return try settings.placement().frame(on: output)
  }

  /// A picture of 100x30 pixels, and what is around it.
  @Test(arguments: [
    ("auto", "center", 1.0, "140x54"), ("auto", "center", 2, "180x78"),
    ("auto", "0,0", 1, "100x30"), ("auto", "-0,center", 1, "100x54"),
    ("auto", "12,-7", 1, "124x44"), ("auto", "60,40", 1, "176x86"), ("auto", "60,40", 2, "192x102"),
    ("300xauto", "center", 1, "300x54"), ("autox50%", "center", 1, "140x290"),
    ("auto", "700,center", 1, "780x54"),
  ])
  func sizeFollowsTheContent(size: String, at: String, scale: Double, expected: String) throws {
    var settings = PaneSettings()
    settings.size = try PaneSize(parsing: size)
    settings.margin = try Margin(parsing: "10")
    settings.anchor = .topRight
    settings.workArea = false
    settings.contents = [
      PaneContent(
        source: .image(path: "/x"), place: try ContentPlace(parsing: at), vibrancy: nil,
        picture: Bitmap(width: 100, height: 30))
    ]
    var output = output
    output.scale = scale
    let frame = try Pane("x", settings).placement.frame(on: output)
    #expect("\(frame.width)x\(frame.height)" == expected)
    #expect(frame.maxX == output.bounds.maxX - 10 && frame.y == output.bounds.y + 10)
  }

  /// The largest item on each axis counts, and the text that fits the room of the largest pane fits its own.
  @Test func roomOfTheContentIsLargeEnough() throws {
    var dice = Dice(seed: 4)
    for _ in 0..<500 {
      let place = PaneContent.random(using: &dice).place
      var output = output
      output.scale = Double(dice.roll(2...12)) / 4
      var settings = PaneSettings()
      settings.size = .auto
      settings.units = dice.roll(0...1) == 0 ? .logical : .pixels
      func placement(_ width: Int, _ height: Int) throws -> Placement {
        settings.contents = [
          PaneContent(
            source: .image(path: "/x"), place: place, vibrancy: nil,
            picture: Bitmap(width: width, height: height))
        ]
        return try settings.placement()
      }
      let most = place.room(on: try placement(1, 1).contentTarget(on: output))
      let size = (dice.roll(1...most.width), dice.roll(1...most.height))
      let placement = try placement(size.0, size.1)
      let frame = placement.frame(on: output)
      var own = placement.contentTarget(on: output)
      (own.width, own.height) = (frame.width, frame.height)
      let room = place.room(on: own)
      #expect(size.0 <= room.width && size.1 <= room.height, "\(dice): \(place), \(frame)")
    }
  }

  @Test(arguments: [
    ("top-left", "200x100", nil, "200x100+1000+50"),
    ("top-right", "200x100", "10", "200x100+1590+60"),
    ("bottom", "100%x80", nil, "800x80+1000+570"),
    ("bottom", "100%x80", "0 20 10", "760x80+1020+560"),
    ("left", "25%x100%", nil, "200x600+1000+50"),
    ("left", "25%x100%", "12", "194x576+1012+62"),
    (nil, "201x101", nil, "201x101+1299+299"),
    ("center", "50%x50%", "0 100 0 0", "350x300+1175+200"),
    ("bottom-right", "900x700", nil, "900x700+900+-50"),
    ("right", "0.001%x1", nil, "1x1+1799+349"),
    ("top", "10x10", "-30 0 0", "10x10+1395+20"),
  ])
  func anchoredPaneIsAtItsPlace(
    anchor: String?, size: String, margin: String?, expected: String
  ) throws {
    #expect(try "\(frame(anchor, size, margin))" == expected)
  }

  @Test func workAreaTakesThePlaceOfTheOutput() throws {
    let frame = try frame("top-right", "50%x100%", nil, keepsWorkArea: true)
    #expect(frame == Rect(x: 1380, y: 80, width: 380, height: 570))
    let geometry = Geometry(width: 30, height: 20, x: .fromEnd(0), y: .fromStart(0))
    let placement = Placement(.geometry(geometry), on: .primary, keepsWorkArea: true)
    #expect(placement.frame(on: output) == Rect(x: 1730, y: 80, width: 30, height: 20))
  }

  /// Panes that are placed at an edge or a corner would cover panels there.
  @Test func anchorKeepsClearOfPanels() throws {
    let size = try PaneSize(parsing: "100%x100%")
    func keeps(_ edit: (inout PaneSettings) throws -> Void) throws -> Bool {
      var settings = PaneSettings()
      try edit(&settings)
      if settings.geometry == nil { settings.size = size }
      return try settings.placement().keepsWorkArea
    }
    for anchor in Anchor.allCases {
      #expect(try keeps { $0.anchor = anchor })
      #expect(try !keeps { ($0.anchor, $0.workArea) = (anchor, false) })
    }
    for edge in Edge.allCases {
      #expect(try keeps { $0.edge = edge })
      #expect(try !keeps { ($0.edge, $0.workArea) = (edge, false) })
    }
    #expect(try !keeps { _ in })
    #expect(try keeps { $0.workArea = true })
    #expect(try !keeps { $0.geometry = try Geometry(parsing: "30x20+0+0") })
  }

  /// The distances of a pane from the edges at its anchor are the margins there.
  @Test(arguments: 0..<300)
  func marginIsTheDistanceFromTheEdges(seed: Int) throws {
    var dice = Dice(seed: seed)
    let anchor = try #require(Anchor.allCases.randomElement(using: &dice))
    let margin = Margin.random(using: &dice)
    let size = PaneSize.random(using: &dice)
    let placement = Placement(.anchored(anchor, size, margin), on: .primary)
    let (frame, bounds) = (placement.frame(on: output), output.bounds)
    let words = anchor.rawValue.split(separator: "-")
    if words.contains("top") { #expect(frame.y == bounds.y + margin.top) }
    if words.contains("bottom") { #expect(frame.maxY == bounds.maxY - margin.bottom) }
    if words.contains("left") { #expect(frame.x == bounds.x + margin.left) }
    if words.contains("right") { #expect(frame.maxX == bounds.maxX - margin.right) }
    #expect(frame.width >= 1 && frame.height >= 1)
    if let fixed = size.fixed { #expect((frame.width, frame.height) == fixed) }
  }

  @Test(arguments: [
    "", "400", "400x", "x300", "400x300x2", "25%", "25 %x3", "-3x4", "+3x4", "nan%x5", "inf%x5",
    "1e2%x5", "12%5x3", "%x3", "١٢x3", "400x300+0+0",
  ])
  func sizeThatCannotBeReadIsNamed(text: String) {
    expectError("size: cannot read '\(text)'") { try PaneSize(parsing: text) }
  }

  @Test(arguments: [
    "0x300", "400x32768", "101%x3", "3x100.1%", "0%x3", "0.0001%x3", "99999999999999999999x3",
  ])
  func sizeOutOfRangeIsNamed(text: String) {
    expectError("size: \(text) is out of range") { try PaneSize(parsing: text) }
  }

  @Test(arguments: ["", "a", "1 2 3 4 5", "1,2", "1.5", "10px", "nan"])
  func marginThatCannotBeReadIsNamed(text: String) {
    expectError("margin: cannot read '\(text)'") { try Margin(parsing: text) }
  }

  @Test(arguments: ["32768", "0 -32769", "0 0 0 99999"])
  func marginOutOfRangeIsNamed(text: String) {
    expectError("margin: \(text) is out of range") { try Margin(parsing: text) }
  }

  @Test(arguments: ["", "middle", "top left", "left-top", "TOP", "centre"])
  func anchorThatDoesNotExistIsNamed(text: String) {
    expectError("anchor: cannot read '\(text)'; it takes top-left or top or") {
      try Anchor(parsing: text)
    }
  }

  private func expectError(_ start: String, _ body: () throws -> some Any) {
    do {
      _ = try body()
      Issue.record("no error that starts with \(start)")
    } catch {
      #expect("\(error)".hasPrefix(start))
    }
  }
}
