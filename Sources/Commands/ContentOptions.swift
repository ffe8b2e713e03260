import ArgumentParser
import Panes
import Synchronization

/// The options for images and labels, each with the attributes that follow it. The argument parser
/// keeps the order of the values of one option only, so each value records when it was parsed.
struct ContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Put an image on the glass: a PNG file, scaled to the output; name@2x.png has twice the "
        + "resolution. Can be repeated and mixed with --label; each is drawn over the ones before. "
        + "'none' removes all. --at and --vibrancy after it are its attributes.",
      valueName: "FILE.png"),
    completion: .file(extensions: ["png"]), transform: { ContentWord(.content, $0) })
  var content: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Put a text on the glass, in any script; newlines separate lines; - is the standard input. --at, "
        + "--vibrancy, --font, --color, --wrap and --ellipsize after it are its attributes.",
      valueName: "TEXT"), transform: { ContentWord(.label, $0) })
  var label: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Position of the content on the pane: distances from the left and the top (20,10), from the "
        + "right and the bottom (-20,-10), or centred (center,-10). (default: center)",
      valueName: "center|X,Y"), transform: { ContentWord(.at, $0) })
  var at: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "How the content takes its colour from the glass. For text: label, secondary, tertiary "
        + "or quaternary, from strong to faint; for shapes: fill, secondary-fill, "
        + "tertiary-fill or separator; or none, its own colours. (default: label for labels, "
        + "none for images)",
      valueName: "STYLE"), transform: { ContentWord(.vibrancy, $0) })
  var vibrancy: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Font of a label: a family, a style and a size in points (1 to 1000) or pixels at scale "
        + "1, such as 'Sans Bold 24' or 'Serif 32px'. Missing parts are those of Sans 18.",
      valueName: "FONT"), transform: { ContentWord(.font, $0) })
  var font: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Colour of a label with --vibrancy none. (default: #FFFFFF)", valueName: "#RRGGBB[AA]"),
    transform: { ContentWord(.color, $0) })
  var color: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Where the lines of a label that are too long for its pane are broken: word, char (anywhere) or none. "
        + "(default: word)", valueName: "WHERE"),
    completion: .list(TextFit.Wrapping.allCases.map(\.rawValue)),
    transform: { ContentWord(.wrap, $0) })
  var wrap: [ContentWord] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The part of a label that is left out, with an ellipsis, if it is too large for its pane: end, middle, start "
        + "or none. (default: end)", valueName: "PART"),
    completion: .list(TextFit.Ellipsis.allCases.map(\.rawValue)),
    transform: { ContentWord(.ellipsize, $0) })
  var ellipsize: [ContentWord] = []

  /// The images and labels, drawn for `target`, which is called only if there is something to draw. Nil without content
  /// options; then the pane keeps its content.
  func contents(
    for target: () throws(Failure) -> ContentTarget?
  ) throws(Failure) -> [PaneContent]? {
    guard let items = try items() else { return nil }
    return items.isEmpty ? [] : try items.drawn(for: target())
  }

  /// The images and labels, not drawn. Nil without content options.
  func items() throws(Failure) -> [ContentItem]? {
    let words = [content, label, at, vibrancy, font, color, wrap, ellipsize].joined()
      .sorted { $0.sequenceNumber < $1.sequenceNumber }
    if words.isEmpty { return nil }
    if words.contains(where: { $0.option == .content && $0.text == "none" }) {
      if words.count == 1 { return [] }
      throw Failure(
        .usage,
        "content: 'none' removes all content and must be given alone; a "
          + "file of this name is ./none")
    }
    return try words.groupedByItem().readingStandardInput().map { group throws(Failure) in
      try ContentItem(group)
    }
  }
}

/// The value of a content option, and its position among the values of all of them.
struct ContentWord: Sendable {
  enum Option: String {
    case content, label, at, vibrancy, font, color, wrap, ellipsize
  }

  let option: Option
  let text: String
  fileprivate let sequenceNumber: Int

  init(_ option: Option, _ text: String) {
    self.init(option, text, sequenceNumber: sequenceNumbers.add(1, ordering: .relaxed).newValue)
  }

  private init(_ option: Option, _ text: String, sequenceNumber: Int) {
    (self.option, self.text, self.sequenceNumber) = (option, text, sequenceNumber)
  }

  /// The same option with another text.
  fileprivate func with(_ text: String) -> ContentWord {
    ContentWord(option, text, sequenceNumber: sequenceNumber)
  }

  /// Whether it is a label whose text is the standard input.
  fileprivate var readsStandardInput: Bool { option == .label && text == standardStream }

  /// Whether it starts an image or a label; otherwise it is an attribute.
  fileprivate var isItem: Bool { option == .content || option == .label }
}

private let sequenceNumbers = Atomic(0)

/// An image or a label, and its attributes.
struct ContentGroup {
  var item: ContentWord
  var attributes: [ContentWord.Option: String] = [:]

  /// The option and its value on the command line.
  var name: String { "--\(item.option) '\(item.text)'" }
}

extension [ContentWord] {
  /// Assigns each attribute to the item before it. Throws if there is none, or if an attribute is
  /// repeated.
  fileprivate func groupedByItem() throws(Failure) -> [ContentGroup] {
    var groups: [ContentGroup] = []
    for word in self {
      if word.isItem {
        groups.append(ContentGroup(item: word))
      } else if groups.isEmpty {
        throw Failure(
          .usage,
          "\(word.option): '\(word.text)' comes before any content; give it after its --content or --label"
        )
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

extension [ContentGroup] {
  /// The groups with the text of the standard input in place of `-`.
  fileprivate func readingStandardInput() throws(Failure) -> [ContentGroup] {
    var groups = self
    for reader in indices where groups[reader].item.readsStandardInput {
      var input = try InputFile(path: standardStream)
      let bytes = try input.read(upTo: 1 << 20)
      groups[reader].item = groups[reader].item.with(String(decoding: bytes, as: UTF8.self))
    }
    return groups
  }
}
