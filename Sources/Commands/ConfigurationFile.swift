import Configuration
import Control
import Panes

/// A configuration file with its text.
struct ConfigurationFile {
  let path: String
  let text: [UInt8]
  let configuration: Configuration
  /// All that is wrong with its settings, in the order of the file.
  let errors: [ConfigurationError]

  /// The largest file, in bytes.
  private static let limit = 1 << 20

  /// Reads the file at `path`. Throws `ConfigurationErrors` if its settings are wrong. Images and labels are not tried.
  init(path: String) throws {
    try self.init(reading: path)
    if !errors.isEmpty { throw ConfigurationErrors(errors) }
  }

  /// Reads the file at `path`, also if its settings are wrong, so that all errors can be told at once. Throws
  /// `ConfigurationErrors` if its syntax is wrong.
  init(reading path: String) throws {
    var input = try InputFile(path: path)
    let path = input.path
    self.path = path
    text = try input.read(upTo: Self.limit + 1)
    if text.count > Self.limit {
      throw ConfigurationErrors(path, "it has more than \(Self.limit) bytes")
    }
    (configuration, errors) = try Configuration.read(
      text, path: path, home: environmentVariable("HOME"))
  }

  /// Throws `ConfigurationErrors` with all that is wrong and can be found without the display: settings, images and labels that
  /// cannot be drawn, and a wallpaper that cannot be read.
  func check() throws {
    var errors = errors
    if let path = configuration.daemon.wallpaper, let place = configuration.wallpaperPlace {
      do throws(Failure) { _ = try DecodedPNG(path: path) } catch {
        errors.append(ConfigurationError(place, "wallpaper: \(error.text)"))
      }
    }
    for content in configuration.panes.flatMap(\.contents) + configuration.contentsOfWrongPanes {
      _ = content.drawn(for: nil, &errors)
    }
    try errors.throwSorted()
  }
}

extension ConfiguredContent {
  /// The image or the label with its pixels. Returns nil and appends an error if it cannot be drawn.
  fileprivate func drawn(
    for target: ContentTarget?, _ errors: inout [ConfigurationError]
  ) -> PaneContent? {
    do throws(Failure) {
      return try declared.item().drawn(for: target)
    } catch {
      errors.append(ConfigurationError(place, "pane '\(pane)': \(error.text)"))
      return nil
    }
  }
}

extension [ConfigurationError] {
  /// Throws `ConfigurationErrors` in the order of the file; does nothing if there are none.
  fileprivate func throwSorted() throws {
    if !isEmpty { throw ConfigurationErrors(sorted { $0.place < $1.place }) }
  }
}

extension ConfigurationErrors {
  /// Writes all of them to the standard error.
  func report() { for error in all { reportProblem("\(error)") } }
}

extension DaemonOptions {
  /// Makes the daemon follow a configuration; nil means that there is no file. Returns what has changed. Throws
  /// `ConfigurationErrors`; then nothing has changed. If `isExact`, what commands have changed is undone.
  func follow(_ file: ConfigurationFile?, isExact: Bool = false) throws -> [ActionReport] {
    let configuration = file?.configuration ?? Configuration()
    let panes = try file.map { try drawnPanes(of: $0) } ?? []
    let files = (file.map { [$0.path] } ?? []) + configuration.includedFiles
    do throws(Failure) {
      let reply = try ask(
        .configure(files: files, configuration.daemon, panes, isExact: isExact)
      ).reply
      guard case .actions(let actions) = reply else { throw Failure(.unreadableReply) }
      return actions
    } catch {
      // The daemon names the pane, but does not know its place.
      let wrong = configuration.panes.first {
        error.text.hasPrefix("pane '\($0.declared.pane.name)':")
      }
      guard let wrong else { throw error }
      throw ConfigurationErrors([ConfigurationError(wrong.place, error.text)])
    }
  }

  /// The panes of a file with their images and labels. Throws `ConfigurationErrors` with all that is wrong in it.
  private func drawnPanes(of file: ConfigurationFile) throws -> [Pane] {
    var errors = file.errors
    for content in file.configuration.contentsOfWrongPanes { _ = content.drawn(for: nil, &errors) }
    let panes = try file.configuration.panes.map { pane in
      if pane.declared.contents == nil { return pane.declared.pane }
      let target = try target(of: pane.declared.pane.settings)
      let contents = pane.contents.compactMap { $0.drawn(for: target, &errors) }
      // The contents that are missing have errors of their own.
      if contents.count < pane.contents.count { return pane.declared.pane }
      do throws(Failure) {
        return try pane.declared.pane.withContents(contents)
      } catch {
        errors.append(ConfigurationError(pane.place, error.text))
        return pane.declared.pane
      }
    }
    try errors.throwSorted()
    return panes
  }
}
