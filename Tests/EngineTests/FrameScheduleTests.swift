import Engine
import TestDice
import Testing

/// `FrameSchedule` as a value, without an engine.
@Suite struct FrameScheduleTests {
  private static let interval = Duration.milliseconds(16)
  private var schedule = FrameSchedule(interval: interval)

  // MARK: Frames

  @Test func firstFrameBeginsAtOnce() {
    #expect(schedule.nextFrame(.none) == nil)
    #expect(schedule.nextFrame(.frame) == .zero)
    #expect(schedule.nextFrame(.immediate) == .zero)
  }

  @Test mutating func animationFramesAreAnIntervalApart() {
    #expect(schedule.nextFrame(.animation) == .zero)
    schedule.beginFrame(now: .seconds(5))
    #expect(schedule.nextFrame(.none) == nil)
    #expect(schedule.nextFrame(.animation) == .seconds(5) + Self.interval)
    schedule.beginFrame(now: .seconds(9))
    #expect(schedule.nextFrame(.animation) == .seconds(9) + Self.interval)
  }

  /// After an idle time one frame may begin early. The next one makes up for it.
  @Test mutating func earlyFrameIsFollowedByALongerDistance() {
    schedule.beginFrame(now: .seconds(5))
    #expect(schedule.nextFrame(.frame) == .seconds(5) + schedule.shortestDistance)
    schedule.beginFrame(now: .seconds(5) + schedule.shortestDistance)
    #expect(schedule.nextFrame(.frame) == .seconds(5) + schedule.shortestMeanDistance)
    schedule.beginFrame(now: .seconds(5) + Self.interval)
    #expect(schedule.nextFrame(.frame) == .seconds(5) + schedule.shortestMeanDistance * 2)
  }

  @Test mutating func immediateFrameDoesNotWait() {
    schedule.beginFrame(now: .seconds(5))
    #expect(schedule.nextFrame(.immediate) == .zero)
    for i in 1...9 { schedule.beginFrame(now: .seconds(5) + .microseconds(i)) }
    let time = schedule.nextFrame(.frame)
    #expect(time == .seconds(5) + .microseconds(9) + Self.interval, "later ones do not add up")
  }

  @Test func urgenciesAreOrdered() {
    #expect(FrameSchedule.Urgency.none < .animation)
    #expect(FrameSchedule.Urgency.animation < .frame)
    #expect(FrameSchedule.Urgency.frame < .immediate)
  }

  /// Drives the schedule like the engine: a frame begins when its time has come.
  @Test(arguments: 0..<50)
  func rateAndDistanceOfFramesAreLimited(seed: Int) {
    var dice = Dice(seed: seed)
    var schedule = FrameSchedule(interval: Self.interval)
    var now = Duration.seconds(dice.roll(0...1000))
    // Frames since the last one that was immediate.
    var starts: [Duration] = []
    for _ in 0..<1000 {
      let urgency = dice.urgency()
      if let time = schedule.nextFrame(urgency), time <= now {
        if urgency == .immediate { starts = [] }
        if let last = starts.last {
          #expect(now - last >= schedule.shortestDistance, "\(dice)")
        }
        schedule.beginFrame(now: now)
        starts.append(now)
        for (count, start) in starts.reversed().enumerated().dropFirst(2) {
          #expect(now - start >= schedule.shortestMeanDistance * (count - 1), "\(dice)")
        }
      } else if let last = starts.last, urgency != .none {
        #expect(now - last < Self.interval * 2, "\(dice)")
      }
      now += .microseconds(dice.roll(0...8000))
    }
  }

  /// Work that arrives once per interval waits at most once, although frames began at another time before.
  @Test(arguments: 0..<50)
  func regularWorkDoesNotWait(seed: Int) {
    var dice = Dice(seed: seed)
    var schedule = FrameSchedule(interval: Self.interval)
    let first = Duration.seconds(dice.roll(1...1000))
    schedule.beginFrame(now: first - .microseconds(dice.roll(1...16_000)))
    var delays = 0
    for i in 0..<200 {
      let jitter = Duration.microseconds(dice.roll(0...3000))
      let arrival = first + Self.interval * i + jitter
      let start = max(arrival, schedule.nextFrame(.frame) ?? .zero)
      if start > arrival { delays += 1 }
      schedule.beginFrame(now: start)
    }
    #expect(delays <= 1, "\(dice)")
  }

  /// Frames that began close to each other delay regular work, but not for long.
  @Test(arguments: 0..<50)
  func delayAfterABurstEnds(seed: Int) {
    var dice = Dice(seed: seed)
    var schedule = FrameSchedule(interval: Self.interval)
    let first = Duration.seconds(dice.roll(1...1000))
    for i in 0..<dice.roll(5...9) { schedule.beginFrame(now: first + .milliseconds(i)) }
    for i in 1...64 {
      let arrival = first + .milliseconds(2) + Self.interval * i
      let start = max(arrival, schedule.nextFrame(.frame) ?? .zero)
      if i == 1 { #expect(start > arrival, "\(dice)") }
      if i == 64 { #expect(start == arrival, "\(dice)") }
      schedule.beginFrame(now: start)
    }
  }
}

extension Dice {
  fileprivate mutating func urgency() -> FrameSchedule.Urgency {
    switch roll(0...9) {
    case 0: .immediate
    case 1, 2: .none
    case 3: .animation
    default: .frame
    }
  }
}
