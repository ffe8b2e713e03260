import Control
import Linux

/// The output of a program.
struct PrintedText {
  let output, errors: String
}

/// Runs a program, which is killed if it takes long. Nil if there is none of this name.
func outcome(of program: String, _ arguments: [String]) -> PrintedText? {
  guard let process = try? HelperProcess(program, arguments) else { return nil }
  let hasEnded = awaitReadable(process.descriptor, within: answerPatience)
  process.kill()
  return PrintedText(
    output: process.outputText,
    errors: hasEnded ? process.errorText : "\(program) does not answer")
}

/// A number with at most two decimals, without trailing zeros.
func decimal(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  return hundredths % 100 == 0 ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
}
