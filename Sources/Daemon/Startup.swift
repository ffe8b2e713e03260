import Control
import Glibc
import Logging

/// Takes the control socket and opens the display. If the server does not answer, clients are told so, and a
/// signal, or a client that asks for it, ends the process; then there is no daemon. Throws a `DaemonError`.
func startDaemon<Server: ServedDisplay & ~Copyable>(
  _ options: Options, _ logger: Logger, on type: Server.Type
) throws(DaemonError) -> Daemon<Server>? {
  SignalQueue.ignoreFailedWrites()
  // Before the socket: a daemon that replaces this one sends a signal to the process that has it.
  let signals = try SignalQueue()
  let path: String
  // Nil while another daemon, which will be replaced, has the socket.
  var control: ControlServer?
  do throws(ControlError) {
    path = try controlSocketPath(display: options.display)
    control = options.replacesOther ? nil : try ControlServer(path: path)
  } catch {
    throw .control(error)
  }
  let opener: DisplayOpener<Server>
  do throws(ControlError) {
    opener = try DisplayOpener { openDisplay(options, socket: path, logger) }
  } catch {
    throw .control(error)
  }
  guard let opened = try awaitDisplay(opener, signals, &control, options.display) else {
    endProcess(control, logger)
    return nil
  }
  let keeper = PaneKeeper(path: paneFilePath(forSocket: path), logger: logger)
  let alarm = try AlarmClock()
  if let control = control.take() {
    return Daemon(opened.display, control, signals, alarm, keeper, options, logger)
  }
  guard let control = opened.control else {
    preconditionFailure("a daemon that replaces another one has its socket")
  }
  return Daemon(opened.display, control, signals, alarm, keeper, options, logger)
}

/// Waits until the display is open. Returns nil if the process must end before. Throws a `DaemonError`.
private func awaitDisplay<Server: ServedDisplay & ~Copyable>(
  _ opener: DisplayOpener<Server>, _ signals: borrowing SignalQueue,
  _ control: inout ControlServer?, _ display: DisplayName
) throws(DaemonError) -> OpenedDisplay<Server>? {
  var outcome: DisplayOutcome<Server>?
  let patienceEnd = now() + patience
  var isAnnounced = false
  repeat {
    let isPatient = now() < patienceEnd
    if !isPatient, !isAnnounced {
      notifyServiceManager("STATUS=waiting for display \(display.text)")
      isAnnounced = true
    }
    let ready = waitUntilReady(
      [opener.descriptor, signals.descriptor], control, isPatient: isPatient)
    if signals.hasNext() { return nil }
    if !isPatient, refuseRequests(&control, ready, display) { return nil }
    outcome = opener.take()
  } while outcome == nil
  switch consume outcome {
  case .some(.opened(let opened)): return opened
  case .some(.failed(let error)): throw error
  case .none: preconditionFailure("the loop ends with an outcome")
  }
}

/// The time for which clients wait for the display. A server that works needs some hundredths of a second.
private let patience = Duration.seconds(1)

private func waitUntilReady(
  _ descriptors: [Int32], _ control: borrowing ControlServer?, isPatient: Bool
) -> [(descriptor: Int32, events: Int16)] {
  var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  if isPatient { return waitUntilReady(polled, timeout: Int32(patience / .milliseconds(1))) }
  var timeout: Int32 = -1
  switch control {
  case .some(let control):
    polled += control.interests().map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    if control.hasRequests { timeout = 0 }
  case .none: break
  }
  return waitUntilReady(polled, timeout: timeout)
}

/// Refuses one request of each client. Returns whether a client asked for the end of the daemon.
private func refuseRequests(
  _ control: inout ControlServer?, _ ready: [(descriptor: Int32, events: Int16)],
  _ display: DisplayName
) -> Bool {
  control?.handle(ready)
  for turn in control?.takeTurns() ?? [] {
    guard let incoming = control?.nextRequest(of: turn) else { continue }
    if case .quit = incoming.request {
      control?.send(.done, to: incoming.client)
      return true
    }
    let text = "display \(display.text) does not answer yet; try again when it does"
    control?.send(.failure(.unavailable, text), to: incoming.client)
  }
  return false
}

/// Ends the process at once, because the thread that opens the display waits for the server. Connections to clients and to the
/// display break at the same time. If clients were disconnected first, a daemon that waits for that could open the display, and
/// this process could still open it afterwards.
private func endProcess(_ control: borrowing ControlServer?, _ logger: Logger) {
  switch control {
  case .some(let control): control.removeFile()
  case .none: break
  }
  logger.info("ended")
  _exit(0)
}
