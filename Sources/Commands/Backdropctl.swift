import ArgumentParser
import Configuration
import Control
import Glibc
import Linux

/// Runs the command line that controls the daemon, and ends the process.
package func runCommand() { Backdropctl.main() }

/// The command line that controls the daemon.
struct Backdropctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backdropctl",
    abstract: "Puts live frosted glass on a desktop. Needs a running backdropd.",
    discussion: """
      A pane is one piece of frosted glass: a rectangle of the screen that shows the blurred and coloured \
      screen contents behind it and follows every change.

        backdropctl add clock --geometry 400x300-40+40 --sigma 20 --tint '#FFFFFF40'
        backdropctl set clock --sigma 35 --saturation 1.8
        backdropctl toggle clock --fade 250
        backdropctl list

      'blur', 'materials', 'bench', 'config check' and 'config show' need neither backdropd nor a display. If something does not work: \
      'backdropctl doctor'.

      Exit status: 0 done; 1 'doctor' has found a problem; 64 wrong usage; 65 broken input file; 66 no such input file; 69 no backdropd \
      answers or it cannot perform the request; 70 a bug; 73 cannot write the output; 78 wrong environment; \
      130 cancelled.
      """,
    version: "backdropctl \(ProgramVersion.text) for \(ProgramBuild.current.rawValue)",
    subcommands: subcommands)

  // The option may also precede the command.
  @OptionGroup var daemon: DaemonOptions

  static let subcommands: [any ParsableCommand.Type] = [
    Add.self, SetCommand.self, Remove.self, Show.self, Hide.self, Toggle.self, DrawerCommand.self,
    Behind.self, Pick.self, Apply.self, Redraw.self, ConfigCommand.self, Reload.self,
    Start.self, Restart.self, List.self, Subscribe.self, Outputs.self, Cache.self, Refresh.self,
    Status.self,
    Sync.self,
    Quit.self,
    Materials.self, Snapshot.self, Shot.self, Blur.self, Bench.self, DoctorCommand.self,
  ]

  static func main() {
    denyInspection()
    // Pango uses the locale to select the language variant of Han characters.
    unsafe setlocale(LC_CTYPE, "")
    Glibc.exit(run(processArguments()))
  }

  /// Returns the exit status.
  private static func run(_ arguments: [String]) -> Int32 {
    do {
      var command = try parseAsRoot(arguments)
      if command is any GlassCommand { continueInBestBuild() }
      try command.run()
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch let errors as ConfigurationErrors {
      errors.report()
      return FailureKind.configuration.exitStatus
    } catch let failure as Failure {
      failure.report()
      return failure.kind.exitStatus
    } catch {
      let code = exitCode(for: error)
      // The parser prints the help of the last command that it knows.
      let failure =
        code == .success
        ? unknownCommandFailure(inRequestForHelp: arguments)
        : usageFailure(message(for: error), arguments)
      guard let failure else {
        print(fullMessage(for: error))
        return code.rawValue
      }
      failure.report()
      return (code == .success ? .validationFailure : code).rawValue
    }
  }
}
