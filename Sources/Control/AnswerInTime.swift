import Linux
import Synchronization

/// The time for which display servers, other programs and the other ends of pipes are awaited. They need some hundredths of a second.
package let answerPatience = Duration.seconds(5)

/// How far a question has come that consists of several steps, each of which may take `answerPatience`.
package final class AnswerProgress: Sendable {
  private let steps = Atomic(0)

  /// A step has ended.
  package func recordStep() { steps.add(1, ordering: .relaxed) }

  fileprivate var count: Int { steps.load(ordering: .relaxed) }
}

/// Returns the result of `question`. It runs on a thread of its own, because what it asks may never answer. Nil if neither the
/// answer nor the end of a step comes within `answerPatience`; the thread is left alone then. Without a thread there is no bound.
package func answerInTime<Answer: ~Copyable & Sendable>(
  _ question: @escaping @Sendable (AnswerProgress) -> Answer
) -> Answer? {
  let progress = AnswerProgress()
  guard let task = try? BackgroundTask({ question(progress) }) else { return question(progress) }
  var known = -1
  while progress.count != known {
    known = progress.count
    if awaitReadable(task.descriptor, within: answerPatience) { return task.take() }
  }
  return nil
}
