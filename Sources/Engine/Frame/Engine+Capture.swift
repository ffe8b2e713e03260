import Panes
import Raster

// The capture of a frame.
extension Engine where Server: ~Copyable {
  /// Collects all stale cells that panes need, and has the display capture their pixels as one batch.
  mutating func startCapture(attempt: Int) {
    updateWatch()
    locateSnapshots()
    let hidden = Set(store.grids.keys.map(\.backdrop.view)).reduce(into: [View: Region]()) {
      $0[$1] = server.hiddenRegion(of: $1)
    }
    let targets = store.startCapture { hidden[$0] ?? Region() }
    let plan = CapturePlan(
      targets: targets, snapshots: snapshots.compactMap(\.area), watched: watch.views,
      attempt: attempt, start: clock())
    if plan.regions.isEmpty {
      present(plan: nil)
    } else {
      statistics.captures += 1
      statistics.capturedPixels += plan.pixelCount
      server.startCapture(plan.regions)
      frame = .capturing(plan)
    }
  }

  /// Draws the panes after a capture whose cells are computed.
  mutating func finishCapture(_ plan: CapturePlan, failed: [View: Region]) {
    let backdrops = backdropSteps(plan, failed: failed)
    // Windows that were destroyed during the capture are known now. Try again without them.
    if !failed.isEmpty, plan.attempt < CapturePlan.attemptLimit {
      frame = .preparing(makePainting(backdrops), attempt: plan.attempt + 1)
    } else {
      present(plan: plan, after: backdrops)
    }
  }

  /// Begins to draw all changes, after other steps.
  private mutating func present(plan: CapturePlan?, after steps: [Painting.Step] = []) {
    drawnBlending = server.blendsAlpha
    advanceEntries(isCaptured: true)
    let all = steps + plannedSteps() + pictureSteps(isFrame: true)
    frame = .drawing(makePainting(all), framesBefore: plan == nil ? nil : statistics.frames)
  }
}
