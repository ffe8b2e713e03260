/// The error of a request that the server refused.
struct XError: Error {
  /// The error code of the core protocol; codes of extensions start at 128.
  let code: UInt8
  /// Nil if the request is not in the log.
  let request: RequestName?
  let requestCodes: (major: UInt8, minor: UInt16)
  /// The window or pixmap of the request.
  let subject: UInt32
  /// A second window of the request.
  let sibling: UInt32?

  /// Whether the server had not enough memory (BadAlloc).
  var isLackOfMemory: Bool { code == Self.lackOfMemory }

  /// BadAlloc.
  static var lackOfMemory: UInt8 { 11 }
}

extension XError: CustomStringConvertible {
  var description: String { "\(requestText): \(codeName)" }

  /// The name of the request and its subject.
  var requestText: String {
    let name = request?.rawValue ?? "request \(requestCodes.major).\(requestCodes.minor)"
    return "\(name) of 0x\(String(subject, radix: 16))"
  }

  private var codeName: String {
    let names = [
      "BadRequest", "BadValue", "BadWindow", "BadPixmap", "BadAtom", "BadCursor", "BadFont",
      "BadMatch", "BadDrawable", "BadAccess", "BadAlloc", "BadColor", "BadGC", "BadIDChoice",
      "BadName", "BadLength", "BadImplementation",
    ]
    let index = Int(code) - 1
    return names.indices.contains(index) ? names[index] : "error \(code)"
  }
}
