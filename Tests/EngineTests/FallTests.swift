import TestDice
import Testing

@testable import Engine

/// The motion of drawers that were let go.
@Suite struct FallTests {
  /// A random drawer, from where and how fast it falls, and its fall.
  private struct RandomFall {
    let length, elasticity, start, velocity: Double
    let gravity = 5000.0
    let isOpening: Bool

    init(using dice: inout Dice) {
      length = dice.number(1...3000)
      elasticity = dice.number(0...0.9)
      start = dice.number(0...length)
      velocity = dice.number(-9000...9000)
      isOpening = dice.roll(0...1) == 0
    }

    var fall: Fall {
      Fall(
        from: start, velocity: velocity, isOpening: isOpening, length: length,
        elasticity: elasticity, gravity: gravity)
    }
  }

  /// It stays between its ends, and rests exactly at one.
  @Test func fallsEndExactlyAtAnEnd() {
    var dice = Dice(seed: 1801)
    for _ in 0..<1000 {
      let body = RandomFall(using: &dice)
      let fall = body.fall
      let end = fall.isOpening ? body.length : 0
      for _ in 0..<50 {
        let time = dice.number(0...fall.duration * 1.2)
        let position = fall.position(at: time)
        #expect((0...body.length).contains(position), "\(dice)")
        if time >= fall.duration { #expect(position == end, "\(dice)") }
      }
      #expect(fall.position(at: fall.duration) == end, "\(dice)")
    }
  }

  /// A pull whose reports all have the same time, because the server was busy, is a throw if the drawer moved.
  @Test func reportsOfOneInstantAreAThrow() {
    var pull = Pull(.finger(1), from: 200, coordinate: 190, time: 7000)
    #expect(pull.velocity(at: 7000, slop: 0) == 0)
    for coordinate in stride(from: 185.0, through: 120, by: -5) {
      _ = pull.position(at: coordinate, time: 7000, length: 200)
    }
    #expect(pull.velocity(at: 7000, slop: 69) == -70 / 0.008)
    #expect(pull.velocity(at: 7000, slop: 70) == 0, "a tap")
    #expect(pull.velocity(at: 7200, slop: 0) == 0, "it rested")
  }

  /// The drawer of an engine has the same path at 30, 60 and 144 frames a second.
  @Test func pathDoesNotDependOnTheRate() {
    var dice = Dice(seed: 1802)
    for _ in 0..<200 {
      let length = dice.number(1...3000)
      let coordinate = dice.number(0...length)
      let body = FallingBody(elasticity: dice.number(0...0.9), gravity: 5000)
      let paths = [30, 60, 144].map { rate in
        var drawer = DrawerState()
        drawer.setLength(length)
        drawer.pull(.pointer, coordinate: 0, time: 0)
        drawer.follow(.pointer, coordinate: coordinate, time: 50)
        drawer.letGo(.pointer, time: 50, slop: 0, body)
        return (0..<30 * rate).map { frame in
          drawer.advance(now: .seconds(1) * (Double(frame) / Double(rate)))
          return drawer.position
        }
      }
      // 30, 60 and 144 have frames at the same time six times a second.
      for sixth in 0..<180 {
        let positions = zip(paths, [5, 10, 24]).map { $0[sixth * $1] }
        #expect(positions.allSatisfy { abs($0 - positions[0]) < 0.01 }, "\(dice)")
      }
      #expect(paths.allSatisfy { $0.last == 0 || $0.last == length }, "\(dice)")
    }
  }

  /// Positions agree with small steps of the equation of motion.
  @Test func fallEqualsIntegration() {
    var dice = Dice(seed: 1803)
    for _ in 0..<100 {
      let body = RandomFall(using: &dice)
      let fall = body.fall
      let step = 1e-5
      var (place, speed) = (body.start, body.velocity)
      let pull = fall.isOpening ? body.gravity : -body.gravity
      var worst = 0.0
      var bounces = 0
      for i in 0..<Int(min(1.5, fall.duration) / step) {
        // After some bounces small errors of the time of a collision have grown.
        if bounces > 4 { break }
        worst = max(worst, abs(place - fall.position(at: Double(i) * step)))
        place += speed * step + pull * step * step / 2
        speed += pull * step
        if place < 0 || place > body.length {
          place = place < 0 ? 0 : body.length
          speed *= -body.elasticity
          bounces += 1
        }
      }
      #expect(worst < 0.5, "\(dice): \(worst)")
    }
  }

  /// A bounce reaches the part of the height that the elasticity squared gives.
  @Test func bounceHasTheHeightOfTheElasticity() {
    for elasticity in [0.0, 0.25, 0.5, 0.9] {
      let fall = Fall(
        from: 0, velocity: 0, isOpening: true, length: 500, elasticity: elasticity, gravity: 5000)
      let landing = (2 * 500 / 5000.0).squareRoot()
      let highest =
        stride(from: landing + 1e-6, to: fall.duration + 0.01, by: 1e-4)
        .map { 500 - fall.position(at: $0) }.max() ?? 0
      #expect(abs(highest - 500 * elasticity * elasticity) < 0.01)
    }
  }

  /// Position and speed decide.
  @Test func drawerFallsToTheNearerEndOrWhereItIsThrown() {
    #expect(Fall.opens(from: 260, velocity: 0, length: 500))
    #expect(!Fall.opens(from: 240, velocity: 0, length: 500))
    #expect(Fall.opens(from: 100, velocity: 1000, length: 500))
    #expect(!Fall.opens(from: 400, velocity: -1000, length: 500))
    #expect(!Fall.opens(from: 0, velocity: 0, length: 0))
  }
}
