import Engine
import WaylandClient

/// A request for `.answered`: first the compositor answers, then a capture shows what it had done.
struct PendingAnswer {
  let id: AnswerID
  var callback: WaylandObject?
  /// The captures that must end, by output.
  var captures: [OutputID: Int] = [:]
  /// The commits that a capture must have shown, by output.
  var commits: [OutputID: Int] = [:]
  /// When it ends without what it waits for; nil if captures end it.
  var deadline: Duration?

  /// An output that is off confirms nothing.
  static let timeLimit = Duration.milliseconds(250)
}
