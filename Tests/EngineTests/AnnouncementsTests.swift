import Raster
import Testing

@testable import Engine

@Suite struct AnnouncementsTests {
  private var announcements = Announcements()
  private let start = Duration.seconds(100)
  private let left = Region(Rect(x: 0, y: 0, width: 4, height: 4))
  private let right = Region(Rect(x: 8, y: 0, width: 4, height: 4))

  @Test mutating func announcedRegionIsCheckedOnceAfterTheDelay() {
    #expect(announcements.checkTime == nil)
    #expect(announcements.takeDue(now: .seconds(99)) == nil)
    announcements.add(left, now: start)
    let time = start + .milliseconds(100)
    #expect(announcements.checkTime == time)
    #expect(announcements.takeDue(now: time - .nanoseconds(1)) == nil)
    #expect(announcements.region == left)
    #expect(announcements.takeDue(now: time) == left)
    #expect(announcements.checkTime == nil && announcements.region.isEmpty)
    #expect(announcements.takeDue(now: time) == nil)
  }

  @Test mutating func laterAnnouncementDelaysTheCheckOfAll() {
    announcements.add(left, now: start)
    announcements.add(right, now: start + .milliseconds(60))
    #expect(announcements.takeDue(now: start + .milliseconds(100)) == nil)
    #expect(announcements.checkTime == start + .milliseconds(160))
    #expect(announcements.takeDue(now: start + .seconds(1)) == left.union(right))
  }
}
