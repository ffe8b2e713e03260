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
    guard case .picture(let report) = answer.reply, let count = report.pixelCount,
      let pixels = answer.pixels(count)
    else { throw Failure(.unreadableReply) }
    if report.stride == report.width {
      return Bitmap(width: report.width, height: report.height, pixels: pixels)
    }
    let rows = (0..<report.height).map { row in
      pixels[row * report.stride..<row * report.stride + report.width]
    }
    return Bitmap(width: report.width, height: report.height, pixels: Array(rows.joined()))
  }
}

extension ReceivedReply {
  /// The first `count` pixels of the file that came with the reply; nil if there are fewer.
  fileprivate func pixels(_ count: Int) -> [UInt32]? {
    switch attachment {
    case .some(let file): file.readPixels(count)
    case .none: nil
    }
  }
}
