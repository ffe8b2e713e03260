import Control
import Linux
import Raster

/// Pictures on their way to clients. Large ones are copied into files by threads.
struct PictureFiles {
  /// A copy in progress.
  private struct Copy {
    let client: ClientID
    let report: PictureReport
    let byteCount: Int
    let task: BackgroundTask<CopiedPicture>
  }

  private var copies: [Copy] = []

  /// A file with the pixels of a picture, or the reason why there is none.
  enum CopiedPicture: ~Copyable, Sendable {
    case file(FileDescriptor)
    case failed(ControlError)

    init(_ picture: Bitmap) {
      do throws(ControlError) {
        self = .file(try .makePixelFile([picture]))
      } catch {
        self = .failed(error)
      }
    }
  }

  /// A picture of more pixels takes some milliseconds to copy.
  private static let largePixelCount = 1 << 18

  /// The descriptors that become readable when a copy is complete.
  var descriptors: [Int32] { copies.map(\.task.descriptor) }

  /// The clients that wait for them.
  var clients: [ClientID] { copies.map(\.client) }

  /// The size of all copies in progress.
  var byteCount: Int { copies.reduce(0) { $0 + $1.byteCount } }

  /// Sends a picture to a client, at once or when it is copied.
  mutating func send(_ picture: Bitmap, to client: ClientID, by control: inout ControlServer) {
    let report = PictureReport(
      width: picture.width, height: picture.height, stride: picture.width)
    let byteCount = 4 * picture.pixels.count
    if picture.pixels.count > Self.largePixelCount,
      let task = try? BackgroundTask({ CopiedPicture(picture) })
    {
      copies.append(Copy(client: client, report: report, byteCount: byteCount, task: task))
    } else {
      deliver(CopiedPicture(picture), report, byteCount, to: client, by: &control)
    }
  }

  /// Sends the pictures whose copies are complete.
  mutating func deliver(by control: inout ControlServer) {
    for copy in copies {
      let picture = copy.task.take()
      switch consume picture {
      case .none: continue
      case .some(let picture):
        copies.removeAll { $0.task === copy.task }
        deliver(picture, copy.report, copy.byteCount, to: copy.client, by: &control)
      }
    }
  }

  private func deliver(
    _ picture: consuming CopiedPicture, _ report: PictureReport, _ byteCount: Int,
    to client: ClientID, by control: inout ControlServer
  ) {
    switch consume picture {
    case .file(let file):
      control.send(.picture(report), to: client, attaching: file, fileSize: byteCount)
    case .failed(let error): control.send(.failure(.unavailable, "\(error)"), to: client)
    }
  }
}
