import Control
import Glibc
import Linux
import Testing

/// A thread that sends one request, while the test is the daemon: `ControlClient` blocks.
final class ClientThread {
  private let path: String
  private let request: Request
  private var thread = pthread_t()
  /// Written by the thread, read after it has been joined.
  private var reply: Reply?
  private var pixels: [UInt32]?

  init(path: String, asking request: Request) {
    self.path = path
    self.request = request
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let code = unsafe pthread_create(&thread, nil, run, context)
    precondition(code == 0, "cannot start a thread: \(errorText(code))")
  }

  fileprivate func ask() {
    do throws(ControlError) {
      var client = try ControlClient(display: ":9", path: path)
      let answer = try client.ask(request)
      reply = answer.reply
      if case .picture(let picture) = answer.reply, let count = picture.pixelCount {
        switch answer.attachment {
        case .some(let file): pixels = try? file.readPixels(count)
        case .none: break
        }
      }
    } catch {
      Issue.record(error)
    }
  }

  /// The reply, and the pixels that came with it.
  func join() -> (reply: Reply?, pixels: [UInt32]?) {
    pthread_join(thread, nil)
    return (reply, pixels)
  }
}

private func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context = unsafe context {
    unsafe Unmanaged<ClientThread>.fromOpaque(context).takeRetainedValue().ask()
  }
  return nil
}
