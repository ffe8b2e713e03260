import Control
import Linux
import Panes
import RandomPanes
import Raster
import TestDice
import Testing

/// The error that a line is answered with, if pixels come with it; nil if it is a request.
func error(_ line: some Sequence<UInt8>, _ pictures: Bitmap...) -> RequestError? {
  do throws(RequestError) {
    _ = try Request(parsing: line) { try? .makePixelFile(pictures) }
    return nil
  } catch {
    return error
  }
}

func error(_ text: String) -> RequestError? { error(Array(text.utf8)) }

@Suite struct WireTests {
  @Test(arguments: 0..<2000)
  func requestSurvivesItsLine(seed: Int) throws {
    var dice = Dice(seed: seed)
    let request = Request.random(using: &dice)
    #expect(request.line.firstIndex(of: 10) == request.line.count - 1, "one line")
    var takenCount = 0
    let parsed = try Request(parsing: request.line) {
      takenCount += 1
      return try? .makePixelFile(request.contents.flatMap(\.drawing.pictures))
    }
    #expect(parsed == request)
    #expect(takenCount == (request.contents.isEmpty ? 0 : 1))
  }

  @Test(arguments: 0..<1000)
  func replySurvivesItsLine(seed: Int) throws {
    var dice = Dice(seed: seed)
    let reply = Reply.random(using: &dice)
    #expect(reply.line.firstIndex(of: 10) == reply.line.count - 1, "one line")
    #expect(try Reply(parsing: reply.line) == reply)
  }

  @Test(arguments: Setting.all.map(\.name))
  func valueOfSettingSurvivesItsLine(name: String) throws {
    let setting = try Setting.named(name)
    for seed in 0..<50 {
      var dice = Dice(seed: seed)
      var change = PaneChange()
      change.settings.setRandomValue(of: setting, using: &dice)
      let request = Request.set(name: "x", change)
      let parsed = try Request(parsing: request.line) {
        try? .makePixelFile(request.contents.flatMap(\.drawing.pictures))
      }
      #expect(parsed == request, "seed \(seed)")
    }
    let reset = Request.set(name: "x", PaneChange(reset: [name]))
    #expect(try Request(parsing: reset.line) == reset)
    #expect(
      String(decoding: reset.line, as: UTF8.self).contains("\"\(name)\":null"), "null is a reset")
  }

  @Test(arguments: 0..<300)
  func changeHasTheSameEffectAfterItsLine(seed: Int) throws {
    var dice = Dice(seed: seed)
    // It may reset settings to which it gives a value.
    let change = PaneChange.random(using: &dice)
    let request = Request.set(name: "x", change)
    let parsed = try Request(parsing: request.line) {
      try? .makePixelFile(request.contents.flatMap(\.drawing.pictures))
    }
    guard case .set("x", let received, .none, false) = parsed else {
      Issue.record("\(parsed)")
      return
    }
    let old = PaneSettings.random(using: &dice)
    #expect(received.applied(to: old) == change.applied(to: old))
  }

  @Test(arguments: 0..<300)
  func truncatedLineIsAnError(seed: Int) {
    var dice = Dice(seed: seed)
    let line = Request.random(using: &dice).line.dropLast()
    let cut = line.prefix(dice.roll(0...line.count - 1))
    #expect(error(cut) != nil)
    #expect(throws: ControlError.unreadableReply) { try Reply(parsing: cut) }
  }

  @Test(arguments: 0..<3000)
  func mutatedLineIsARequestOrAnError(seed: Int) throws {
    var dice = Dice(seed: seed)
    var line = Request.random(using: &dice).line
    for _ in 0..<dice.roll(1...4) {
      line[dice.roll(0...line.count - 1)] = .random(in: .min ... .max, using: &dice)
    }
    let pixels = Bitmap(width: 1000, height: 1)
    func parse(_ line: [UInt8]) throws -> Request {
      try Request(parsing: line) { try? .makePixelFile([pixels]) }
    }
    if let request = try? parse(line) { #expect(try parse(request.line) == request) }
    if let reply = try? Reply(parsing: line) { #expect(try Reply(parsing: reply.line) == reply) }
  }

  @Test(arguments: [0, 1, 10, 1000, 65536])
  func randomBytesAreAnError(byteCount: Int) {
    for seed in 0..<20 {
      var dice = Dice(seed: seed)
      let noise = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
      #expect(error(noise) != nil, "seed \(seed)")
      #expect(throws: ControlError.unreadableReply, "seed \(seed)") { try Reply(parsing: noise) }
    }
  }

  @Test(arguments: ["[", "{\"a\":", "{\"request\":[", "[{\"a\":"])
  func deepNestingIsAnError(opening: String) {
    let line = String(repeating: opening, count: (1 << 18) / opening.utf8.count)
    #expect(error(line) != nil)
    #expect(throws: ControlError.unreadableReply) { try Reply(parsing: Array(line.utf8)) }
  }

  @Test func deepNestingThatIsClosedAgainIsAnError() {
    let depth = 130_000
    let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(error("{\"request\":\(value)}") != nil)
    #expect(error("{\"request\":\"list\",\"sigma\":\(value)}") != nil)
  }

  @Test func mistakeIsNamed() {
    #expect(error("") == .notAnObject)
    #expect(error("hello") == .notAnObject)
    #expect(error("[1]") == .notAnObject)
    #expect(error("\"list\"") == .notAnObject)
    #expect(error("{}") == .missingKey("request"))
    #expect(error(#"{"request":"dance"}"#) == .unknownRequest("dance"))
    #expect(error(#"{"request":7}"#) == .wrongType(key: "request", expected: "a text"))
    #expect(error(#"{"request":"hide"}"#) == .missingKey("name"))
    #expect(
      error(#"{"request":"set","name":"x","sigma":"3"}"#)
        == .wrongType(key: "sigma", expected: "a number"))
    #expect(
      error(#"{"request":"set","name":"x","tint":3}"#)
        == .wrongType(key: "tint", expected: "a text"))
    for list in ["3", #""overlay:#FFFFFF""#, "[3]"] {
      #expect(
        error(#"{"request":"set","name":"x","blend":\#(list)}"#)
          == .wrongType(key: "blend", expected: "a list of texts"))
    }
    #expect(
      error(#"{"request":"snapshot","name":"x","backdrop":1}"#)
        == .wrongType(key: "backdrop", expected: "true or false"))
    #expect(error(#"{"request":"set","name":"x","sigma":1e999}"#) == .notAnObject)
  }

  @Test func unknownKeyIsNamedWithTheKnownOnes() {
    let settings = Setting.all.map(\.name)
    #expect(
      error(#"{"request":"add","name":"x","zoom":1,"blur":3}"#)
        == .unknownKey(
          "blur", of: "add",
          known: ["request", "name"] + settings + ["fade", "orSet", "for", "ephemeral"]))
    #expect(
      error(#"{"request":"hide","name":"x","sigma":3}"#)
        == .unknownKey("sigma", of: "hide", known: ["request", "name", "fade"]))
    #expect(
      error(#"{"request":"apply","panes":[],"name":"x"}"#)
        == .unknownKey("name", of: "apply", known: ["request", "panes", "dryRun"]))
    #expect(
      error(#"{"request":"apply","panes":[{"name":"x","fade":1}]}"#)
        == .paneNamed("x", .unknownKey("fade", of: "panes", known: ["name"] + settings + ["shown"]))
    )
  }

  @Test func mistakeInListOfPanesIsNamed() {
    func found(_ panes: String) -> RequestError? {
      error(#"{"request":"apply","panes":\#(panes)}"#)
    }
    #expect(found("[]") == nil)
    #expect(error(#"{"request":"apply"}"#) == .missingKey("panes"))
    for list in ["3", "{}", "[3]", "[null]", "[[]]"] {
      #expect(found(list) == .wrongType(key: "panes", expected: "a list of objects"), "\(list)")
    }
    #expect(
      error(#"{"request":"apply","panes":[],"dryRun":"yes"}"#)
        == .wrongType(key: "dryRun", expected: "true or false"))
    #expect(found("[{}]") == .missingKey("name"))
    #expect(
      found(#"[{"name":"x"}]"#)
        == .paneNamed("x", .pane(.missing(setting: "geometry", other: "size"))))
    #expect(
      found(#"[{"name":"a b","geometry":"9x9+0+0"}]"#) == .paneNamed("a b", .pane(.badName("a b"))))
    let range = found(#"[{"name":"x","geometry":"9x9+0+0","noise":1}]"#).map { "\($0)" }
    #expect(range?.hasPrefix("pane 'x': noise: 1.0 is out of range") == true)
    let place =
      #"[{"name":"y","geometry":"9x9+0+0","content":[{"image":"x","width":1,"height":1,"at":"?"}]}]"#
    #expect(found(place).map { "\($0)" }?.hasPrefix("pane 'y': at: cannot read '?'") == true)
  }

  @Test(arguments: [
    (#""sigma":-1"#, "sigma"), (#""sigma":1e9"#, "sigma"), (#""geometry":"0x5+0+0""#, "geometry"),
    (#""geometry":"1099511627776x5+0+0""#, "geometry"), (#""geometry":"-5x5+0+0""#, "geometry"),
    (#""tint":"red""#, "tint"), (#""input":"steal""#, "input"), (#""contrast":-0.1"#, "contrast"),
    (#""brightness":2"#, "brightness"), (#""saturation":99"#, "saturation"),
    (#""noise":1"#, "noise"), (#""fade":-1"#, "fade"), (#""fade":1e9"#, "fade"),
    (#""blend":["hard:#FFFFFF"]"#, "blend"),
    (#""blend":["overlay:#FF"]"#, "blend"), (#""sees":"all""#, "sees"),
    (#""material":"tint""#, "material"), (#""material":"dark:#FFFFFF""#, "material"),
  ])
  func valueThatIsNotAllowedIsNamed(field: String, setting: String) {
    let found = error(#"{"request":"set","name":"x",\#(field)}"#)
    guard case .pane(let error) = found else {
      Issue.record("\(field): \(String(describing: found))")
      return
    }
    #expect("\(error)".hasPrefix(setting))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func numberThatJSONCannotHoldIsRefused(number: Double) {
    var change = PaneChange()
    change.settings.sigma = number
    #expect(
      error(Request.set(name: "x", change).line)
        == .wrongType(key: "sigma", expected: "a number"))
  }

  @Test func replyWithoutItsValueIsUnreadable() {
    for text in [#"{"reply":"panes"}"#, #"{"reply":"failure","text":"x"}"#, #"{"reply":"x"}"#] {
      #expect(throws: ControlError.unreadableReply) { try Reply(parsing: Array(text.utf8)) }
    }
  }
}
