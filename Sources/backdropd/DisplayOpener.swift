import CLinux
import Control
import Engine
import Glibc
import Logging
import Synchronization
import X11Display

/// A thread that opens the display, because that waits for the server. Its descriptor becomes readable when there
/// is an outcome. The thread ends with its outcome, or with the process.
@safe final class DisplayOpener: Sendable {
  enum Outcome: ~Copyable, Sendable {
    case opened(OpenedDisplay)
    case failed(DaemonError)
  }

  private let outcome = Mutex<Outcome?>(nil)
  private let event: FileDescriptor
  private let open: @Sendable () -> Outcome

  /// `open` runs on the thread. Throws `control`.
  init(_ open: @escaping @Sendable () -> Outcome) throws(DaemonError) {
    let raw = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard raw >= 0 else { throw .control(.system(action: "make an event", errno: errno)) }
    event = FileDescriptor(owning: raw)
    self.open = open
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<DisplayOpener>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context.toOpaque())
    if code != 0 {
      unsafe context.release()
      throw .control(.system(action: "start a thread", errno: code))
    }
    pthread_detach(thread)
  }

  var descriptor: Int32 { event.raw }

  /// The outcome; nil before there is one.
  func take() -> Outcome? { outcome.withLock { $0.take() } }

  private func work() {
    var new: Outcome? = open()
    outcome.withLock { $0 = new.take() }
    eventfd_write(event.raw, 1)
  }
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
func openDisplay(_ options: Options, socket: String, _ logger: Logger) -> DisplayOpener.Outcome {
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
      frameInterval: .seconds(1 / options.framesPerSecond), log: logger.log)
    return .opened(OpenedDisplay(display: display, control: control))
  } catch {
    return .failed(.display(error))
  }
}

/// Opens a display that was lost, as soon as it is there again. Fails only if another daemon serves it.
func reopenDisplay(_ options: Options, _ logger: Logger) -> DisplayOpener.Outcome {
  let arrivals = DisplayArrivals()
  var pause = DisplayArrivals.shortestPause
  var last = DisplayError.unreachable("")
  while true {
    do throws(DisplayError) {
      let display = try X11Display.open(
        DisplayConnection(to: options.display), replacesOther: false,
        frameInterval: .seconds(1 / options.framesPerSecond), log: logger.log)
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
