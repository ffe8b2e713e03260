import CLinux
import Control
import Desktop
import Glibc
import Logging
import Raster
import X11Desktop

/// The one loop, and what it waits for: the display, the control socket, signals, and the time of the
/// next frame when there is to be one.
struct Daemon: ~Copyable {
  // Released in this order: the socket goes before the display, so that who waits for the display to
  // be free finds both free.
  private var control: ControlServer
  private var engine: Engine<X11Desktop>
  private let signals: SignalQueue
  private var alarm = AlarmClock()
  private let started: Duration
  private let logger: Logger
  private var isQuitting = false
  private var lastServed: Int32 = -1

  /// Takes over a display and opens the socket.
  static func start(
    display: String, framesPerSecond: Double, replacesOther: Bool, logger: Logger
  ) throws(DaemonError) -> Daemon {
    // Signals come first: one that arrives while we start must find us able to clean up.
    let signals = SignalQueue()
    let desktop: X11Desktop
    let path: String
    do { path = try controlSocketPath(display: display) } catch { throw .control(error) }
    do {
      desktop = try X11Desktop.open(display: display, replacesOther: replacesOther) {
        logger.warning("\($0)")
      }
    } catch {
      throw .desktop(error)
    }
    let control: ControlServer
    do { control = try ControlServer(path: path) } catch { throw .control(error) }
    return Daemon(
      Engine(desktop, framesPerSecond: framesPerSecond, clock: now), control, signals, logger)
  }

  private init(
    _ engine: consuming Engine<X11Desktop>, _ control: consuming ControlServer,
    _ signals: consuming SignalQueue, _ logger: Logger
  ) {
    self.engine = engine
    self.control = control
    self.signals = signals
    self.logger = logger
    started = now()
  }

  mutating func run() throws(DaemonError) {
    let report = engine.server.report
    logger.info(
      "serving display \(report.name)\(report.hasCompositor ? ", under a compositor" : "")")
    notifyServiceManager("READY=1")
    do {
      while !isQuitting {
        let (ready, appointment) = wait()
        if ready.contains(where: { $0.descriptor == signals.descriptor }), signals.hasNext() {
          break
        }
        try serve(ready)
        try engine.step(now: time(of: appointment))
        if engine.server.isReplaced { break }
      }
    } catch {
      throw .desktop(error)
    }
    notifyServiceManager("STOPPING=1")
    logger.info("ended")
  }

  /// Sleeps until there is something to do. Returns the descriptors that are ready, and for when the
  /// alarm was set if it has rung.
  private mutating func wait() -> (
    ready: [(descriptor: Int32, events: Int16)], appointment: Duration?
  ) {
    alarm.set(engine.deadline)
    var polled = [
      pollfd(fd: engine.server.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    polled += control.interests().map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    guard unsafe poll(&polled, nfds_t(polled.count), -1) > 0 else { return ([], nil) }
    let ready = polled.filter { $0.revents != 0 }.map { ($0.fd, $0.revents) }
    let hasRung = ready.contains { $0.0 == alarm.descriptor }
    return (ready, hasRung ? alarm.silence() : nil)
  }

  /// The time at which a step counts as taken. An alarm rings some tens of microseconds late; were
  /// these counted, every frame would be due that much later, and of an animation at the frame rate
  /// one frame would be lost every few seconds.
  private func time(of appointment: Duration?) -> Duration {
    let time = now()
    guard let appointment, time - appointment < engine.frameInterval / 8 else { return time }
    return appointment
  }

  // MARK: Requests

  /// Answers clients in turn, for about the time of a frame. Who asks without a pause holds up no
  /// frame and no signal, and nobody else for long.
  private mutating func serve(_ ready: [(descriptor: Int32, events: Int16)]) throws(DesktopError) {
    let start = now()
    var stepped = start
    let next = ready.filter { $0.descriptor > lastServed }
    for one in next + ready.filter({ $0.descriptor <= lastServed }) {
      for incoming in control.receive([one]) {
        answer(incoming)
        if now() - stepped < engine.frameInterval { continue }
        try engine.step(now: now())
        stepped = now()
      }
      lastServed = one.descriptor
      // The others are ready still when we poll again.
      if now() - start >= engine.frameInterval { return }
    }
  }

  private mutating func answer(_ incoming: Incoming) {
    if case .quit = incoming.request { isQuitting = true }
    do throws(EngineError) {
      switch try engine.perform(incoming.request, now: now(), started: started) {
      case .reply(let reply):
        control.send(reply, to: incoming.client)
      case .picture(let picture):
        send(picture, to: incoming.client)
      }
    } catch {
      logger.debug("\(incoming.request): \(error)")
      control.send(Reply(error), to: incoming.client)
    }
  }

  private mutating func send(_ picture: Bitmap, to client: ClientID) {
    let report = PictureReport(
      width: picture.width, height: picture.height, pixelsPerRow: picture.width)
    do {
      let file = try FileDescriptor.makePixelFile([picture])
      control.send(.picture(report), to: client, attaching: file)
    } catch {
      control.send(.failure(.unavailable, "\(error)"), to: client)
    }
  }
}

/// The time since some moment in the past, for measuring.
func now() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
