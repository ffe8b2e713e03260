import Glibc
import Raster
import TestSupport

/// A moving screen in memory. The display server and all programs end with it.
protocol DemoScene {
  var display: DemoDisplay { get }
  /// The arguments of the commands that add its glass.
  var glass: [[String]] { get }
  /// The whole screen, as a user would see it.
  func screenshot() throws -> Bitmap
}

/// Lines of changing length, twenty per second, without end: a command of a shell.
let scrollingText = """
  printf '\\033[?25l'; i=0; while :; do i=$((i+1)); \
  printf '\\033[9%dm[%5d]\\033[0m  the quick brown fox jumps over the lazy dog %d times\\n' \
  $((i%6+1)) $i $((i*i%1000003)); sleep 0.05; done
  """

/// A page of text that stays: a command of a shell.
let pageOfText = """
  printf '\\033[?25l\\n   \\033[1mFrosted glass\\033[0m\\n\\n'; for i in 1 2 3 4; do \
  printf '   Glass shows what is behind it, but not its details: colours and\\n'; \
  printf '   large shapes pass, and text does not. So what is on the glass is\\n'; \
  printf '   easy to read, and one still knows where one is.\\n\\n'; done; sleep 1000
  """

/// Positions in the shape of an eight, longer than the demo at sixty per second.
let movingPath = (0..<3000).map { step in
  let angle = Double(step) / 90
  return (x: 480 + Int(380 * sin(angle)), y: 330 + Int(240 * sin(2 * angle)))
}

/// Throws an error that names the package, unless each program is in a directory of `PATH`.
func requirePrograms(_ packages: KeyValuePairs<String, String>) throws {
  let directories = try ownEnvironment()["PATH"]?.split(separator: ":") ?? []
  for (program, package) in packages {
    let isThere = directories.contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
    if !isThere { throw MissingProgram(name: program, package: package) }
  }
}

/// A program that the demo needs.
struct MissingProgram: Error, CustomStringConvertible {
  let name, package: String
  var description: String { "no '\(name)': install the package \(package)" }
}
