import Glibc
import Linux

/// Bytes that have been received and not sent yet, with the files that go with them.
struct RelayQueue: ~Copyable {
  private var bytes = [UInt8](repeating: 0, count: 2 * Self.chunk)
  /// The range in `bytes`.
  private var start = 0
  private var end = 0
  /// The number of bytes that have been sent, ever.
  private var sentCount = 0
  /// The files, each with the number of bytes before the one with which it goes.
  private var files: [(position: Int, files: [Int32])] = []

  /// The least room for the bytes of one call. What libxcb and the server send at once is rarely more.
  private static let chunk = 1 << 14

  var count: Int { end - start }

  /// Receives what there is. Returns `ended` also after an error.
  mutating func receive(from socket: borrowing FileDescriptor) -> Transfer {
    makeRoom()
    let (transfer, received, _) = unsafe bytes.withUnsafeMutableBytes { bytes in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[end...])
      return unsafe socket.receive(into: free, fileLimit: FileDescriptor.fileLimit)
    }
    if !received.isEmpty { files.append((sentCount + count, received)) }
    if case .moved(let byteCount) = transfer { end += byteCount }
    return transfer
  }

  /// Makes room for a chunk at the end.
  private mutating func makeRoom() {
    if start == end {
      (start, end) = (0, 0)
      // After a large picture.
      if bytes.count > 64 * Self.chunk { bytes = [UInt8](repeating: 0, count: 2 * Self.chunk) }
    }
    if bytes.count - end >= Self.chunk { return }
    if start >= end - start, start >= Self.chunk {
      unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      }
      (start, end) = (0, count)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: bytes.count))
    }
  }

  /// Sends as many of the first `limit` bytes as the socket takes. Returns whether the connection still works.
  mutating func send(to socket: borrowing FileDescriptor, limit: Int) -> Bool {
    var rest = min(limit, count)
    while rest > 0 {
      var (length, attached): (Int, [Int32]) = (rest, [])
      if let next = files.first {
        if next.position == sentCount { attached = next.files }
        let following = attached.isEmpty ? next.position : files.dropFirst().first?.position
        length = min(rest, (following ?? .max) - sentCount)
      }
      let transfer = unsafe bytes.withUnsafeBytes {
        unsafe socket.send(
          UnsafeRawBufferPointer(rebasing: $0[start..<start + length]), attaching: attached)
      }
      guard case .moved(let byteCount) = transfer else { return transfer == .wouldBlock }
      if !attached.isEmpty { for file in files.removeFirst().files { close(file) } }
      start += byteCount
      sentCount += byteCount
      rest -= byteCount
    }
    return true
  }

  /// Removes the first bytes, which have no files.
  mutating func removeFirst(_ length: Int) -> [UInt8] {
    defer {
      start += length
      sentCount += length
    }
    return Array(bytes[start..<start + length])
  }

  deinit {
    for item in files { for file in item.files { close(file) } }
  }
}

// The server sends errors and events of 32 bytes, and replies and events whose length is in their header.
extension RelayQueue {
  /// The number of bytes of the first packets of the server that have arrived as a whole: at most `limit`, or
  /// those of one packet that is longer.
  func countWholePackets(upTo limit: Int) -> Int {
    var whole = 0
    while whole + Self.headerLength <= count {
      let next = whole + packetLength(at: start + whole)
      if next > count || (next > limit && whole > 0) { break }
      whole = next
    }
    return whole
  }

  private static var headerLength: Int { 32 }

  private func packetLength(at position: Int) -> Int {
    let kind = bytes[position]
    // A reply, and a generic event, sent by the server or by another client.
    guard kind == 1 || kind & 0x7f == 35 else { return Self.headerLength }
    let words = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
    }
    return Self.headerLength + 4 * Int(words)
  }
}
