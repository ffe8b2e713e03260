import Control
import Panes
import TestDice
import Testing

/// Any text in any setting of a request is a value or a named error. A crash of the parser ends the test.
struct HostileTextTests {
  /// Parts of the values of all settings, and of what no setting takes.
  private static let parts = [
    "[", "]", "(", ")", "{", "}", "*", "+", "-", "?", "|", "^", "$", "\\", ".", ",", ":", "=", "%",
    "@",
    "#", "x", "X", "px", "e", "0", "1", "9", "255", "400x300", "+40", "-40", "0x", "1e999", "nan",
    "inf", "99999999999999999999", "-9223372036854775808", "4294967296", "top", "auto", "none",
    "all", "primary", "title=", "class=", "window=", "type=", "#12345678", "é", "漢", "\u{200B}",
    "\u{202E}", "\u{1B}", "\n", "\0", "\u{10FFFF}", " ", "\t", "'", "\"", "@2x", "(?", "\\x{",
    "{2,1}",
  ]

  private func text(_ dice: inout Dice) -> String {
    (0..<dice.roll(0...8)).map { _ in
      dice.roll(0...7) == 0
        ? String(decoding: [UInt8(dice.roll(0...255)), UInt8(dice.roll(0...255))], as: UTF8.self)
        : Self.parts[dice.roll(0...Self.parts.count - 1)]
    }.joined()
  }

  private func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      scalar.value < 0x20 || "\"\\".unicodeScalars.contains(scalar)
        ? "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        : String(Character(scalar))
    }
    return "\"\(scalars.joined())\""
  }

  /// A value of any type of JSON.
  private func value(_ dice: inout Dice) -> String {
    switch dice.roll(0...9) {
    case 0: ["true", "null", "-0", "1e308", "-1", "12345678901234567890", "0.1"][dice.roll(0...6)]
    case 1: "[\(quoted(text(&dice))), \(quoted(text(&dice)))]"
    case 2:
      #"[{"label":\#(quoted(text(&dice))),"font":\#(quoted(text(&dice))),"at":\#(quoted(text(&dice)))}]"#
    case 3: "{\(quoted(text(&dice))): 1}"
    default: quoted(text(&dice))
    }
  }

  private func parse(_ line: String, _ dice: Dice) {
    do throws(RequestError) {
      let request = try Request(parsing: Array(line.utf8))
      // A request that was read is written and read again.
      _ = try Request(parsing: request.line.dropLast())
    } catch {
      #expect(!"\(error)".isEmpty, "\(dice): \(line)")
    }
  }

  @Test(arguments: 0..<40) func anyTextOfASettingIsAValueOrAnError(seed: Int) {
    var dice = Dice(seed: seed)
    for setting in Setting.all {
      for verb in ["add", "set"] {
        let base = verb == "add" && dice.roll(0...1) == 0 ? #","geometry":"99x99+0+0""# : ""
        parse(
          #"{"request":"\#(verb)","name":"a"\#(base),"\#(setting.name)":\#(value(&dice))}"#, dice)
      }
    }
  }

  @Test(arguments: 0..<400) func anyTextOfAKeyIsAValueOrAnError(seed: Int) {
    var dice = Dice(seed: seed)
    let verbs = [
      "add", "set", "remove", "show", "hide", "toggle", "drawer", "apply", "configure", "drawings",
      "redraw", "snapshot", "subscribe", "sync", "list", "quit",
    ]
    let keys = [
      "name", "action", "output", "fade", "backdrop", "panes", "dryRun", "shown", "all", "content",
      "orSet", "ephemeral", "files", "daemon", "exact", "kinds", "for", "request",
    ]
    for verb in verbs {
      let members = (0..<dice.roll(1...3)).map { _ in
        #""\#(keys[dice.roll(0...keys.count - 1)])":\#(value(&dice))"#
      }
      parse(#"{"request":"\#(verb)",\#(members.joined(separator: ","))}"#, dice)
      parse(text(&dice), dice)
    }
  }

  @Test(arguments: 0..<400) func anyConditionIsOneOrAnError(seed: Int) {
    var dice = Dice(seed: seed)
    for key in ["class", "instance", "role", "title", "type", "window", "", "x"] {
      let text = "\(key)=\(text(&dice))"
      guard let condition = try? WindowCondition(parsing: text) else { continue }
      _ = condition.match.includes(
        WindowProperties(
          id: 1, frame: 1, windowClass: text, instance: text, title: text, role: text))
    }
  }
}
