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

  @Test mutating func nextFrameBeginsAtTheEndOfTheInterval() {
    schedule.beginFrame(now: .seconds(5))
    #expect(schedule.nextFrame(.none) == nil)
    #expect(schedule.nextFrame(.frame) == .seconds(5) + Self.interval)
    schedule.beginFrame(now: .seconds(9))
    #expect(schedule.nextFrame(.frame) == .seconds(9) + Self.interval)
  }

  @Test mutating func immediateFrameDoesNotWaitForTheInterval() {
    schedule.beginFrame(now: .seconds(5))
    #expect(schedule.nextFrame(.immediate) == .zero)
    schedule.beginFrame(now: .seconds(5) + .milliseconds(1))
    #expect(schedule.nextFrame(.frame) == .seconds(5) + .milliseconds(1) + Self.interval)
  }

  @Test func urgenciesAreOrdered() {
    #expect(FrameSchedule.Urgency.none < .frame)
    #expect(FrameSchedule.Urgency.frame < .immediate)
  }

  /// Drives the schedule like the engine: a frame begins when its time has come.
  @Test(arguments: 0..<50)
  func twoFramesAreAnIntervalApartUnlessImmediate(seed: Int) {
    var dice = Dice(seed: seed)
    var schedule = FrameSchedule(interval: Self.interval)
    var now = Duration.seconds(dice.roll(0...1000))
    var last: Duration?
    for _ in 0..<1000 {
      let urgency = dice.urgency()
      if let time = schedule.nextFrame(urgency), time <= now {
        if let last, urgency == .frame { #expect(now - last >= Self.interval, "\(dice)") }
        schedule.beginFrame(now: now)
        last = now
      } else if let last {
        #expect(urgency == .none || urgency == .frame && now - last < Self.interval, "\(dice)")
      }
      now += .microseconds(dice.roll(0...8000))
    }
  }

  // MARK: Announcements

  @Test mutating func announcedChangeIsCheckedAgainOnceAfterTheDelay() {
    #expect(schedule.nextRecheck == nil)
    #expect(schedule.takeRecheck(now: .seconds(99)) == false)
    schedule.noteAnnouncement(now: .seconds(100))
    let time = Duration.seconds(100) + .milliseconds(100)
    #expect(schedule.nextRecheck == time)
    #expect(schedule.takeRecheck(now: time - .nanoseconds(1)) == false)
    #expect(schedule.nextRecheck == time)
    #expect(schedule.takeRecheck(now: time) == true)
    #expect(schedule.nextRecheck == nil)
    #expect(schedule.takeRecheck(now: time) == false)
  }

  @Test mutating func laterAnnouncementDelaysTheCheck() {
    schedule.noteAnnouncement(now: .seconds(100))
    schedule.noteAnnouncement(now: .seconds(100) + .milliseconds(60))
    #expect(schedule.takeRecheck(now: .seconds(100) + .milliseconds(100)) == false)
    #expect(schedule.nextRecheck == .seconds(100) + .milliseconds(160))
    #expect(schedule.takeRecheck(now: .seconds(101)) == true)
  }

  @Test mutating func announcementsAndFramesAreIndependent() {
    schedule.beginFrame(now: .seconds(5))
    schedule.noteAnnouncement(now: .seconds(5))
    #expect(schedule.nextFrame(.none) == nil)
    #expect(schedule.nextFrame(.frame) == .seconds(5) + Self.interval)
    schedule.beginFrame(now: .seconds(6))
    #expect(schedule.nextRecheck == .seconds(5) + .milliseconds(100))
  }
}

extension Dice {
  fileprivate mutating func urgency() -> FrameSchedule.Urgency {
    switch roll(0...9) {
    case 0: .immediate
    case 1, 2: .none
    default: .frame
    }
  }
}
