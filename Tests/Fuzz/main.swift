import CFuzzer
import Glibc

// The first argument is a target, the others are those of libFuzzer: 'Fuzz requests -max_total_time=60 FOLDER'.

let words = CommandLine.arguments
guard words.count > 1, let target = FuzzTarget(rawValue: words[1]) else {
  let names = FuzzTarget.allCases.map(\.rawValue)
  print(names.joined(separator: "\n"))
  exit(words == [words[0], "--list"] ? 0 : 64)
}
unsafe FuzzTarget.chosen = target
exit(runFuzzer())

/// Calls the target until libFuzzer ends. Returns its exit status.
private func runFuzzer() -> Int32 {
  var count = CommandLine.argc - 1
  var arguments = unsafe Optional(CommandLine.unsafeArgv + 1)
  return unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    unsafe FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  }
}
