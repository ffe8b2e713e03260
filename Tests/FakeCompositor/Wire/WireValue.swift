import WaylandClient

/// An argument of a message on the wire.
package enum WireValue: Equatable, Sendable {
  case int(Int)
  case uint(Int)
  /// In units of 1/256.
  case fixed(Int)
  /// Nil is the null text.
  case text(String?)
  /// The number of an object; 0 is null.
  case object(UInt32)
  case newObject(UInt32)
  case array([UInt8])
  case descriptor(Int32)
}

/// A message with the numbers of the wire.
struct WireMessage {
  let object: UInt32
  let opcode: Int
  let payload: [UInt8]

  static let headerSize = 8

  /// The first message of `bytes`; nil if it has not arrived whole. Its size is a multiple of four of at least eight, or it
  /// is not valid.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= Self.headerSize else { return nil }
    let (object, word) = (bytes.word(at: 0), bytes.word(at: 4))
    let size = max(Self.headerSize, Int(word >> 16))
    guard bytes.count >= size else { return nil }
    self.object = object
    opcode = Int(word & 0xffff)
    payload = Array(bytes.dropFirst(Self.headerSize).prefix(size - Self.headerSize))
  }

  var byteCount: Int { Self.headerSize + payload.count }

  /// The arguments according to a signature; nil if they do not fit it. Descriptors are taken from the front of
  /// `descriptors`.
  func arguments(_ message: Message, _ descriptors: inout [Int32]) -> [WireValue]? {
    var values: [WireValue] = []
    var rest = payload[...]
    func next() -> UInt32? {
      guard rest.count >= 4 else { return nil }
      defer { rest = rest.dropFirst(4) }
      return rest.word(at: 0)
    }
    func nextBytes() -> [UInt8]? {
      guard let length = next(), rest.count >= Int(length) else { return nil }
      defer { rest = rest.dropFirst(min(rest.count, (Int(length) + 3) / 4 * 4)) }
      return Array(rest.prefix(Int(length)))
    }
    for (kind, isNullable) in message.parameters {
      switch kind {
      case "h":
        // The kernel keeps 16 descriptors of one transfer, which `FileDescriptor.receive` reads.
        guard !descriptors.isEmpty else { return nil }
        values.append(.descriptor(descriptors.removeFirst()))
      case "s":
        guard let bytes = nextBytes(), !bytes.isEmpty || isNullable else { return nil }
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        values.append(.text(bytes.isEmpty ? nil : text))
      case "a":
        guard let bytes = nextBytes() else { return nil }
        values.append(.array(bytes))
      default:
        guard let word = next(), let value = WireValue(kind, word, isNullable) else { return nil }
        values.append(value)
      }
    }
    return rest.isEmpty ? values : nil
  }

  /// The bytes of a message with arguments, without descriptors.
  static func bytes(_ object: UInt32, _ opcode: Int, _ arguments: [WireValue]) -> [UInt8] {
    var payload: [UInt8] = []
    for argument in arguments {
      switch argument {
      case .int(let number), .uint(let number), .fixed(let number):
        payload.append(word: UInt32(truncatingIfNeeded: number))
      case .object(let id), .newObject(let id): payload.append(word: id)
      case .text(nil): payload.append(word: 0)
      case .text(let text?): payload.append(block: Array(text.utf8) + [0])
      case .array(let bytes): payload.append(block: bytes)
      case .descriptor: break
      }
    }
    var all: [UInt8] = []
    all.append(word: object)
    all.append(word: UInt32((headerSize + payload.count) << 16 | opcode))
    return all + payload
  }
}

extension WireValue {
  fileprivate init?(_ kind: Character, _ word: UInt32, _ isNullable: Bool) {
    let signed = Int(Int32(bitPattern: word))
    switch kind {
    case "i": self = .int(signed)
    case "u": self = .uint(Int(word))
    case "f": self = .fixed(signed)
    case "o" where word != 0 || isNullable: self = .object(word)
    case "n" where word != 0: self = .newObject(word)
    default: return nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Four bytes in the order of this machine, which is little-endian.
  fileprivate func word(at offset: Int) -> UInt32 {
    let first = startIndex + offset
    return (0..<4).reduce(0) { $0 | UInt32(self[first + $1]) << UInt32(8 * $1) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(word: UInt32) {
    for shift: UInt32 in [0, 8, 16, 24] { append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  /// Appends a length and bytes, filled up to whole words.
  fileprivate mutating func append(block: [UInt8]) {
    append(word: UInt32(block.count))
    self += block
    while count % 4 != 0 { append(0) }
  }
}
