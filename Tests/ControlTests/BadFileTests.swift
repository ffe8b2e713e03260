import Control
import Glibc
import Linux
import Raster
import Testing

/// Files that should hold pixels and do not: none of them blocks or kills the daemon.
@Suite struct BadFileTests {
  private let line = Array(
    #"{"request":"set","name":"x","content":[{"image":"x","width":1000,"height":1000}]}"#.utf8)

  private func error(_ open: () -> Int32) -> RequestError? {
    do throws(RequestError) {
      _ = try Request(parsing: line) {
        let raw = open()
        return raw < 0 ? nil : FileDescriptor(owning: raw)
      }
      return nil
    } catch {
      return error
    }
  }

  private func open(_ path: String, _ flags: Int32 = O_RDONLY) -> Int32 {
    unsafe Glibc.open(path, flags | O_CLOEXEC)
  }

  @Test func fileThatIsNotInMemoryIsRefused() {
    for path in ["/dev/zero", "/dev/null", "/", "/dev/shm", "/proc/self/mem", "/proc/self/status"] {
      #expect(error { open(path) } == .badPixelFile, "\(path)")
    }
    let pathOnly: Int32 = 0o10000000
    #expect(error { open("/proc/self/status", pathOnly) } == .badPixelFile)
    #expect(error { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) } == .badPixelFile)
  }

  @Test func bothEndsOfPipeAreRefused() {
    for end in 0...1 {
      var ends: [Int32] = [-1, -1]
      #expect(unsafe pipe(&ends) == 0)
      #expect(error { ends[end] } == .badPixelFile)
      close(ends[1 - end])
    }
  }

  @Test func fileThatCannotBeReadIsNotTooShort() throws {
    let file = try FileDescriptor.makePixelFile([Bitmap(width: 1000, height: 1000)])
    #expect(
      error { open("/proc/self/fd/\(file.raw)", O_WRONLY) } == .unreadablePixelFile(code: EBADF))
    #expect(error { open("/proc/self/fd/\(file.raw)") } == nil)
  }

  @Test func fileIsReadNoFurtherThanItsPictures() throws {
    let file = try FileDescriptor.makePixelFile([])
    #expect(error { dup(file.raw) } == .tooFewPixels(needed: 1_000_000))
    #expect(ftruncate(file.raw, 1 << 42) == 0)
    #expect(error { dup(file.raw) } == nil)
  }

  @Test func fileThatShrinksWhileItIsReadIsARequestOrTooShort() throws {
    let file = try FileDescriptor.makePixelFile([Bitmap(width: 1000, height: 1000)])
    let cutter = CuttingThread(file.raw)
    let errors = (0..<300).map { _ in error { dup(file.raw) } }
    cutter.join()
    #expect(errors.allSatisfy { $0 == nil || $0 == .tooFewPixels(needed: 1_000_000) })
  }
}

/// A thread that makes a file shorter and longer, again and again.
private final class CuttingThread {
  private let file: Int32
  private var thread = pthread_t()

  init(_ file: Int32) {
    self.file = file
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let code = unsafe pthread_create(&thread, nil, run, context)
    precondition(code == 0, "cannot start a thread: \(errorText(code))")
  }

  fileprivate func cut() {
    for i in 1...20_000 { _ = ftruncate(file, i % 2 == 0 ? 4_000_000 : i) }
  }

  func join() { pthread_join(thread, nil) }
}

private func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context = unsafe context {
    unsafe Unmanaged<CuttingThread>.fromOpaque(context).takeRetainedValue().cut()
  }
  return nil
}
