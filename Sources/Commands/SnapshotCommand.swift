import ArgumentParser
import Control
import Raster

/// The command `snapshot`.
struct Snapshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a pane as it was last drawn to a PNG file.",
    discussion: "The corners and the shadow are translucent.")

  @OptionGroup var pane: NameArgument
  @Argument(help: "The PNG file to write; - is the standard output.")
  var output: String
  @Flag(help: "Write the captured backdrop of the pane, without blur.")
  var backdrop = false
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "The output of a pane that is on several. (default: the first one)", valueName: "NAME"))
  var outputName: String?
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let file = try OutputFile(path: output)
    let picture = try picture()
    let isOpaque = picture.pixels.allSatisfy { $0 >> 24 == 255 }
    try file.write(png: picture, isOpaque: isOpaque)
  }

  private func picture() throws(Failure) -> Bitmap {
    let answer = try daemon.ask(
      .snapshot(name: pane.name, output: outputName, isBackdrop: backdrop))
    guard let picture = answer.picture() else { throw Failure(.unreadableReply) }
    return picture
  }
}
