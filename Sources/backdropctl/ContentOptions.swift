import ArgumentParser
import Panes
import Synchronization

/// What a pane holds: images and labels, each with the attributes that follow it. The argument parser
/// keeps the order of the values of one option only, so each value here knows when it was read.
struct ContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Put an image on the glass: a PNG file, drawn as large as the output's scale asks for; "
        + "of name@2x.png two pixels make one. May be given again, and with --label, each upon "
        + "those before; 'none' takes all away. Of what follows, --at and --vibrancy are its own.",
      valueName: "FILE.png"),
    completion: .file(extensions: ["png"]), transform: { ContentWord(.content, $0) })
  var content: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Put a text on the glass, in any script and in as many lines as it has. Of what follows, "
        + "--at, --vibrancy, --font and --color are its own.",
      valueName: "TEXT"), transform: { ContentWord(.label, $0) })
  var label: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Where the content lies on the pane: so many pixels from the left and the top (20,10), from "
        + "the right and the bottom (-20,-10), or in the middle (center,-10). (default: center)",
      valueName: "center|X,Y"), transform: { ContentWord(.at, $0) })
  var at: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "How the content takes its colour from the glass. As text: label, secondary, tertiary or quaternary, "
        + "from strong to faint; as a shape: fill, secondary-fill, tertiary-fill or separator; or "
        + "none, in its own colours. (default: label for labels, none for images)",
      valueName: "STYLE"), transform: { ContentWord(.vibrancy, $0) })
  var vibrancy: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The font of a label: a family, a style and a size in points (1 to 1000) or pixels, as "
        + "'Sans Bold 24' or 'Serif 32px', at the scale of the output. What is left out is that of "
        + "Sans 18.",
      valueName: "FONT"), transform: { ContentWord(.font, $0) })
  var font: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The colour of a label with --vibrancy none. (default: #FFFFFF)", valueName: "#RRGGBB[AA]"),
    transform: { ContentWord(.color, $0) })
  var color: [ContentWord] = []

  /// What is asked for, as pixels for an output of a scale, which matters only when there is something to
  /// draw. Nil when nothing is said, so that a pane keeps what it holds.
  func contents(
    scale: () throws(Failure) -> Double
  ) throws(Failure) -> [PaneContent]? {
    let words = [content, label, at, vibrancy, font, color].joined()
      .sorted { $0.ticket < $1.ticket }
    if words.isEmpty { return nil }
    if words.contains(where: { $0.option == .content && $0.text == "none" }) {
      if words.count == 1 { return [] }
      throw Failure(.usage, "content: 'none' takes all away; give it alone, or name a file ./none")
    }
    let items = try words.groupedByItem().map { group throws(Failure) in try ContentItem(group) }
    return try items.drawn(scale: items.isEmpty ? 1 : scale())
  }
}

/// The value of one of the options that make content, and when it was read among all of them.
struct ContentWord: Sendable {
  enum Option: String {
    case content, label, at, vibrancy, font, color
  }

  let option: Option
  let text: String
  fileprivate let ticket: Int

  init(_ option: Option, _ text: String) {
    self.option = option
    self.text = text
    ticket = tickets.add(1, ordering: .relaxed).newValue
  }

  /// Whether it begins an image or a label, and is no attribute of one.
  fileprivate var isItem: Bool { option == .content || option == .label }
}

private let tickets = Atomic(0)

/// An image or a label, and what was said of it.
struct ContentGroup {
  let item: ContentWord
  fileprivate(set) var attributes: [ContentWord.Option: String] = [:]

  /// As it was asked for.
  var name: String { "--\(item.option) '\(item.text)'" }
}

extension [ContentWord] {
  fileprivate func groupedByItem() throws(Failure) -> [ContentGroup] {
    var groups: [ContentGroup] = []
    for word in self {
      if word.isItem {
        groups.append(ContentGroup(item: word))
      } else if groups.isEmpty {
        throw Failure(
          .usage,
          "\(word.option): nothing is before '\(word.text)'; give it behind the --content or "
            + "--label that it is meant for")
      } else if groups[groups.count - 1].attributes.updateValue(word.text, forKey: word.option)
        != nil
      {
        throw Failure(
          .usage, "\(word.option): given twice for \(groups[groups.count - 1].name); give it once")
      }
    }
    return groups
  }
}
