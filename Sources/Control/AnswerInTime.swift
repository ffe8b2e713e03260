import Linux
import Synchronization

/// The longest time for which an answer of a display server, of another program or of the other end of a pipe is awaited. Answers
/// take some hundredths of a second.
package let answerPatience = Duration.seconds(5)

/// The progress of a question that consists of several steps, each of which may take `answerPatience`.
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
