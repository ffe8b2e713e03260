import ArgumentParser
import Control
import Glibc
import Panes

/// The command `apply`.
struct Apply: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replaces all panes by those of a file: adds, changes and removes panes.",
    discussion: """
      The file is a JSON list of panes in stacking order, the lowest first. Each has a name, any settings, \
      'shown' (default: true) and 'content', a list of images and labels. If one pane is wrong, nothing \
      is changed.

        [
          {"name": "clock", "geometry": "400x120-40+40", "material": "dark",
           "content": [{"label": "12:45", "font": "Sans Bold 40"}]},
          {"name": "dock", "geometry": "600x80+660-20", "sigma": 30, "shown": false}
        ]
      """)

  @Argument(help: "The JSON file to read; - is the standard input.", completion: .file())
  var file: String
  @Flag(name: .customLong("dry-run"), help: "Only print what would be done.")
  var isRehearsal = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let declared = try readPanes()
    let panes = try declared.map { pane throws(Failure) in
      if pane.contents == nil { return pane.pane }
      return try pane.drawn(for: daemon.target(of: pane.pane.settings))
    }
    let reply = try daemon.ask(.apply(panes, isRehearsal: isRehearsal)).reply
    guard case .actions(let actions) = reply else { throw Failure(.unreadableReply) }
    for action in actions { print("\(action.action) \(action.name)") }
    daemon.warnOfAbsentOutputs(of: panes.map(\.settings.output))
  }

  private func readPanes() throws(Failure) -> [DeclaredPane] {
    var input = try InputFile(path: file)
    let text = try input.read(upTo: 1 << 20)
    do {
      return try DeclaredPane.parse(text)
    } catch {
      throw Failure(.data, "\(input.path): \(error)")
    }
  }
}

extension DeclaredPane {
  /// The pane with its content drawn.
  func drawn(for target: ContentTarget?) throws(Failure) -> Pane {
    guard let contents else { return pane }
    let drawn: [PaneContent]
    do {
      drawn = try contents.map { content throws(Failure) in try content.item() }.drawn(for: target)
    } catch {
      throw pane.failure(error)
    }
    return try pane.withContents(drawn)
  }
}

extension Pane {
  /// The pane with this content. Throws a failure that names the pane.
  func withContents(_ contents: [PaneContent]) throws(Failure) -> Pane {
    var settings = settings
    settings.contents = contents
    do {
      return try Pane(name, settings, isShown: isShown)
    } catch {
      throw failure(Failure(error))
    }
  }

  fileprivate func failure(_ failure: Failure) -> Failure {
    Failure(failure.kind, "pane '\(name)': \(failure.text)")
  }
}

extension DeclaredContent {
  /// The image or the label, not drawn. Throws if an attribute is wrong, or if an image is not a PNG file.
  func item() throws(Failure) -> ContentItem { try ContentItem(ContentGroup(self)) }
}

extension ContentGroup {
  fileprivate init(_ content: DeclaredContent) {
    item =
      content.image.map { ContentWord(.content, $0) } ?? ContentWord(.label, content.label ?? "")
    attributes = [:]
    for (name, text) in content.attributes {
      if let option = ContentWord.Option(rawValue: name) { attributes[option] = text }
    }
  }
}
