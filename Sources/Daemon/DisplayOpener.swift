import Control
import Engine
import Logging

/// Opens the display on a thread of its own, because that waits for the server.
typealias DisplayOpener<Server: ServedDisplay & ~Copyable> = BackgroundTask<DisplayOutcome<Server>>

/// The result of an attempt to open the display.
enum DisplayOutcome<Server: ServedDisplay & ~Copyable>: ~Copyable, Sendable {
  case opened(OpenedDisplay<Server>)
  case failed(DaemonError)
}

/// A display that is served, and the control socket if it was taken over from another daemon.
///
/// Sendable because it is made by one thread, which then gives it up.
struct OpenedDisplay<Server: ServedDisplay & ~Copyable>: ~Copyable, @unchecked Sendable {
  let display: Server
  let control: ControlServer?
}

/// Opens the display of a daemon that starts. Another daemon is replaced only after the display has answered, so that
/// a display that cannot be opened changes nothing.
func openDisplay<Server: ServedDisplay & ~Copyable>(
  _ options: Options, socket: String, _ logger: Logger
) -> DisplayOutcome<Server> {
  var control: ControlServer?
  var failure: ControlError?
  let end = now() + (options.patience.start ?? .zero)
  // Made only if the display is not there, because it takes some milliseconds to end.
  var arrivals: DisplayArrivals?
  var pause = DisplayArrivals.shortestPause
  while true {
    do throws(DisplayError) {
      let display = try Server.open(
        options.display.text, options, replacesOther: options.replacesOther, logger
      ) {
        if !options.replacesOther { return true }
        do throws(ControlError) {
          control = try ControlServer(path: socket, replacesOther: true)
        } catch {
          failure = error
        }
        return failure == nil
      }
      guard let display else {
        guard let failure else { preconditionFailure("only a failure stops the opening") }
        return .failed(.control(failure))
      }
      return .opened(OpenedDisplay(display: display, control: control.take()))
    } catch {
      guard case .unreachable = error, let patience = options.patience.start else {
        return .failed(.display(error))
      }
      if now() >= end { return .failed(.away(error, patience)) }
    }
    let waiter = arrivals.take() ?? DisplayArrivals(of: options.display)
    pause = waiter.nextPause(after: pause, until: end)
    arrivals = consume waiter
  }
}

/// Opens a display that was lost, as soon as it is there again. Fails if another daemon serves it, or if it is not back in
/// time.
func reopenDisplay<Server: ServedDisplay & ~Copyable>(
  _ options: Options, _ logger: Logger
) -> DisplayOutcome<Server> {
  let arrivals = DisplayArrivals(of: options.display)
  let end = options.patience.loss.map { now() + $0 }
  var pause = DisplayArrivals.shortestPause
  var last = DisplayError.unreachable("")
  var isRefusalKnown = false
  while true {
    do throws(DisplayError) {
      let display = try Server.open(
        options.display.text, options, replacesOther: false, logger, proceed: { true })
      if let display { return .opened(OpenedDisplay(display: display, control: nil)) }
    } catch {
      if case .alreadyServed = error { return .failed(.display(error)) }
      if case .unsupported = error, error != last { logger.warning("\(error)") }
      last = error
      if let end, let patience = options.patience.loss, now() >= end {
        return .failed(.away(error, patience))
      }
    }
    // A server that has started needs a moment.
    if pause == DisplayArrivals.longestPause, !isRefusalKnown, options.display.hasListeningServer()
    {
      logger.warning(
        """
        display \(options.display.text) is there, but refuses this process, whose X authority may be an old one; \
        'backdropctl start' in the session replaces it
        """)
      isRefusalKnown = true
    }
    pause = arrivals.nextPause(after: pause, until: end)
  }
}
