import ArgumentParser
import Control
import Panes

/// The duration of the transition of a change.
struct FadeOption: ParsableArguments {
  @Option(
    name: .customLong("fade"), parsing: .unconditional,
    help: ArgumentHelp("Duration of the fade in milliseconds, 0 to 10000.", valueName: "MS"))
  var milliseconds: Double?

  func value() throws(Failure) -> Fade {
    do { return try Fade(milliseconds: milliseconds ?? 0) } catch { throw Failure(error) }
  }
}

/// The daemon to which a command sends its requests.
struct DaemonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The display that backdropd serves: an X server, such as :0, or a Wayland compositor, such as wayland-1. "
        + "(default: $WAYLAND_DISPLAY if a backdropd serves it, or $DISPLAY)"))
  var display: String?

  /// Sends a request. Returns the reply with the file that came with it. Throws if the reply is a
  /// failure.
  func ask(_ request: Request) throws(Failure) -> ReceivedReply {
    let answer = try reply(to: request)
    if case .failure(let kind, let text) = answer.reply { throw Failure(kind, text) }
    return answer
  }

  private func reply(to request: Request) throws(Failure) -> ReceivedReply {
    do throws(ControlError) {
      var client = try ControlClient.connect(to: DisplayName.candidates(display))
      return try client.ask(request)
    } catch {
      throw Failure(error.naming(display))
    }
  }

  /// A connection on which events of some kinds follow; of all if there are none.
  func subscribe(to kinds: [EventKind]) throws(Failure) -> ControlClient {
    let refusal: Reply
    do throws(ControlError) {
      var client = try ControlClient.connect(to: DisplayName.candidates(display))
      refusal = try client.ask(.subscribe(kinds)).reply
      if case .done = refusal { return client }
    } catch {
      throw Failure(error.naming(display))
    }
    guard case .failure(let kind, let text) = refusal else { throw Failure(.unreadableReply) }
    throw Failure(kind, text)
  }

  /// Sends a request whose reply is `done`.
  func tell(_ request: Request) throws(Failure) {
    guard case .done = try ask(request).reply else { throw Failure(.unreadableReply) }
  }
}

/// The pane of a command.
struct NameArgument: ParsableArguments {
  @Argument(
    help: "The pane: 1 to 64 letters, digits, '.', '_' or '-'.",
    completion: .custom { words, _, _ in paneNames(completing: words) })
  var name: String
}

extension DaemonOptions {
  /// The options of an incomplete command line.
  static func completing(_ words: [String]) -> DaemonOptions? {
    let index = words.firstIndex(of: "--display")
    let value = index.flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    return try? parse(value.map { ["--display", $0] } ?? [])
  }
}

/// The names of the panes, for completions; none if no daemon answers.
func paneNames(completing words: [String]) -> [String] {
  ((try? DaemonOptions.completing(words)?.panes()) ?? []).map(\.name)
}

/// The option `--plain`.
struct PlainOption: ParsableArguments {
  @Flag(help: "A plain blur without corners, border and shadow: the same as --style plain.")
  var plain = false

  /// Applies the option to settings. Throws if they have another style.
  func apply(to settings: inout PaneSettings) throws(Failure) {
    if !plain { return }
    if settings.style == .glass {
      throw Failure(.usage, "plain: it contradicts --style glass; give one of them")
    }
    settings.style = .plain
  }
}
