import Control
import Engine
import Panes
import Raster
import TestDice
import TestSupport
import Testing

@testable import Daemon

/// What the daemon does with requests, events and the loss of its display.
@Suite final class DaemonLoopTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private let done = #"{"reply":"done"}"#
  private let add = #"{"request":"add","name":"glass","style":"plain","geometry":"90x60+20+30"}"#

  @Test func requestsAreAnsweredInOrder() throws {
    let session = try DaemonSession(in: folder.path)
    let (one, other) = (try session.connect(), try session.connect())
    #expect(try session.ask(add, on: one) == done)
    #expect(try session.ask(add, on: other).contains("'glass'"))
    #expect(try session.ask(#"{"request":"list"}"#, on: other).contains(#""name":"glass""#))
    #expect(try session.ask("nonsense", on: one).contains(#""failure""#))
    let unknown = try session.ask(#"{"request":"hide","name":"none"}"#, on: one)
    #expect(unknown.contains("'none'"))
    // Several lines at once.
    one.send(#"{"request":"hide","name":"glass"}"# + "\n" + #"{"request":"show","name":"x"}"#)
    #expect(try session.reply(to: one) == done)
    #expect(try session.reply(to: one).contains("'x'"))
    #expect(!session.isEnding)
    #expect(try session.ask(#"{"request":"quit"}"#, on: other) == done)
    #expect(session.isEnding)
  }

  @Test func answeredPanesAreSavedAndShownByTheNextDaemon() throws {
    let shown: Bitmap
    do {
      let session = try DaemonSession(in: folder.path)
      let client = try session.connect()
      #expect(try session.ask(add, on: client) == done)
      #expect(try session.savedPanes().map(\.name) == ["glass"])
      #expect(try session.ask(#"{"request":"sync"}"#, on: client) == done)
      shown = try #require(session.display.overlay(named: "glass")).picture
      session.end()
    }
    let next = try DaemonSession(in: folder.path)
    #expect(try next.ask(#"{"request":"sync"}"#, on: try next.connect()) == done)
    #expect(next.display.overlay(named: "glass")?.picture == shown)
  }

  /// The reply to a sync comes when the change is on the screen.
  @Test func syncWaitsForTheScreen() throws {
    let session = try DaemonSession(in: folder.path)
    let client = try session.connect()
    #expect(try session.ask(add, on: client) == done)
    for step in 0..<5 {
      session.display.draw(Rect(x: 0, y: 0, width: 320, height: 200)) { x, y in
        0xff00_0000 | UInt32(x * 40_000 + y * 300 + step * 90)
      }
      let before = session.display.overlay(named: "glass")?.picture
      #expect(try session.ask(#"{"request":"sync"}"#, on: client) == done)
      let after = session.display.overlay(named: "glass")?.picture
      #expect(after != nil && after != before, "step \(step)")
    }
  }

  // MARK: Loss of the display

  @Test func lostDisplayIsServedAgain() throws {
    let session = try DaemonSession(in: folder.path, display: ":4712", absence: 2)
    let client = try session.connect()
    #expect(try session.ask(add, on: client) == done)
    #expect(try session.ask(#"{"request":"sync"}"#, on: client) == done)
    let former = session.display
    try session.loseDisplay()
    #expect(try session.ask(#"{"request":"status"}"#, on: client).contains(#""connected":false"#))
    #expect(try session.ask(#"{"request":"sync"}"#, on: client).contains(#""failure""#))
    // Panes can be changed meanwhile.
    let change = #"{"request":"set","name":"glass","geometry":"50x40+7+8"}"#
    #expect(try session.ask(change, on: client) == done)
    try session.run { session.display !== former }
    #expect(try session.ask(#"{"request":"status"}"#, on: client).contains(#""connected":true"#))
    #expect(try session.ask(#"{"request":"sync"}"#, on: client) == done)
    let overlay = try #require(session.display.overlay(named: "glass"))
    #expect(overlay.rect == Rect(x: 7, y: 8, width: 50, height: 40))
  }

  @Test func syncThatWaitsForALostDisplayFails() throws {
    let session = try DaemonSession(in: folder.path, display: ":4713")
    let client = try session.connect()
    #expect(try session.ask(add, on: client) == done)
    session.display.answersAtOnce = false
    client.send(#"{"request":"sync"}"#)
    client.send(#"{"request":"list"}"#)
    let other = try session.connect()
    #expect(try session.ask(#"{"request":"list"}"#, on: other).contains("glass"))
    try session.loseDisplay()
    #expect(try session.reply(to: client).contains(#""failure""#))
    #expect(try session.reply(to: client).contains("glass"))
  }

  @Test func daemonWithoutPatienceEndsWithItsDisplay() throws {
    let session = try DaemonSession(in: folder.path, patience: DisplayPatience(loss: .zero))
    #expect(throws: DaemonError.self) { try session.loseDisplay() }
  }

  @Test func daemonWaitsForItsDisplayNoLongerThanItsPatience() throws {
    let session = try DaemonSession(
      in: folder.path, display: ":4714", absence: 1_000_000,
      patience: DisplayPatience(loss: .milliseconds(50)))
    try session.loseDisplay()
    do {
      try session.run { false }
    } catch let error as DaemonError {
      #expect(error.exitStatus == 75)
    }
  }

  // MARK: Subscriptions

  @Test func subscriberIsToldOfPanesAndOfTheDisplay() throws {
    // It is not told of a loss that is over before the next look.
    let session = try DaemonSession(in: folder.path, display: ":4715", absence: 8)
    let (client, watcher) = (try session.connect(), try session.connect())
    watcher.send(
      #"{"request":"subscribe","kinds":["pane-added","pane-hidden","display-lost","display-found"]}"#
    )
    var lines: [String] = []
    func expectEvent(_ kind: String) throws {
      var line = ""
      while !line.contains(#""event":"\#(kind)""#), lines.count < 20 {
        line = try session.reply(to: watcher)
        lines.append(line)
      }
      #expect(line.contains(kind), "\(lines)")
    }
    #expect(try session.reply(to: watcher) == done)
    #expect(try session.ask(add, on: client) == done)
    try expectEvent("pane-added")
    #expect(try session.ask(#"{"request":"hide","name":"glass"}"#, on: client) == done)
    try expectEvent("pane-hidden")
    try session.loseDisplay()
    try expectEvent("display-lost")
    try expectEvent("display-found")
  }

  // MARK: Configuration

  /// As `backdropctl reload` has the daemon follow a configuration.
  @Test func declaredPanesAreFollowedAndChangesOfTheUserStay() throws {
    do {
      let session = try DaemonSession(in: folder.path)
      let client = try session.connect()
      func configure(_ panes: KeyValuePairs<String, Int>) throws -> [String] {
        let declared = try panes.map { name, sigma in
          var settings = PaneSettings()
          settings.geometry = try Geometry(parsing: "60x50+10+10")
          settings.sigma = Double(sigma)
          return try Pane(name, settings)
        }
        client.send(
          Request.configure(files: [folder.path + "/x.conf"], DaemonSettings(), declared).line)
        #expect(try !session.reply(to: client).contains("failure"))
        return session.keptPanes.map { "\($0.name) \($0.settings.sigma ?? -1)" }
      }
      #expect(try configure(["a": 4, "b": 4]) == ["a 4.0", "b 4.0"])
      #expect(try session.ask(#"{"request":"set","name":"a","sigma":9}"#, on: client) == done)
      #expect(try configure(["a": 4, "b": 6, "c": 6]) == ["a 9.0", "b 6.0", "c 6.0"])
      #expect(try configure(["c": 6]) == ["c 6.0"])
      session.end()
    }
    // The next daemon knows what was declared.
    let next = try DaemonSession(in: folder.path)
    let declared = try next.ask(#"{"request":"declared"}"#, on: try next.connect())
    #expect(declared.contains(#""name":"c""#) && !declared.contains(#""name":"a""#))
  }

  // MARK: Any requests

  /// Requests of several clients, while the display is lost at any time: each has one reply, in order, and in the end the panes are
  /// those of a model, on the screen and in the file.
  @Test(arguments: 0..<12) func anyRequestsHaveOneReplyEach(seed: Int) throws {
    var dice = Dice(seed: 9400 + seed)
    let session = try DaemonSession(in: folder.path, display: ":\(4720 + seed)")
    let clients = try (0..<3).map { _ in try session.connect() }
    var model: [String: Bool] = [:]
    for _ in 0..<60 {
      let client = clients[dice.roll(0...2)]
      let name = "p\(dice.roll(0...4))"
      let exists = model[name] != nil
      switch dice.roll(0...9) {
      case 0...2:
        let sigma = dice.roll(0...40)
        let reply = try session.ask(
          #"{"request":"add","name":"\#(name)","style":"plain","sigma":\#(sigma),"geometry":"40x30+9+9"}"#,
          on: client)
        #expect((reply == done) == !exists, "\(dice): \(reply)")
        if !exists { model[name] = true }
      case 3:
        let reply = try session.ask(#"{"request":"remove","name":"\#(name)"}"#, on: client)
        #expect((reply == done) == exists, "\(dice): \(reply)")
        model[name] = nil
      case 4, 5:
        let isShown = dice.roll(0...1) == 0
        let reply = try session.ask(
          #"{"request":"\#(isShown ? "show" : "hide")","name":"\#(name)"}"#, on: client)
        #expect((reply == done) == exists, "\(dice): \(reply)")
        if exists { model[name] = isShown }
      case 6: try session.loseDisplay()
      case 7: session.display.draw(Rect(x: 5, y: 5, width: 60, height: 50)) { x, _ in UInt32(x) }
      case 8:
        // The display may be lost.
        let reply = try session.ask(#"{"request":"sync"}"#, on: client)
        #expect(reply == done || reply.contains("failure"), "\(dice): \(reply)")
      default:
        client.send(#"{"request":"list"}"#)
        client.send(#"{"request":"outputs"}"#)
        #expect(try session.reply(to: client).contains(#""reply":"panes""#), "\(dice)")
        #expect(try session.reply(to: client).contains(#""reply":"outputs""#), "\(dice)")
      }
      #expect(clients.allSatisfy { !$0.hasReply }, "\(dice)")
    }
    try session.run {
      try session.ask(#"{"request":"status"}"#, on: clients[0]).contains(#""connected":true"#)
    }
    #expect(try session.ask(#"{"request":"sync"}"#, on: clients[0]) == done)
    let states = Dictionary(uniqueKeysWithValues: session.keptPanes.map { ($0.name, $0.isShown) })
    #expect(states == model, "\(dice)")
    for (name, isShown) in model {
      #expect(
        (session.display.overlay(named: name)?.isShown == true) == isShown, "\(dice): \(name)")
    }
    session.end()
    #expect(try session.savedPanes() == session.keptPanes, "\(dice)")
  }
}
