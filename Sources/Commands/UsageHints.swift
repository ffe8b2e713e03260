import ArgumentParser
import Panes

/// The failure for an error of the argument parser, with what was probably meant and the help of the right command.
func usageFailure(_ message: String, _ arguments: [String]) -> Failure {
  let (path, word) = commandPath(arguments)
  if let word { return unknownCommandFailure(word, after: path) }
  let message = onOneLine(message)
  var text = message.prefix(1).lowercased() + message.dropFirst()
  if let command = path.last, let hint = hint(on: message, of: command) {
    // The parser may have found a name that is only similar.
    text = text[..<(text.firstRange(of: ". Did you mean")?.lowerBound ?? text.endIndex)] + hint
  }
  if let option = quoted(in: message, after: "Missing value for '--"), takesColor(option) {
    text +=
      "; a value with # must be in quotes, because the shell takes the rest of the line for a comment: "
      + "--\(option) '#FFFFFF40'"
  }
  return Failure(.usage, "\(text); \(help(after: path))")
}

/// The failure of a request for the help of a command that there is not; nil for other arguments.
func unknownCommandFailure(inRequestForHelp arguments: [String]) -> Failure? {
  guard arguments.contains(where: ["help", "--help", "-h"].contains) else { return nil }
  let (path, word) = commandPath(arguments)
  return word.map { unknownCommandFailure($0, after: path) }
}

private func unknownCommandFailure(
  _ word: String, after path: [any ParsableCommand.Type]
) -> Failure {
  let text = unknownCommand(word, of: path.last ?? Backdropctl.self, named: name(of: path))
  return Failure(.usage, "\(text); \(help(after: path))")
}

private func name(of path: [any ParsableCommand.Type]) -> String {
  path.map { $0._commandName }.joined(separator: " ")
}

private func help(after path: [any ParsableCommand.Type]) -> String {
  "see '\(name(of: path)) --help'"
}

/// A message of the parser, which lists values in lines of their own, as one line.
private func onOneLine(_ message: String) -> String {
  let lines = message.split(separator: "\n")
  let values = lines.dropFirst().map { $0.drop { $0 == " " } }
    .map { $0.hasPrefix("- ") ? $0.dropFirst(2) : $0 }
  return [lines.first.map(String.init) ?? "", values.joined(separator: ", ")]
    .filter { !$0.isEmpty }.joined(separator: " ")
}

/// The commands that the arguments name, from the program on, and the word in the place of a command that names none.
private func commandPath(
  _ arguments: [String]
) -> (path: [any ParsableCommand.Type], unknown: String?) {
  var path: [any ParsableCommand.Type] = [Backdropctl.self]
  var words = arguments[...]
  while let word = words.popFirst(), let last = path.last {
    let commands = last.configuration.subcommands
    if commands.isEmpty { break }
    if word == "--display" {
      _ = words.popFirst()
    } else if let command = commands.first(where: { $0._commandName == word }) {
      path.append(command)
    } else if !word.hasPrefix("-"), word != "help" {
      // If the command has a default subcommand, the word is an argument of that.
      return last.configuration.defaultSubcommand == nil ? (path, word) : (path, nil)
    }
  }
  return (path, nil)
}

private func unknownCommand(
  _ word: String, of command: any ParsableCommand.Type, named name: String
) -> String {
  let names = command.configuration.subcommands.map { $0._commandName }
  let key = word.lowercased()
  let start = "there is no command '\(name) \(word)'; "
  if let advice = commandAdvice[key] { return start + advice }
  var meant = key.nearest(in: names)
  if let other = commandSynonyms[key], names.contains(other) { meant = [other] }
  if !meant.isEmpty {
    return start + "did you mean \(meant.map { "'\(name) \($0)'" }.joined(separator: " or "))?"
  }
  if Backdropctl.subcommands.contains(where: { $0._commandName == key }) {
    return start + "did you mean 'backdropctl \(key)'?"
  }
  if command == Behind.self {
    return start + "did you mean '\(name) add \(shellWord(word)) --class \(shellWord(word))'?"
  }
  return start + "there are: \(names.joined(separator: ", "))"
}

/// The names of commands in other programs.
private let commandSynonyms = [
  "delete": "remove", "rm": "remove", "del": "remove", "close": "remove", "clear": "remove",
  "new": "add", "create": "add", "ls": "list", "panes": "list", "change": "set", "edit": "set",
  "modify": "set", "update": "set", "resize": "set", "stop": "quit", "exit": "quit", "kill": "quit",
  "monitors": "outputs", "screens": "outputs", "screenshot": "shot", "capture": "shot",
  "info": "status", "check": "doctor", "diagnose": "doctor", "load": "reload", "run": "start",
  "daemon": "start", "themes": "materials", "presets": "materials", "windows": "behind",
  "select": "pick", "watch": "subscribe", "events": "subscribe", "blur-behind": "behind",
]

/// The advice for commands that do not exist.
private let commandAdvice = [
  "move": moving, "mv": moving, "place": moving, "position": moving,
  "version": "'backdropctl --version' prints the version",
  "log": logging, "logs": logging, "journal": logging,
  "rename": "a pane keeps its name; add another one and remove this one",
  "enable": "'systemctl --user enable backdropd' starts it with the session",
  "disable": "'systemctl --user disable backdropd' no longer starts it with the session",
  "glass": glassBehind, "terminal": glassBehind, "window": glassBehind, "opacity": glassBehind,
  "transparency": glassBehind,
]

private let moving =
  "'backdropctl set NAME --geometry WxH+X+Y' or '--anchor top-right' moves a pane"
private let logging =
  "'journalctl --user --unit backdropd' prints the log of the unit; that of a process that 'start' has started is "
  + "in ~/.local/state/backdropd"
/// How glass behind a window is made.
let glassBehind =
  "'backdropctl pick --add NAME' or 'backdropctl behind add NAME --class CLASS' puts glass behind windows"

/// Other names for settings, and the settings that each may mean. The first one that the command has is
/// suggested, or all of those that a word may mean.
private let synonyms: [String: [String]] = [
  "blur": ["sigma"], "radius": ["sigma", "corner"], "blur-radius": ["sigma"],
  "strength": ["sigma"], "color": ["tint"], "colour": ["tint"], "opacity": ["tint"],
  "alpha": ["tint"], "background": ["tint"], "position": ["geometry", "anchor"],
  "pos": ["geometry", "anchor"], "place": ["geometry", "anchor"], "x": ["geometry"],
  "y": ["geometry"], "width": ["size"], "height": ["size"], "rect": ["geometry"],
  "region": ["geometry"], "rounded": ["corner"], "round": ["corner"], "rounding": ["corner"],
  "corner-radius": ["corner"], "corners": ["corner"], "monitor": ["output"],
  "screen": ["output"], "display-name": ["output"], "text": ["label"], "image": ["content"],
  "icon": ["content"], "timeout": ["for"], "duration": ["for"], "onclick": ["click"],
  "on-click": ["click"], "exec": ["click"], "command": ["click"], "saturate": ["saturation"],
  "theme": ["scheme"], "preset": ["material"], "app": ["class"], "wm-class": ["class"],
  "name": ["class"], "gap": ["margin"], "padding": ["margin"], "outline": ["border"],
]

/// The text in quotes after some words of a message, up to a space.
private func quoted(in message: String, after words: String) -> String? {
  guard message.hasPrefix(words) else { return nil }
  return String(message.dropFirst(words.count).prefix { $0 != "'" && $0 != " " })
}

/// The probable meaning of arguments that the parser refuses with a message; nil if unknown.
private func hint(on message: String, of command: any ParsableCommand.Type) -> String? {
  if let option = quoted(in: message, after: "Unknown option '--") {
    let meant = options(synonyms[option] ?? [], of: command)
    if !meant.isEmpty {
      return "; did you mean \(meant.map { "'--\($0)'" }.joined(separator: " or "))?"
    }
    return option == "all" ? "; '\(command._commandName)' is about all of them" : nil
  }
  if message.hasPrefix("Unknown option '-v'") || message.hasPrefix("Unknown option '-V'") {
    return "; 'backdropctl --version' prints the version"
  }
  if message.hasPrefix("Missing expected argument '<name>'") {
    return "; 'backdropctl list' prints the names of the panes"
  }
  if command == Blur.self, message.hasPrefix("Missing expected argument") {
    return "; 'blur' paints on a PNG file, and \(glassBehind)"
  }
  let word =
    quoted(in: message, after: "Unexpected argument '")
    ?? quoted(in: message, after: "2 unexpected arguments: '")
  guard let word, let option = option(for: word),
    !options([option.name], of: command).isEmpty
  else { return nil }
  return "; did you mean '--\(option.text)'?"
}

/// The option that takes a word, and its text: a setting that is named, or of which it is a value.
private func option(for word: String) -> (name: String, text: String)? {
  if Setting.all.contains(where: { $0.name == word }) { return (word, word) }
  if (try? PaneSize(parsing: word)) != nil { return ("size", "size \(word)") }
  if (try? Geometry(parsing: word)) != nil { return ("geometry", "geometry \(word)") }
  if (try? Anchor(parsing: word)) != nil { return ("anchor", "anchor \(word)") }
  return (try? MaterialChoice(parsing: word)).map { _ in ("material", "material \(word)") }
}

/// The options among `names` that a command has.
private func options(_ names: [String], of command: any ParsableCommand.Type) -> [String] {
  if names.isEmpty { return [] }
  let help = Backdropctl.helpMessage(for: command)
  return names.filter { help.contains("--\($0) ") }
}

private func takesColor(_ option: String) -> Bool {
  ["color", "tint", "border", "shadow", "blend", "material"].contains(option)
}
