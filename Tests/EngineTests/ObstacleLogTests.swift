import TestDice
import Testing

@testable import Engine

@Suite struct ObstacleLogTests {
  private static let names = ["a", "b", "c"]

  private func obstacles(using dice: inout Dice) -> Set<PaneObstacle> {
    Set(
      Self.names.filter { _ in dice.roll(0...2) > 0 }.map {
        PaneObstacle(pane: $0, reason: dice.roll(0...2) > 0 ? .opaque : .noCompositor)
      })
  }

  /// Compares with the rule for each obstacle: told once for each time that it lasts for the delay.
  @Test(arguments: 0..<200)
  func eachLastingObstacleIsToldOnce(seed: Int) {
    var dice = Dice(seed: seed)
    var log = ObstacleLog()
    var current: Set<PaneObstacle> = []
    var since: [PaneObstacle: Duration] = [:]
    var told: Set<PaneObstacle> = []
    var now = Duration.zero
    for _ in 0..<100 {
      now += .milliseconds(dice.roll(0...700))
      if dice.roll(0...2) == 0 {
        current = obstacles(using: &dice)
        log.update(current)
        since = since.filter { current.contains($0.key) }
        told.formIntersection(current)
        for one in current where since[one] == nil { since[one] = now }
      }
      let due = log.advance(to: now)
      let expected = current.filter {
        !told.contains($0) && since[$0].map { now - $0 >= ObstacleLog.delay } == true
      }
      #expect(Set(due) == expected)
      told.formUnion(expected)
      let waiting = current.subtracting(told).compactMap { since[$0] }.min()
      #expect(log.deadline == waiting.map { $0 + ObstacleLog.delay })
    }
  }
}
