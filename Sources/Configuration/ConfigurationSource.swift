import Linux

/// The text of a configuration with that of the files that it includes in their places. libconfig's own includes know neither
/// links nor absolute paths, and its numbers of more than 32 bits are wrong without the suffix L.
struct ConfigurationSource {
  private(set) var text: [UInt8] = []
  /// The included files, in their order.
  private(set) var includedFiles: [String] = []
  /// A comment or a string without an end in its file. libconfig accepts it, and ignores the rest of the text without an error.
  private(set) var unterminated: ConfigurationError?
  /// The place of each line of `text`.
  private var places: [FilePlace] = []
  private let home: String?
  /// Where the next byte is.
  private var state = State.code
  /// The real paths of the files in which the present line is.
  private var openFiles: [String] = []

  /// A comment and a string, with the place of their beginning.
  private enum State: Equatable {
    case code
    case comment(FilePlace)
    case string(FilePlace)
  }

  /// The largest size of all files together, in bytes.
  private static let limit = 1 << 20

  /// `path` is the file with the text. Throws one error.
  init(_ text: [UInt8], path: String, home: String?) throws(ConfigurationErrors) {
    self.home = home
    try append(text, of: path)
  }

  /// The place of a line, from 1.
  func place(ofLine line: Int) -> FilePlace {
    places.indices.contains(line - 1)
      ? places[line - 1] : FilePlace(places.last?.file ?? "", line: places.last?.line ?? 0)
  }

  private mutating func append(_ bytes: [UInt8], of path: String) throws(ConfigurationErrors) {
    openFiles.append(realPath(path) ?? path)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let place = FilePlace(path, line: index + 1)
      if line.contains(0) || String(validating: line, as: UTF8.self) == nil {
        throw ConfigurationErrors([ConfigurationError(place, Self.noTextHint(line))])
      }
      try append(line, at: place)
      if text.count > Self.limit {
        throw ConfigurationErrors(
          path, "it has more than \(Self.limit) bytes, with what it includes")
      }
    }
    unterminated = unterminated ?? unterminatedPart
    openFiles.removeLast()
  }

  private var unterminatedPart: ConfigurationError? {
    switch state {
    case .code: nil
    case .comment(let place): ConfigurationError(place, "this comment has no end, which is */")
    case .string(let place): ConfigurationError(place, "this text has no quote at its end")
    }
  }

  private static func noTextHint(_ line: ArraySlice<UInt8>) -> String {
    let isWide = line.starts(with: [0xFF, 0xFE]) || line.starts(with: [0xFE, 0xFF])
    return isWide
      ? "the file is UTF-16; save it as UTF-8"
      : "this line is not text in UTF-8; another byte of a file name is written as \\xE9"
  }

  private mutating func append(
    _ line: ArraySlice<UInt8>, at place: FilePlace
  ) throws(ConfigurationErrors) {
    var line = line
    while state == .code, let rest = afterInclude(line) {
      guard let (path, end) = quotedPath(rest) else {
        throw ConfigurationErrors([
          ConfigurationError(place, "@include takes a path in quotes: @include \"FILE\"")
        ])
      }
      try include(path, at: place)
      line = end
    }
    try appendCode(line, at: place)
    text.append(UInt8(ascii: "\n"))
    places.append(place)
  }

  // MARK: Includes

  private func afterInclude(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let rest = line.drop(while: isBlank)
    return rest.starts(with: "@include".utf8) ? rest.dropFirst(8).drop(while: isBlank) : nil
  }

  /// A text in quotes, and what follows it.
  private func quotedPath(_ text: ArraySlice<UInt8>) -> (path: String, rest: ArraySlice<UInt8>)? {
    var path: [UInt8] = []
    var rest = text.dropFirst()
    guard text.first == UInt8(ascii: "\"") else { return nil }
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        if next == UInt8(ascii: "x"), let byte = UInt8(digits, radix: 16) {
          path.append(byte)
          rest = rest.dropFirst(2)
        } else {
          path.append(next)
        }
      } else {
        path.append(byte)
      }
    }
    let isClosed =
      rest.startIndex > text.startIndex + 1 && text[rest.startIndex - 1] == UInt8(ascii: "\"")
    return isClosed && !path.isEmpty ? (String(systemBytes: path), rest) : nil
  }

  private mutating func include(
    _ name: String, at place: FilePlace
  ) throws(ConfigurationErrors) {
    func failure(_ text: String) -> ConfigurationErrors {
      ConfigurationErrors([ConfigurationError(place, text)])
    }
    let path = resolvedPath(name, besides: place.file, home: home)
    if openFiles.contains(realPath(path) ?? path) {
      throw failure("the file '\(name)' includes itself, also through others")
    }
    let bytes: [UInt8]
    do {
      bytes = try readRegularFile(path, upTo: Self.limit + 1)
    } catch {
      throw failure(
        "cannot include '\(name)': \(path): \(error); a path is relative to the folder of the file that has it"
      )
    }
    includedFiles.append(path)
    try append(bytes, of: path)
  }

  // MARK: Numbers

  private mutating func appendCode(
    _ line: ArraySlice<UInt8>, at place: FilePlace
  ) throws(ConfigurationErrors) {
    var rest = line
    while let byte = rest.first {
      let next = rest.dropFirst().first
      var length = 1
      switch (state, byte) {
      case (.comment, UInt8(ascii: "*")) where next == UInt8(ascii: "/"):
        (length, state) = (2, .code)
      case (.string, UInt8(ascii: "\\")): length = min(2, rest.count)
      case (.string, UInt8(ascii: "\"")): state = .code
      case (.comment, _), (.string, _): break
      case (_, UInt8(ascii: "\"")): state = .string(place)
      case (_, UInt8(ascii: "/")) where next == UInt8(ascii: "*"):
        (length, state) = (2, .comment(place))
      case (_, UInt8(ascii: "/")) where next == UInt8(ascii: "/"), (_, UInt8(ascii: "#")):
        length = rest.count
      default:
        let word = rest.prefix(while: isWordByte)
        length = max(1, word.count)
        if let suffix = try suffix(of: word, at: place) {
          text += word + suffix
          rest = rest.dropFirst(length)
          continue
        }
      }
      text += rest.prefix(length)
      rest = rest.dropFirst(length)
    }
  }

  /// The suffix with which libconfig reads an integer as it is; nil for another word. Throws if the integer has more than 64
  /// bits.
  private func suffix(
    of word: ArraySlice<UInt8>, at place: FilePlace
  ) throws(ConfigurationErrors) -> [UInt8]? {
    let text = String(decoding: word, as: UTF8.self)
    let digits = text.prefix { $0 != "L" }
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let isInteger =
      isHex
      ? digits.dropFirst(2).allSatisfy(\.isHexDigit)
      : digits.drop { "+-".contains($0) }.allSatisfy { "0"..."9" ~= $0 }
        && digits.last?.isNumber == true
    guard isInteger, ["", "L", "LL"].contains(text.dropFirst(digits.count)) else { return nil }
    let number = isHex ? Int64(digits.dropFirst(2), radix: 16) : Int64(digits)
    guard let number else {
      throw ConfigurationErrors([
        ConfigurationError(place, "the number \(text) is too large, which no setting takes")
      ])
    }
    return Int32(exactly: number) == nil && digits.count == text.count ? [UInt8(ascii: "L")] : nil
  }
}

private func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

/// Whether a byte may be one of a name or a number.
private func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "a")...UInt8(ascii: "z"):
    true
  default: "+-._*".utf8.contains(byte)
  }
}

/// The path that a file means by another one: relative to its folder or, where the file is a link and nothing is there, to that
/// of the target. `~/` is the folder `home`.
func resolvedPath(_ path: String, besides file: String, home: String?) -> String {
  if path.hasPrefix("~/"), let home { return home + path.dropFirst(1) }
  if path.isAbsolutePath { return path }
  func beside(_ file: String) -> String {
    let folder = file.folderOfPath ?? "."
    return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
  }
  if !fileExists(beside(file)), let target = realPath(file), fileExists(beside(target)) {
    return beside(target)
  }
  return beside(file)
}
