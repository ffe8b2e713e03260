import Engine
import Panes
import Raster
import TestDice
import Testing

/// The connection to the display breaks and returns.
@Suite struct SuspendTests {
  private let scene = Scene(width: 200, height: 150)
  private var dice = Dice(seed: 5)

  /// The error of requests without a connection.
  private var away: EngineError { .away("headless") }

  @Test mutating func panesAreShownAgain() throws {
    try scene.add("one", Rect(x: 10, y: 10, width: 60, height: 50))
    try scene.add("two", Rect(x: 40, y: 30, width: 60, height: 50), sigma: 9)
    try scene.step()
    scene.loseDisplay()
    #expect(scene.names == ["one", "two"])
    #expect(scene.deadline == nil)
    #expect(scene.store.byteCount == 0)
    try scene.step()
    scene.reconnect(to: dice.picture(width: 120, height: 170))
    #expect(try scene.settle())
    #expect(scene.display.overlay(named: "two")?.isShown == true)
    #expect(scene.fault() == nil, "\(dice)")
  }

  @Test mutating func panesCanBeChangedMeanwhile() throws {
    for name in ["one", "two", "three"] {
      try scene.add(name, Rect(x: 10, y: 10, width: 60, height: 50))
    }
    try scene.step()
    scene.loseDisplay()
    try scene.remove("one")
    try scene.setShown("two", false)
    try scene.change("three") { $0.sigma = 7 }
    try scene.add("four", Rect(x: 20, y: 20, width: 50, height: 40), fade: Fade(milliseconds: 1000))
    #expect(throws: (any Error).self) {
      try scene.add("far", Rect(x: 900, y: 20, width: 50, height: 40))
    }
    try scene.step()
    #expect(scene.deadline == nil)
    scene.reconnect(to: dice.picture(width: 180, height: 120))
    #expect(try scene.settle())
    #expect(scene.names == ["two", "three", "four"])
    #expect(scene.fault() == nil, "\(dice)")
  }

  @Test func waitingRequestsFail() throws {
    try scene.add("one", Rect(x: 10, y: 10, width: 60, height: 50))
    scene.display.answersAtOnce = false
    try scene.step()
    let picture = try scene.startPicture(of: "one")
    let backdrop = try scene.startBackdrop(of: "one")
    scene.loseDisplay()
    let failed = scene.takeCompletions().map { completion in
      if case .failed(let ticket, away) = completion { ticket } else { nil as Ticket? }
    }
    #expect(failed == [picture, backdrop])
    #expect(throws: away) { try scene.sync() }
    #expect(throws: away) { try scene.picture(of: "one") }
    #expect(throws: EngineError.self) { try scene.picture(of: "none") }
  }
}
