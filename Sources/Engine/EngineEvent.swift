/// An event of the engine for its caller.
package enum EngineEvent: Sendable {
  /// `drawingJobs` may return other content than before.
  case contentChanged
  /// A request with a ticket is complete.
  case completed(Completion)
  case clicked(PaneClick)
  /// Panes were removed because their time was over.
  case panesEnded
  /// Glass behind a window is not shown, for a reason that the user can remove.
  case obstructed(PaneObstacle)

  /// The completion; nil for other events.
  package var completion: Completion? {
    if case .completed(let completion) = self { completion } else { nil }
  }
}
