import Raster

// Files with the pixels of one frame: premultiplied BGRA, rows packed.

/// Throws `noInput`, or `data` if the file is too short.
func readRawFrame(_ path: String, width: Int, height: Int) throws(Failure) -> Bitmap {
  var input = try InputFile(path: path)
  let bytes = try input.read(upTo: 4 * width * height)
  guard bytes.count == 4 * width * height else {
    throw Failure(
      .data, "'\(path)' is shorter than \(width)x\(height) pixels of 4 bytes; give its true size")
  }
  let pixels = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: UInt32.self)) }
  return Bitmap(width: width, height: height, pixels: pixels)
}

/// Throws `cannotCreate`.
func writeRawFrame(_ picture: Bitmap, _ path: String) throws(Failure) {
  let bytes = unsafe picture.pixels.withUnsafeBytes { unsafe Array($0) }
  try OutputFile(path: path).write(bytes)
}
