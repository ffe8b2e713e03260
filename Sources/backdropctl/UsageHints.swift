import ArgumentParser
import Panes

/// The failure for an error of the argument parser, with what was probably meant and the help of the right command.
func usageFailure(_ message: String, _ arguments: [String]) -> Failure {
  let (path, word) = commandPath(arguments)
  let name = path.map { $0._commandName }.joined(separator: " ")
  let help = "see '\(name) --help'"
  if let word, let command = path.last {
    return Failure(.usage, "\(unknownCommand(word, of: command, named: name)); \(help)")
  }
  var text = message.prefix(1).lowercased() + message.dropFirst()
  if let option = quoted(in: message, after: "Unknown option '--"), let command = path.last,
    let meant = synonyms[option], hasOption(meant, command)
  {
    text = "unknown option '--\(option)'. Did you mean '--\(meant)'?"
  }
  if let option = quoted(in: message, after: "Missing value for '--"), takesColor(option) {
    text +=
      "; a value with # must be in quotes, because the shell takes the rest of the line for a comment: "
      + "--\(option) '#FFFFFF40'"
  }
  return Failure(.usage, "\(text); \(help)")
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
      // Another one is the default if there is any.
      return last.configuration.defaultSubcommand == nil ? (path, word) : (path, nil)
    }
  }
  return (path, nil)
}

private func unknownCommand(
  _ word: String, of command: any ParsableCommand.Type, named name: String
) -> String {
  let names = command.configuration.subcommands.map { $0._commandName }
  var meant = word.lowercased().nearest(in: names)
  if let other = commandSynonyms[word.lowercased()], names.contains(other) { meant = [other] }
  return "there is no command '\(name) \(word)'; "
    + (meant.isEmpty
      ? "there are: \(names.joined(separator: ", "))"
      : "did you mean \(meant.map { "'\(name) \($0)'" }.joined(separator: " or "))?")
}

/// What other programs call a command.
private let commandSynonyms = [
  "delete": "remove", "rm": "remove", "del": "remove", "close": "remove", "new": "add",
  "create": "add", "ls": "list", "panes": "list", "change": "set", "edit": "set", "modify": "set",
  "update": "set", "stop": "quit", "exit": "quit", "kill": "quit", "monitors": "outputs",
  "screens": "outputs", "screenshot": "snapshot", "capture": "snapshot", "info": "status",
  "check": "doctor", "diagnose": "doctor", "load": "reload", "run": "start", "daemon": "start",
]

/// What other programs and people call a setting.
private let synonyms = [
  "blur": "sigma", "radius": "sigma", "blur-radius": "sigma", "strength": "sigma",
  "color": "tint", "colour": "tint", "opacity": "tint", "alpha": "tint", "background": "tint",
  "position": "geometry", "pos": "geometry", "place": "geometry", "rect": "geometry",
  "region": "geometry", "rounded": "corner", "round": "corner", "rounding": "corner",
  "corner-radius": "corner", "corners": "corner", "monitor": "output", "display-name": "output",
  "text": "label", "image": "content", "icon": "content", "timeout": "for", "duration": "for",
  "onclick": "click", "on-click": "click", "exec": "click", "command": "click",
  "saturate": "saturation", "theme": "scheme", "preset": "material", "app": "class",
  "wm-class": "class", "gap": "margin", "padding": "margin", "outline": "border",
]

/// The text in quotes after some words of a message, up to a space.
private func quoted(in message: String, after words: String) -> String? {
  guard message.hasPrefix(words) else { return nil }
  return String(message.dropFirst(words.count).prefix { $0 != "'" && $0 != " " })
}

private func hasOption(_ name: String, _ command: any ParsableCommand.Type) -> Bool {
  Backdropctl.helpMessage(for: command).contains("--\(name) ")
}

private func takesColor(_ option: String) -> Bool {
  ["color", "tint", "border", "shadow", "blend", "material"].contains(option)
}
