import Control
import Panes
import Raster
import Testing

/// The error that a line is answered with, when pixels come with it; nil when it is a request.
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
  @Test func everyRequestSurvivesTheWire() throws {
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let request = Request.random(using: &dice)
      #expect(request.line.firstIndex(of: 10) == request.line.count - 1, "one line")
      var takenCount = 0
      let parsed = try Request(parsing: request.line) {
        takenCount += 1
        return try? .makePixelFile(request.contents.map(\.picture))
      }
      #expect(parsed == request)
      #expect(takenCount == (request.contents.isEmpty ? 0 : 1))
    }
  }

  @Test func everyReplySurvivesTheWire() throws {
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let reply = Reply.random(using: &dice)
      #expect(reply.line.firstIndex(of: 10) == reply.line.count - 1, "one line")
      #expect(try Reply(parsing: reply.line) == reply)
    }
  }

  @Test func aTruncatedLineIsNeverARequest() {
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let line = Request.random(using: &dice).line.dropLast()
      let cut = line.prefix(.random(in: 0..<line.count))
      #expect(error(cut) != nil)
      #expect(throws: ControlError.unreadableReply) { try Reply(parsing: cut) }
    }
  }

  @Test func aMutatedLineIsARequestOrANamedError() {
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      var line = Request.random(using: &dice).line
      for _ in 0..<Int.random(in: 1...4) {
        line[.random(in: line.indices)] = .random(in: .min ... .max)
      }
      let pixels = Bitmap(width: 1000, height: 1)
      if let error = error(line, pixels) { #expect(!"\(error)".isEmpty) }
      _ = try? Reply(parsing: line)
    }
  }

  @Test func randomBytesAreAnError() {
    for size in [0, 1, 10, 1000, 65536] {
      for _ in 0..<20 {
        let noise = (0..<size).map { _ in UInt8.random(in: .min ... .max) }
        #expect(error(noise) != nil)
        #expect(throws: ControlError.unreadableReply) { try Reply(parsing: noise) }
      }
    }
  }

  @Test(arguments: ["[", "{\"a\":", "{\"request\":[", "[{\"a\":"])
  func deepNestingIsAnErrorAndNoCrash(_ opening: String) {
    let line = String(repeating: opening, count: 65536 / opening.utf8.count)
    #expect(error(line) != nil)
    #expect(throws: ControlError.unreadableReply) { try Reply(parsing: Array(line.utf8)) }
  }

  @Test func nestingThatIsClosedAgainIsAnErrorAndNoCrash() {
    let depth = 32000
    let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(error("{\"request\":\(value)}") != nil)
    #expect(error("{\"request\":\"list\",\"sigma\":\(value)}") != nil)
  }

  @Test func eachMistakeIsNamed() {
    #expect(error("") == .notAnObject)
    #expect(error("hello") == .notAnObject)
    #expect(error("[1]") == .notAnObject)
    #expect(error("\"list\"") == .notAnObject)
    #expect(error("{}") == .missingKey("request"))
    #expect(error(#"{"request":"dance"}"#) == .unknownRequest("dance"))
    #expect(error(#"{"request":7}"#) == .wrongType(key: "request", expected: "a text"))
    #expect(error(#"{"request":"hide"}"#) == .missingKey("name"))
    #expect(
      error(#"{"request":"add","name":"x","blur":3}"#) == .unknownKey("blur", request: "add"))
    #expect(
      error(#"{"request":"hide","name":"x","sigma":3}"#) == .unknownKey("sigma", request: "hide"))
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
  func aValueThatAPaneCannotHaveIsNamed(_ field: String, setting: String) {
    let found = error(#"{"request":"set","name":"x",\#(field)}"#)
    guard case .pane(let error) = found else {
      Issue.record("\(field): \(String(describing: found))")
      return
    }
    #expect("\(error)".hasPrefix(setting))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func aNumberThatJSONCannotHoldIsRefusedByTheOtherSide(_ number: Double) {
    var change = PaneChange()
    change.sigma = number
    #expect(
      error(Request.set(name: "x", change).line)
        == .wrongType(key: "sigma", expected: "a number"))
  }

  @Test func aReplyThatLacksItsValueIsUnreadable() {
    for text in [#"{"reply":"panes"}"#, #"{"reply":"failure","text":"x"}"#, #"{"reply":"x"}"#] {
      #expect(throws: ControlError.unreadableReply) { try Reply(parsing: Array(text.utf8)) }
    }
  }
}
