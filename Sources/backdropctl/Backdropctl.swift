import ArgumentParser
import Control
import Glibc

@main
struct Backdropctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backdropctl",
    abstract: "Puts live frosted glass on an X11 desktop, by way of a running backdropd.",
    discussion: """
      A pane is one piece of frosted glass: a rectangle of the screen that shows what lies behind \
      it, blurred and coloured, in step with every change.

        backdropctl add clock --geometry 400x300-40+40 --sigma 20 --tint '#FFFFFF40'
        backdropctl set clock --sigma 35 --saturation 1.8
        backdropctl toggle clock --fade 250
        backdropctl list

      'blur' needs neither backdropd nor a display.

      Exit status: 0 done; 64 wrong use; 65 broken picture; 66 no such input; 69 no backdropd \
      answers; 70 a bug; 73 cannot write the output; 78 wrong environment.
      """,
    subcommands: subcommands)

  // Here too, so that the option may stand before the command.
  @OptionGroup var daemon: DaemonOptions

  static let subcommands: [any ParsableCommand.Type] = [
    Add.self, Set.self, Remove.self, Show.self, Hide.self, Toggle.self,
    List.self, Status.self, Sync.self, Quit.self,
    Materials.self, Snapshot.self, Blur.self, Bench.self, Demo.self,
  ]

  static func main() {
    // Pango draws Han characters as the user's language has them.
    unsafe setlocale(LC_CTYPE, "")
    Glibc.exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Returns the exit status.
  private static func run(_ arguments: [String]) -> Int32 {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
      return 0
    } catch let failure as Failure {
      failure.report()
      return failure.kind.exitStatus
    } catch {
      let code = exitCode(for: error)
      if code == .success {
        print(fullMessage(for: error))
      } else {
        Failure(.usage, "\(message(for: error)); see 'backdropctl --help'").report()
      }
      return code.rawValue
    }
  }
}
