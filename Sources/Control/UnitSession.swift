import Glibc
import Linux

/// The session of the unit, kept over a crash. A user manager has one environment, that of the latest login, but a unit
/// that it starts again after a crash must serve the display that it served before.
package struct UnitSession: Equatable {
  private let path: String

  /// Nil if this process is no unit, or if there is no place to keep its session.
  package init?(environment: (String) -> String? = environmentVariable) {
    guard environment("NOTIFY_SOCKET") != nil,
      let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/")
    else { return nil }
    path = "\(folder)/backdropd.session"
  }

  /// Gives this process the session of a unit that has crashed, if the server of its display still runs. `setValue` sets or removes a
  /// variable.
  package func resume(
    isListening: (DisplayName) -> Bool = { $0.hasListeningServer() },
    setValue: (_ name: String, _ value: String?) -> Void = setEnvironmentVariable
  ) {
    guard let bytes = bytesOfFile(path) else { return }
    let lines = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    guard let display = lines.first, isListening(DisplayName(display)) else { return }
    for name in sessionVariables {
      let start = name + "="
      let line = lines.dropFirst().first { $0.hasPrefix(start) }
      setValue(name, line.map { String($0.dropFirst(start.count)) })
    }
  }

  /// Keeps the session of this process, which serves a display.
  package func keep(_ display: DisplayName, environment: (String) -> String? = environmentVariable)
  {
    let lines =
      [display.text]
      + sessionVariables.compactMap { name in environment(name).map { "\(name)=\($0)" } }
    let bytes = Array(lines.map { $0 + "\0" }.joined().utf8)
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let raw = unsafe open(path.systemText, flags, 0o600)
    guard raw >= 0 else { return }
    let file = FileDescriptor(owning: raw)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(file.raw, $0.baseAddress, $0.count) }
  }

  /// Forgets it: the process ends without a crash.
  package func forget() { _ = unsafe unlink(path.systemText) }
}

/// Sets a variable of this process, or removes it.
package func setEnvironmentVariable(_ name: String, _ value: String?) {
  if let value { unsafe setenv(name, value.systemText, 1) } else { unsafe unsetenv(name) }
}
