import Glibc
import Linux
import Logging
import Synchronization

/// Writes log lines to the standard error, with the prefix `<n>` of the journal if the journal
/// receives them.
///
/// Levels: error is a bug in the program or the end of the daemon, warning a problem outside the
/// program, info is for users, debug for development.
struct JournalLog: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { Self.write(event.level, "\(event.message)") }

  /// Writes one line with one system call, cut to `lengthLimit` bytes. Does not block: while the reader of a
  /// pipe does not read, lines are dropped, and the next line that is written says how many.
  static func write(_ level: Logger.Level, _ text: String) {
    guard isWritable else {
      droppedLines.add(1, ordering: .relaxed)
      return
    }
    let dropped = droppedLines.exchange(0, ordering: .relaxed)
    if dropped > 0 { put(.warning, "\(dropped) lines were not logged: the log was not read") }
    put(level, text)
  }

  private static func put(_ level: Logger.Level, _ text: String) {
    let prefix = unsafe getenv("JOURNAL_STREAM") == nil ? "" : "<\(priority(level))>"
    let line = Array("\(prefix)backdropd: \(text.printable)".utf8.prefix(lengthLimit - 1)) + [10]
    _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// A pipe that is writable has room for so many bytes, also for two lines of half of them (pipe(7)).
  private static var lengthLimit: Int { Int(PIPE_BUF) / 2 }

  /// Whether a write does not block, or the system cannot tell.
  private static var isWritable: Bool {
    var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&polled, 1, 0) != 0
  }

  /// The numbers of syslog(3).
  private static func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}

/// The lines that were dropped since the last one that was written.
private let droppedLines = Atomic(0)
