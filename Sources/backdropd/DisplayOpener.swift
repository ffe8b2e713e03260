import Control
import Engine
import Logging
import X11Display

/// Opens the display on a thread of its own, because that waits for the server.
typealias DisplayOpener = BackgroundTask<DisplayOutcome>

/// The result of an attempt to open the display.
enum DisplayOutcome: ~Copyable, Sendable {
  case opened(OpenedDisplay)
  case failed(DaemonError)
}

/// A display that is served, and the control socket if it was taken over from another daemon.
///
/// Sendable because it is made by one thread, which then gives it up.
struct OpenedDisplay: ~Copyable, @unchecked Sendable {
  let display: X11Display
  let control: ControlServer?
}

/// Opens the display of a daemon that starts. Another daemon is replaced only after the display has answered, so that
/// a display that cannot be opened changes nothing.
func openDisplay(_ options: Options, socket: String, _ logger: Logger) -> DisplayOutcome {
  do throws(DisplayError) {
    let connection = try DisplayConnection(to: options.display)
    let control: ControlServer?
    do throws(ControlError) {
      control = options.replacesOther ? try ControlServer(path: socket, replacesOther: true) : nil
    } catch {
      return .failed(.control(error))
    }
    let display = try X11Display.open(
      connection, replacesOther: options.replacesOther,
      frameInterval: .seconds(1 / options.framesPerSecond), toolkitScale: options.toolkitScale,
      log: logger.log)
    return .opened(OpenedDisplay(display: display, control: control))
  } catch {
    return .failed(.display(error))
  }
}

/// Opens a display that was lost, as soon as it is there again. Fails only if another daemon serves it.
func reopenDisplay(_ options: Options, _ logger: Logger) -> DisplayOutcome {
  let arrivals = DisplayArrivals(of: options.display)
  var pause = DisplayArrivals.shortestPause
  var last = DisplayError.unreachable("")
  while true {
    do throws(DisplayError) {
      let display = try X11Display.open(
        DisplayConnection(to: options.display), replacesOther: false,
        frameInterval: .seconds(1 / options.framesPerSecond), toolkitScale: options.toolkitScale,
        log: logger.log)
      return .opened(OpenedDisplay(display: display, control: nil))
    } catch {
      if case .alreadyServed = error { return .failed(.display(error)) }
      if case .unsupported = error, error != last { logger.warning("\(error)") }
      last = error
    }
    let hasArrived = arrivals.wait(pause)
    pause =
      hasArrived ? DisplayArrivals.shortestPause : min(pause * 2, DisplayArrivals.longestPause)
  }
}

extension Logger {
  /// Logs a line of the display.
  fileprivate func log(_ message: X11Display.Message) {
    switch message.kind {
    case .error: error("\(message.text)")
    case .warning: warning("\(message.text)")
    }
  }
}
