import Configuration
import Control
import Panes

/// A configuration file with its text.
struct ConfigurationFile {
  let path: String
  let text: [UInt8]
  let configuration: Configuration

  /// The largest file, in bytes.
  private static let limit = 1 << 20

  /// Reads the file at `path`. Throws `ConfigurationErrors` with all that is wrong in it.
  init(path: String) throws {
    var input = try InputFile(path: path)
    let path = input.path
    self.path = path
    text = try input.read(upTo: Self.limit + 1)
    if text.count > Self.limit {
      throw ConfigurationErrors(path, "it has more than \(Self.limit) bytes")
    }
    configuration = try Configuration(parsing: text, path: path, home: environmentVariable("HOME"))
  }

  /// Throws `ConfigurationErrors` with the images and labels that cannot be drawn, and with a wallpaper that cannot be read.
  func checkContents() throws {
    var errors: [ConfigurationError] = []
    if let path = configuration.daemon.wallpaper, let place = configuration.wallpaperPlace {
      do throws(Failure) { _ = try DecodedPNG(path: path) } catch {
        errors.append(ConfigurationError(place, "wallpaper: \(error.text)"))
      }
    }
    for pane in configuration.panes {
      for (content, place) in zip(pane.declared.contents ?? [], pane.contentPlaces) {
        do throws(Failure) {
          _ = try content.item()
        } catch {
          errors.append(
            ConfigurationError(place, "pane '\(pane.declared.pane.name)': \(error.text)"))
        }
      }
    }
    if !errors.isEmpty { throw ConfigurationErrors(errors) }
  }
}

extension ConfigurationErrors {
  /// Writes all of them to the standard error.
  func report() { for error in all { reportProblem("\(error)") } }
}

extension DaemonOptions {
  /// Makes the daemon follow a configuration; nil is that of no file. Returns what has changed. Throws
  /// `ConfigurationErrors`; then nothing has changed. If `isExact`, what commands have changed is undone.
  func follow(_ file: ConfigurationFile?, isExact: Bool = false) throws -> [ActionReport] {
    let configuration = file?.configuration ?? Configuration()
    let panes = try drawnPanes(of: configuration)
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

  private func drawnPanes(of configuration: Configuration) throws -> [Pane] {
    var errors: [ConfigurationError] = []
    let panes = configuration.panes.map { pane in
      do throws(Failure) {
        if pane.declared.contents == nil { return pane.declared.pane }
        return try pane.declared.drawn(for: target(of: pane.declared.pane.settings))
      } catch {
        errors.append(ConfigurationError(pane.place, error.text))
        return pane.declared.pane
      }
    }
    if !errors.isEmpty { throw ConfigurationErrors(errors) }
    return panes
  }
}
