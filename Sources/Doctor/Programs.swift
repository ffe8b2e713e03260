import Control
import Linux

/// What a program printed.
struct PrintedText {
  let output, errors: String
}

/// Runs a program, which is killed if it takes long. Nil if there is none of this name.
func outcome(of program: String, _ arguments: [String]) -> PrintedText? {
  guard let process = try? HelperProcess(program, arguments) else { return nil }
  let hasEnded = awaitReadable(process.descriptor, within: patience)
  process.kill()
  return PrintedText(
    output: process.outputText,
    errors: hasEnded ? process.errorText : "\(program) does not answer")
}

/// The time for which other programs and display servers are awaited. They need some hundredths of a second.
private let patience = Duration.seconds(5)

/// What `question` returns, on a thread of its own; nil if that takes long.
func answerInTime<Answer: Sendable>(_ question: @escaping @Sendable () -> Answer) -> Answer? {
  guard let task = try? BackgroundTask(question),
    awaitReadable(task.descriptor, within: patience)
  else { return nil }
  return task.take()
}

/// A number with at most two decimals, without trailing zeros.
func decimal(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  return hundredths % 100 == 0 ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
}
