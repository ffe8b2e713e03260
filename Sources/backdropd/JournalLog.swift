import Glibc
import Logging

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

  /// Writes one line with one system call.
  static func write(_ level: Logger.Level, _ text: String) {
    let prefix = unsafe getenv("JOURNAL_STREAM") == nil ? "" : "<\(priority(level))>"
    let line = Array("\(prefix)backdropd: \(text)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
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
