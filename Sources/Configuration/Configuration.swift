package import Panes

/// The declarations of a configuration file.
package struct Configuration: Equatable, Sendable {
  /// The settings of the daemon.
  package var daemon = DaemonSettings()
  /// The place of the setting `wallpaper`; nil if there is none.
  package var wallpaperPlace: FilePlace?
  /// In the order of the file.
  package var materials: [CustomMaterial] = []
  /// The lowest first.
  package var panes: [ConfiguredPane] = []
  /// The images and labels of panes with errors, in the order of the file; none without errors.
  package var contentsOfWrongPanes: [ConfiguredContent] = []

  /// The files that were included.
  package var includedFiles: [String] = []

  /// No settings.
  package init() {}

  /// Parses the text of the file at `path`. Throws all that is wrong, but only the first error of the syntax. Images are not
  /// opened and fonts not searched.
  ///
  /// - Parameter home: The folder that `~/` means in paths.
  package init(
    parsing text: [UInt8], path: String, home: String? = nil
  ) throws(ConfigurationErrors) {
    let (configuration, errors) = try Self.read(text, path: path, home: home)
    if !errors.isEmpty { throw ConfigurationErrors(errors) }
    self = configuration
  }

  /// Reads what it can of a text, and returns all errors with it, so that the images and labels can be tried too. Throws one
  /// error of the syntax.
  package static func read(
    _ text: [UInt8], path: String, home: String?
  ) throws(ConfigurationErrors) -> (configuration: Configuration, errors: [ConfigurationError]) {
    let source = try ConfigurationSource(text, path: path, home: home)
    let root = try parseConfiguration(source)
    var reader = ConfigurationReader(home: home)
    reader.read(root)
    reader.configuration.includedFiles = Set(source.includedFiles).sorted()
    return (reader.configuration, reader.errors)
  }
}

/// A material that a configuration declares: settings of a look with a name.
package struct CustomMaterial: Equatable, Sendable {
  package let name: String
  /// Settings of the group `look`. The material among them is one of `NamedMaterial.all`.
  package let settings: PaneSettings
}

/// A pane of a configuration.
package struct ConfiguredPane: Equatable, Sendable {
  package let declared: DeclaredPane
  /// The place of the pane.
  package let place: FilePlace
  /// Its images and labels.
  package let contents: [ConfiguredContent]
}

/// An image or a label of a pane of a configuration.
package struct ConfiguredContent: Equatable, Sendable {
  package let declared: DeclaredContent
  /// The name of the pane.
  package let pane: String
  package let place: FilePlace
}
