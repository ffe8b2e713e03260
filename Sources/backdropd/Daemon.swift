import CLinux
import Control
import Engine
import Glibc
import Logging
import Raster
import X11Display

/// The event loop of the daemon. It waits for the display, clients, signals, memory pressure, the lock of the
/// session and the time of the next frame. No other code blocks.
struct Daemon: ~Copyable {
  // Released in this order. The socket is released before the display, so that a daemon that waits
  // for the display finds both free.
  private var control: ControlServer
  private var engine: Engine<X11Display>
  private let signals: SignalQueue
  private let pressure: MemoryPressure
  private var session = SessionLock()
  private var heartbeat = Heartbeat(now: now())
  private var alarm = AlarmClock()
  /// The clients whose replies follow later, by the ticket of their request.
  private var waiting: [Ticket: ClientID] = [:]
  private let started: Duration
  /// An alarm that expires late by less counts as in time.
  private let alarmTolerance: Duration
  private let logger: Logger
  private var isQuitting = false
  /// How often the loop looks whether clients have received pictures. No event reports that.
  private static var readerInterval: Duration { .milliseconds(20) }
  /// The largest size of all pictures that clients have not received, in bytes.
  private static var unreadLimit: Int { 256 << 20 }

  /// The parsed command line.
  struct Options {
    var display: String
    var framesPerSecond: Double
    var threads: Int
    var replacesOther: Bool
  }

  /// Connects to the display, becomes its daemon and opens the control socket. Throws a
  /// `DaemonError`.
  static func start(_ options: Options, logger: Logger) throws(DaemonError) -> Daemon {
    SignalQueue.ignoreFailedWrites()
    let path: String
    do { path = try controlSocketPath(display: options.display) } catch { throw .control(error) }
    let display: X11Display
    do {
      display = try X11Display.open(
        display: options.display, replacesOther: options.replacesOther,
        frameInterval: .seconds(1 / options.framesPerSecond)
      ) { message in
        switch message.kind {
        case .error: logger.error("\(message.text)")
        case .warning: logger.warning("\(message.text)")
        }
      }
    } catch {
      throw .display(error)
    }
    // While the display is opened, which waits for the server, a signal ends the process: nothing must be
    // released yet. From now on it ends the loop.
    let signals = SignalQueue()
    let control: ControlServer
    do { control = try ControlServer(path: path) } catch { throw .control(error) }
    let engine = Engine(
      display, framesPerSecond: options.framesPerSecond, threads: options.threads, clock: now)
    return Daemon(engine, control, signals, logger)
  }

  private init(
    _ engine: consuming Engine<X11Display>, _ control: consuming ControlServer,
    _ signals: consuming SignalQueue, _ logger: Logger
  ) {
    alarmTolerance = engine.frameInterval / 8
    self.engine = engine
    self.control = control
    self.signals = signals
    self.logger = logger
    pressure = MemoryPressure()
    started = now()
  }

  /// Runs until a signal, the request `quit`, or another daemon replaces this one. Throws if the
  /// display is lost.
  mutating func run() throws(DaemonError) {
    let report = engine.server.report
    logger.info(
      "serving display \(report.name)\(report.hasCompositor ? ", under a compositor" : "")")
    notifyServiceManager("READY=1")
    do {
      // What the display reported while it was opened.
      try step(now: now())
      while !isQuitting, !engine.server.isReplaced {
        let (ready, appointment) = wait()
        if ready.contains(where: { $0.descriptor == signals.descriptor }), signals.hasNext() {
          break
        }
        if ready.contains(where: { $0.descriptor == pressure.descriptor }) { engine.shrinkCache() }
        if session.process() { engine.setSessionLocked(session.isLocked) }
        serve(ready)
        try step(now: time(of: appointment))
      }
    } catch {
      throw .display(error)
    }
    notifyServiceManager("STOPPING=1")
    logger.info("ended")
  }

  // MARK: Waiting

  /// Blocks until a descriptor is ready. Returns the ready descriptors and, if the alarm has
  /// expired, the time for which it was set.
  private mutating func wait() -> (
    ready: [(descriptor: Int32, events: Int16)], appointment: Duration?
  ) {
    let readers = control.awaitsReaders ? now() + Self.readerInterval : nil
    alarm.set([engine.deadline, heartbeat.deadline, readers].compactMap(\.self).min())
    var polled = [
      pollfd(fd: engine.server.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
      // A descriptor of -1 is ignored.
      pollfd(fd: pressure.descriptor, events: Int16(POLLPRI), revents: 0),
      session.interest,
    ]
    polled += control.interests().map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    let timeout: Int32 = control.hasRequests ? 0 : -1
    guard unsafe poll(&polled, nfds_t(polled.count), timeout) > 0 else { return ([], nil) }
    let ready = polled.filter { $0.revents != 0 }.map { ($0.fd, $0.revents) }
    let hasExpired = ready.contains { $0.0 == alarm.descriptor }
    return (ready, hasExpired ? alarm.acknowledge() : nil)
  }

  /// The time to pass to a step: that of the alarm, if it expired just now. An alarm expires some
  /// tens of microseconds late. If these counted, every frame would be delayed by them, and an
  /// animation at the frame rate would lose a frame every few seconds.
  private func time(of appointment: Duration?) -> Duration {
    let time = now()
    guard let appointment, time - appointment < alarmTolerance else { return time }
    return appointment
  }

  private mutating func step(now: Duration) throws(DisplayError) {
    heartbeat.beat(now: now)
    try engine.step(now: now)
    for completion in engine.takeCompletions() { complete(completion) }
  }

  // MARK: Requests

  /// Performs one request of each client, for an eighth of a frame interval. Clients whose requests have taken
  /// the least time are served first. So a client with a flood of requests delays neither frames nor signals,
  /// and other clients only by one request.
  private mutating func serve(_ ready: [(descriptor: Int32, events: Int16)]) {
    control.handle(ready)
    let start = now()
    var last = start
    for turn in control.takeTurns() {
      guard let incoming = control.nextRequest(of: turn) else { continue }
      answer(incoming)
      let time = now()
      control.charge(turn, time - last)
      last = time
      if time - start >= engine.frameInterval / 8 { return }
    }
  }

  private mutating func answer(_ incoming: Incoming) {
    if case .quit = incoming.request { isQuitting = true }
    do throws(EngineError) {
      switch try engine.perform(incoming.request, now: now(), started: started) {
      case .reply(let reply): control.send(reply, to: incoming.client)
      case .later(let ticket): waiting[ticket] = incoming.client
      }
    } catch {
      logger.debug("\(incoming.request): \(error)")
      control.send(Reply(error), to: incoming.client)
    }
  }

  private mutating func complete(_ completion: Completion) {
    guard let client = waiting.removeValue(forKey: completion.ticket) else { return }
    switch completion {
    case .synced: control.send(.done, to: client)
    case .picture(_, let picture): send(picture, to: client)
    case .failed(_, let error): control.send(Reply(error), to: client)
    }
  }

  private mutating func send(_ picture: Bitmap, to client: ClientID) {
    let size = 4 * picture.pixels.count
    if control.unreadByteCount > 0, control.unreadByteCount + size > Self.unreadLimit {
      let text = "other clients have not received \(control.unreadByteCount) bytes of pictures yet"
      return control.send(.failure(.unavailable, "\(text); try again"), to: client)
    }
    let report = PictureReport(
      width: picture.width, height: picture.height, stride: picture.width)
    do {
      let file = try FileDescriptor.makePixelFile([picture])
      control.send(.picture(report), to: client, attaching: file, fileSize: size)
    } catch {
      control.send(.failure(.unavailable, "\(error)"), to: client)
    }
  }
}
