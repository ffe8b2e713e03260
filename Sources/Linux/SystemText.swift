import Glibc

// The system's file names, arguments and variables are bytes. A Swift string holds UTF-8 only, so each other byte becomes one
// character of a private use area, which system calls get back as the byte. The bytes of a name that has such a character
// already are treated in the same way, so each name comes back as it was.

/// The characters for the bytes 0x80 to 0xFF.
private let byteScalars: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

extension Unicode.Scalar {
  /// The byte for which this character of a system text stands; nil if it stands for itself.
  package var systemByte: UInt8? {
    byteScalars.contains(value) ? UInt8(truncatingIfNeeded: value) : nil
  }

  fileprivate init(systemByte byte: UInt8) {
    // A constant in a valid range.
    self = Unicode.Scalar(byteScalars.lowerBound - 0x80 + UInt32(byte)) ?? "\u{FFFD}"
  }
}

extension String {
  /// A text of the system, such as a file name, of any bytes. `systemBytes` gives the same bytes.
  package init(systemBytes bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self), !text.hasSystemBytes {
      self = text
      return
    }
    var scalars = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while let byte = rest.first {
      // The length that the first byte of a character tells.
      let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      let text = String(validating: rest.prefix(length), as: UTF8.self)
      if let text, !text.hasSystemBytes {
        scalars.append(contentsOf: text.unicodeScalars)
        rest = rest.dropFirst(length)
      } else {
        scalars.append(Unicode.Scalar(systemByte: byte))
        rest = rest.dropFirst()
      }
    }
    self = String(scalars)
  }

  /// A text of the system that ends with a zero.
  package init(systemText text: UnsafePointer<CChar>) {
    unsafe self.init(
      systemBytes: UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// The bytes for system calls, with a zero at their end.
  package var systemText: [CChar] { (systemBytes + [0]).map { CChar(bitPattern: $0) } }

  /// The bytes for the system.
  package var systemBytes: [UInt8] {
    if !hasSystemBytes { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in
      scalar.systemByte.map { [$0] }
        ?? Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  /// The text with U+FFFD for what is not UTF-8.
  package var repaired: String {
    hasSystemBytes ? String(decoding: systemBytes, as: UTF8.self) : self
  }

  private var hasSystemBytes: Bool { unicodeScalars.contains { $0.systemByte != nil } }
}

/// The arguments of this process, without its name.
package func processArguments() -> [String] {
  (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    unsafe CommandLine.unsafeArgv[index].map { unsafe String(systemText: $0) }
  }
}

// Paths are compared byte by byte: a character of Swift may be a slash with an accent.
extension StringProtocol where UTF8View: BidirectionalCollection {
  /// Whether a path starts at the root.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// The folder of a path without the slash at its end, but `/` for the root; nil if the path has no slash.
  package var folderOfPath: String? {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The last component of a path: the text behind its last slash.
  package var nameInPath: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return String(self) }
    return String(self[utf8.index(after: slash)...])
  }
}

/// The names in a folder, without `.` and `..`; none if it cannot be read.
package func namesInFolder(_ path: String) -> [String] {
  guard let folder = unsafe opendir(path.systemText) else { return [] }
  defer { unsafe closedir(folder) }
  var names: [String] = []
  while let entry = unsafe readdir(folder) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
      unsafe String(systemBytes: name.prefix { $0 != 0 })
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}
