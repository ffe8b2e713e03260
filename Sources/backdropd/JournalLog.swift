import Glibc
import Logging

/// Log lines on the standard error, with the journal's `<n>` in front when that is where they go.
///
/// error is a bug of ours, or the end; warning is the world's; info is what a user keeps switched on;
/// debug is for development.
struct JournalLog: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { Self.write(event.level, "\(event.message)") }

  /// One line, by one write.
  static func write(_ level: Logger.Level, _ text: String) {
    let prefix = unsafe getenv("JOURNAL_STREAM") == nil ? "" : "<\(priority(level))>"
    let line = Array("\(prefix)backdropd: \(text)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// As syslog(3) numbers them.
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
