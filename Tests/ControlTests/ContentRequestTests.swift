import Control
import Glibc
import Panes
import RandomPanes
import Raster
import TestDice
import Testing

/// The error that content of these keys is answered with, if so many pixels come with it.
private func error(of object: String, pixels: Int = 0) -> RequestError? {
  error(
    Array(#"{"request":"set","name":"x","content":[{\#(object)}]}"#.utf8),
    Bitmap(width: pixels, height: 1))
}

@Suite struct ContentRequestTests {
  private let image = #""image":"a.png","width":2,"height":3"#

  @Test func mistakeIsNamed() {
    #expect(error(of: image, pixels: 6) == nil)
    #expect(error(of: image + #","at":"0,-0","vibrancy":"none""#, pixels: 6) == nil)
    #expect(error(#"{"request":"set","name":"x","content":[]}"#) == nil, "it removes all")
    #expect(error(of: "") == .imageOrLabel)
    #expect(error(of: image + #","label":"x","font":"Sans""#) == .imageOrLabel)
    #expect(error(of: #""image":null,"width":1,"height":1"#) == .imageOrLabel)
    #expect(error(of: #""label":"x","width":1,"height":1"#) == .missingKey("font"))
    #expect(error(of: #""image":"x","width":1"#) == .missingKey("height"))
    let known = ["at", "vibrancy", "scale", "width", "height"]
    let forLabels = ["font", "color", "wrap", "ellipsize", "emoji", "room", "leastRoom"]
    #expect(
      error(of: image + #","font":"Sans""#)
        == .unknownContentKey("font", beside: "image", known: known))
    #expect(
      error(of: image + #","z":1,"blur":1"#)
        == .unknownContentKey("blur", beside: "image", known: known))
    #expect(
      error(of: #""label":"x","colour":"red""#)
        == .unknownContentKey("colour", beside: "label", known: forLabels + known))
    #expect(
      error(of: image + #","emoji":true"#)
        == .unknownContentKey("emoji", beside: "image", known: known))
    let label = #""label":"x","font":"Sans","width":2,"height":3"#
    #expect(error(of: label + #","emoji":true"#, pixels: 12) == nil)
    #expect(error(of: label + #","emoji":true"#, pixels: 11) == .tooFewPixels(needed: 12))
    #expect(error(of: label + #","emoji":false"#, pixels: 6) == nil)
    for (more, setting) in [
      (#""scale":9"#, "scale"), (#""scale":2,"room":"3""#, "room"),
      (#""scale":1,"leastRoom":"-1x2""#, "leastRoom"), (#""color":"red""#, "color"),
      (#""wrap":"words""#, "wrap"), (#""ellipsize":"left""#, "ellipsize"),
    ] {
      let text = error(of: label + "," + more, pixels: 6).map { "\($0)" }
      #expect(text?.hasPrefix("\(setting): ") == true, "\(more): \(text ?? "")")
    }
    #expect(
      error(of: label + #","emoji":1"#) == .wrongType(key: "emoji", expected: "true or false"))
    for value in [#""2""#, "null", "2.5", "1e99", "99999999999999999999", "[]"] {
      #expect(
        error(of: #""image":"x","height":1,"width":\#(value)"#)
          == .wrongType(key: "width", expected: "a whole number"))
    }
    for key in ["image", "at", "vibrancy"] {
      let others = image.split(separator: ",").filter { !$0.contains(key) }.joined(separator: ",")
      #expect(error(of: others + #","\#(key)":7"#) == .wrongType(key: key, expected: "a text"))
    }
    for list in ["3", #""x""#, "[3]", "[null]", "[[]]", "{}"] {
      #expect(
        error(#"{"request":"set","name":"x","content":\#(list)}"#)
          == .wrongType(key: "content", expected: "a list of objects"))
    }
    #expect(
      error(#"{"request":"show","name":"x","content":[]}"#)
        == .unknownKey("content", of: "show", known: ["request", "name", "fade"]))
  }

  @Test(arguments: [
    (#""image":"x","width":0,"height":1"#, "content: a picture of 0x1 is out of range"),
    (#""image":"x","width":1,"height":-1"#, "content: a picture of 1x-1 is out of range"),
    (#""image":"x","width":32768,"height":1"#, "content: a picture of 32768x1 is out of range"),
    (
      #""image":"x","width":1099511627776,"height":1099511627776"#,
      "content: a picture of 1099511627776x1099511627776 is out of range"
    ),
    (#""image":"x","width":32767,"height":513"#, "content: 16809471 pixels in all"),
    (#""image":"x","width":1,"height":1,"at":"1;2""#, "at: cannot read '1;2'"),
    (#""image":"x","width":1,"height":1,"vibrancy":"labl""#, "did you mean label"),
    (
      #""image":"\#(String(repeating: "x", count: 8193))","width":1,"height":1"#,
      "content: 8193 bytes of paths"
    ),
  ])
  func contentAboveLimitsIsNamedBeforeItsFileIsTaken(object: String, text: String) {
    let line = Array(#"{"request":"set","name":"x","content":[{\#(object)}]}"#.utf8)
    #expect {
      try Request(parsing: line) {
        Issue.record("the file is taken")
        return nil
      }
    } throws: { error in
      "\(error)".contains(text)
    }
  }

  @Test func contentsAreLimitedTo16() {
    let one = #"{"image":"x","width":1,"height":1}"#
    func error(count: Int) -> RequestError? {
      let list = [String](repeating: one, count: count).joined(separator: ",")
      return ControlTests.error(
        Array(#"{"request":"set","name":"x","content":[\#(list)]}"#.utf8),
        Bitmap(width: 17, height: 1))
    }
    #expect(error(count: 16) == nil)
    #expect("\(String(describing: error(count: 17)))".contains("17 images and labels"))
  }

  @Test(arguments: 0..<300)
  func pixelsAreThoseOfTheFile(seed: Int) throws {
    var dice = Dice(seed: seed)
    let contents = (0..<dice.roll(1...16)).map { _ in PaneContent.random(using: &dice) }
    var change = PaneChange()
    change.settings.contents = contents
    let request = Request.set(name: "x", change)
    let all = contents.flatMap(\.drawing.pictures).flatMap(\.pixels)
    let spare = Bitmap(width: dice.roll(0...3), height: 1, filledWith: 0x00ff_ffff)
    #expect(error(request.line, Bitmap(width: all.count, height: 1, pixels: all), spare) == nil)
    let short = Bitmap(width: all.count - 1, height: 1, pixels: all.dropLast())
    #expect(error(request.line, short) == .tooFewPixels(needed: all.count))
    var bright = all
    let alpha = UInt32.random(in: 0..<255, using: &dice)
    bright[dice.roll(0...bright.count - 1)] =
      alpha << 24 | (alpha + 1) << [0, 8, 16][dice.roll(0...2)]
    #expect(
      error(request.line, Bitmap(width: all.count, height: 1, pixels: bright))
        == .notPremultiplied)
    #expect(throws: RequestError.noPixelFile) { try Request(parsing: request.line) }
  }
}
