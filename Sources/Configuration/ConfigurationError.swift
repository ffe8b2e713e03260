/// A place in a file.
package struct FilePlace: Equatable, Sendable {
  package let file: String
  /// From 1; 0 for the whole file.
  package let line: Int

  package init(_ file: String, line: Int = 0) {
    self.file = file
    self.line = line
  }
}

extension FilePlace: Comparable {
  package static func < (one: FilePlace, other: FilePlace) -> Bool {
    (one.file, one.line) < (other.file, other.line)
  }
}

/// One thing that is wrong in a configuration.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  package let place: FilePlace
  /// The error, and the probable meaning.
  package let text: String

  package init(_ place: FilePlace, _ text: String) {
    self.place = place
    self.text = text
  }

  /// One line, such as `backdropd.conf:3: what is wrong`.
  package var description: String {
    place.line == 0 ? "\(place.file): \(text)" : "\(place.file):\(place.line): \(text)"
  }
}

/// All that is wrong in a configuration; at least one error.
package struct ConfigurationErrors: Error, Equatable, Sendable {
  /// In the order of the file.
  package let all: [ConfigurationError]

  /// `all` must not be empty.
  package init(_ all: [ConfigurationError]) { self.all = all }

  /// One that is about a whole file.
  package init(_ path: String, _ text: String) {
    all = [ConfigurationError(FilePlace(path), text)]
  }
}
