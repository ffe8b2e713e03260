import Glibc
import Linux
import TestDice
import TestSupport

/// A socket in front of an X server. It passes on few events, replies and errors at a time: the next ones follow when the client
/// has read them. A server may flush between any two of them. Serves one client, which sends no files.
final class GroupingProxy {
  /// The name of the display for libxcb.
  let display: String
  private let listener: Descriptor

  /// The numbers of items in a group are random.
  init(to server: XServer, _ dice: Dice) throws {
    var number = 4000
    listener = try listenerWithoutFile(from: &number)
    display = ":\(number)"
    let target = "\0" + serverPath(Int(server.display.dropFirst()) ?? 0)
    let code = startThread { [number = listener.number] in serve(number, target, dice) }
    guard code == 0 else { throw TestFailure("no thread: errno \(code)") }
  }

  /// Ends the thread if no client has come. Otherwise the thread ends with the client.
  deinit { shutdown(listener.number, Int32(SHUT_RDWR)) }
}

/// Listens for clients of the first display that is free, from `number` on. libxcb looks for abstract sockets first.
private func listenerWithoutFile(from number: inout Int) throws(TestFailure) -> Descriptor {
  while true {
    do { return try boundSocket(at: "\0" + serverPath(number), SOCK_STREAM) } catch {
      number += 1
      if number == 5000 { throw error }
    }
  }
}

/// Passes bytes between the first client and the server, until one of them ends the connection.
private func serve(_ listener: Int32, _ target: String, _ dice: Dice) {
  let client = accept(listener, nil, nil)
  if client < 0 { return }
  defer { close(client) }
  guard let connection = connect(to: target) else { return }
  let server = connection.number
  var queue = ItemQueue()
  var dice = dice
  while true {
    // The end of the wait for a client that has not read yet.
    let timeout: Int32 = queue.hasItem ? 1 : -1
    var polled = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if unsafe poll(&polled, 2, timeout) < 0 { continue }
    if polled[0].revents != 0 {
      guard let bytes = receive(from: client), sendAll(bytes, to: server) else { return }
    }
    if polled[1].revents != 0 {
      guard let bytes = receive(from: server) else { return }
      queue.bytes += bytes
    }
    if queue.hasItem, hasRead(client) {
      let group = queue.removeFirst(upTo: dice.roll(1...4))
      if !sendAll(group, to: client) { return }
    }
  }
}

/// What the server has sent. Its answer to the start of the connection counts as an item.
private struct ItemQueue {
  var bytes: [UInt8] = []
  private var hasStarted = false

  var hasItem: Bool { firstLength.map { $0 <= bytes.count } ?? false }

  /// Removes the first items, as far as they have arrived.
  mutating func removeFirst(upTo limit: Int) -> [UInt8] {
    var items: [UInt8] = []
    for _ in 0..<limit {
      guard let length = firstLength, length <= bytes.count else { break }
      items += bytes.prefix(length)
      bytes.removeFirst(length)
      hasStarted = true
    }
    return items
  }

  /// The number of bytes of the first item; nil if its header has not arrived.
  private var firstLength: Int? {
    if !hasStarted { return bytes.count < 8 ? nil : 8 + 4 * (Int(bytes[6]) | Int(bytes[7]) << 8) }
    guard bytes.count >= 32 else { return nil }
    let isLong = bytes[0] == 1 || bytes[0] & 0x7f == 35
    let words = (4..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
    return 32 + (isLong ? 4 * words : 0)
  }
}

/// Whether the peer has read all that was sent to it.
private func hasRead(_ peer: Int32) -> Bool {
  var count: Int32 = 0
  return unsafe ioctl(peer, UInt(TIOCOUTQ), &count) == 0 && count == 0
}

/// Nil at the end of the stream.
private func receive(from socket: Int32) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = unsafe recv(socket, &bytes, bytes.count, 0)
  return count > 0 ? Array(bytes[..<count]) : nil
}

private func sendAll(_ bytes: [UInt8], to socket: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes {
      unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count <= 0 { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

private func serverPath(_ number: Int) -> String { "/tmp/.X11-unix/X\(number)" }
