import Configuration
import Control

/// The findings about the configuration.
package struct ConfigurationSurvey: Equatable, Sendable {
  /// The file; nil if there is none.
  package var file: String?
  /// The errors of the file, as lines.
  package var errors: [String]
  /// The number of panes that it declares; nil if it has errors or the daemon has read it.
  package var paneCount: Int?

  package init(file: String?, errors: [String], paneCount: Int? = nil) {
    self.file = file
    self.errors = errors
    self.paneCount = paneCount
  }

  /// Takes the report of the daemon about the file that it follows. Without a daemon, reads the first file that exists.
  init(_ status: StatusReport?, _ environment: (String) -> String?) {
    if let status {
      self.init(file: status.configuration, errors: status.configurationErrors)
      return
    }
    guard let path = firstExisting(configurationFiles(environment: environment)) else {
      self.init(file: nil, errors: [])
      return
    }
    guard let text = bytesOfFile(path, followsLinks: true) else {
      self.init(file: path, errors: ["\(path): it cannot be read"])
      return
    }
    do throws(ConfigurationErrors) {
      let read = try Configuration(parsing: text, path: path, home: environment("HOME"))
      self.init(file: path, errors: [], paneCount: read.panes.count)
    } catch {
      self.init(file: path, errors: error.all.map(\.description))
    }
  }
}

/// The checks of the configuration.
package func configurationChecks(_ survey: ConfigurationSurvey) -> CheckGroup {
  guard let file = survey.file else {
    return CheckGroup(
      "configuration", [Check("file", .good, "there is none, so the panes are those of commands")])
  }
  if survey.errors.isEmpty {
    let panes = survey.paneCount.map { " with \($0) pane\($0 == 1 ? "" : "s")" }
    return CheckGroup("configuration", [Check("file", .good, file + (panes ?? ""))])
  }
  return CheckGroup(
    "configuration",
    survey.errors.map { error in
      Check("file", .warning, error, remedy: "mend it, then: backdropctl config check")
    })
}
