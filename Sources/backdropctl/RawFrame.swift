import Control
import Glibc
import Linux
import Raster

/// Reads a file with the pixels of one frame: premultiplied BGRA, rows packed. Throws `noInput`, or
/// `data` if the file is too short.
func readRawFrame(_ path: String, width: Int, height: Int) throws(Failure) -> Bitmap {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  if file < 0 { throw Failure(.noInput, "cannot open '\(path)': \(errorText(errno))") }
  let descriptor = FileDescriptor(owning: file)
  guard let pixels = descriptor.readPixels(width * height) else {
    throw Failure(
      .data, "'\(path)' is shorter than \(width)x\(height) pixels of 4 bytes; give its true size")
  }
  return Bitmap(width: width, height: height, pixels: pixels)
}

/// Writes the pixels of a frame in the same format. Throws `cannotCreate`.
func writeRawFrame(_ picture: Bitmap, _ path: String) throws(Failure) {
  let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
  if file < 0 { throw Failure(.cannotCreate, "cannot write '\(path)': \(errorText(errno))") }
  let descriptor = FileDescriptor(owning: file)
  let isWhole = unsafe picture.pixels.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let count = unsafe write(
        descriptor.raw, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return true
  }
  if !isWhole { throw Failure(.cannotCreate, "cannot write '\(path)': \(errorText(errno))") }
}
