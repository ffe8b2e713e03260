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
  private var attachments: [Attachment] = []
  /// The number of files that have been received or replaced, ever.
  private var fileCount = 0

  /// The files that go with a byte.
  private struct Attachment {
    /// The number of bytes that were received before this byte, ever.
    let position: Int
    let files: [Int32]
    /// Whether the kernel closed some files that came after these, because this process has no descriptors for them.
    var isCut: Bool
    /// The number of those files, when it is known.
    var lostCount = 0
  }

  /// The least room for the bytes of one call. libxcb and the server rarely send more at once.
  private static let chunk = 1 << 14

  var count: Int { end - start }

  /// Receives what there is. Returns `ended` also after an error.
  mutating func receive(
    from socket: borrowing FileDescriptor, fileLimit: Int = FileDescriptor.fileLimit
  ) -> Transfer {
    makeRoom()
    let (transfer, files, isCut) = unsafe bytes.withUnsafeMutableBytes { bytes in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[end...])
      return unsafe socket.receive(into: free, fileLimit: fileLimit)
    }
    if !files.isEmpty || isCut {
      attachments.append(Attachment(position: sentCount + count, files: files, isCut: isCut))
      fileCount += files.count
    }
    if case .moved(let byteCount) = transfer { end += byteCount }
    return transfer
  }

  /// Determines how many files were lost. `sent` is the number of all files that were sent to this queue, ever. `send` replaces
  /// each lost file by another one: the receiver assigns files by their order, so without a replacement it would assign the next
  /// file. Must be called before `send`.
  mutating func replaceLostFiles(sent: Int) {
    guard let index = attachments.lastIndex(where: \.isCut) else { return }
    attachments[index].lostCount = min(
      sent - fileCount, FileDescriptor.fileLimit - attachments[index].files.count)
    fileCount += attachments[index].lostCount
    for i in attachments.indices { attachments[i].isCut = false }
    attachments.removeAll { $0.files.isEmpty && $0.lostCount == 0 }
  }

  /// Makes room for a chunk at the end.
  private mutating func makeRoom() {
    if start == end {
      (start, end) = (0, 0)
      // Free the memory that a large picture needed.
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

  /// Sends as many of the first `limit` bytes as the socket takes, and `replacement` in place of each lost file. Returns whether
  /// the connection still works.
  mutating func send(
    to socket: borrowing FileDescriptor, limit: Int, replacement: Int32 = -1
  ) -> Bool {
    var rest = min(limit, count)
    while rest > 0 {
      var (length, attached): (Int, [Int32]) = (rest, [])
      if let next = attachments.first {
        if next.position == sentCount {
          attached = next.files + Array(repeating: replacement, count: next.lostCount)
        }
        let following = attached.isEmpty ? next.position : attachments.dropFirst().first?.position
        length = min(rest, (following ?? .max) - sentCount)
      }
      let transfer = unsafe bytes.withUnsafeBytes {
        unsafe socket.send(
          UnsafeRawBufferPointer(rebasing: $0[start..<start + length]), attaching: attached)
      }
      guard case .moved(let byteCount) = transfer else { return transfer == .wouldBlock }
      if !attached.isEmpty { for file in attachments.removeFirst().files { close(file) } }
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
    for attachment in attachments { for file in attachment.files { close(file) } }
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
