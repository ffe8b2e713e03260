import ArgumentParser
import Control
import Glibc

/// The command `subscribe`.
struct Subscribe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints events as lines of JSON, until interrupted.",
    discussion: """
      First come the panes, the outputs and what is wrong now, as if it had just been added; then what changes. The \
      key 'event' tells the kind:

        pane-added, pane-removed, pane-shown, pane-hidden, pane-moved
        pane-changed, panes-reordered
        output-added, output-changed, output-removed
        display-lost, display-found, locked, unlocked
        reload, error, error-ended
        rates: once a second while something is drawn

        backdropctl subscribe pane-shown | while read -r line; do ...; done

      A program that reads slowly gets fewer events, but the last state. Ends with 69 when the daemon ends.
      """)

  @Argument(help: "The kinds of events. (default: all)")
  var kinds: [EventKind] = []
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    var client = try daemon.subscribe(to: kinds)
    while awaitEvent(of: client) {
      do throws(ControlError) {
        let line = String(decoding: try client.nextEvent().line, as: UTF8.self)
        guard write(Array(terminalJSON(line).utf8)) else { return }
      } catch .noAnswer(let display) {
        throw Failure(.unavailable, "backdropd on display \(display) has ended")
      } catch {
        throw Failure(error)
      }
    }
  }

  /// Waits for an event, or for the end of the daemon. Returns false if the reader of the standard output is gone.
  private func awaitEvent(of client: borrowing ControlClient) -> Bool {
    if client.hasEvent { return true }
    var polled = [
      pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    while unsafe poll(&polled, 2, -1) < 0 {}
    return polled[0].revents != 0 || polled[1].revents & Int16(POLLERR) == 0
  }

  /// Writes a line to the standard output. Returns false if that is not possible.
  private func write(_ line: [UInt8]) -> Bool {
    var rest = line[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
      }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }
}

extension EventKind: ExpressibleByArgument {}
