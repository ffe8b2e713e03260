package import Control
package import Engine

/// Returns the result of `question`. A command must use this function to ask a display, because a stopped server does not answer.
/// Only the user's click or drag is awaited without a time limit. Throws what `question` throws, or
/// `unreachable` if the display is silent for `answerPatience`.
package func askDisplay<Answer: ~Copyable & Sendable>(
  _ name: String,
  _ question: @escaping @Sendable (AnswerProgress) throws(DisplayError) -> Answer
) throws(DisplayError) -> Answer {
  let answer = answerInTime { progress in
    Result { () throws(DisplayError) in try question(progress) }
  }
  guard let answer else { throw .unreachable(silence(of: name)) }
  return try answer.get()
}

/// The error for a display that does not answer.
func silence(of display: String) -> String {
  "display \(display) does not answer: its server is stopped, or hangs"
}
