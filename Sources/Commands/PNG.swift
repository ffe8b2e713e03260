import CPNG
import Control
import Glibc
import Linux
import Raster

// The simplified API of libpng. It returns errors, whereas the classic API longjmps across Swift
// frames. All unsafe code for libpng is in this file.

/// The picture of a PNG file, premultiplied. If it is opaque, every alpha is 255.
struct DecodedPNG {
  var bitmap: Bitmap
  let isOpaque: Bool

  /// Decodes a complete PNG file of any type within the limits of `PNGFile`. Throws `noInput` or
  /// `data`.
  init(path: String) throws(Failure) { try self.init(PNGFile(path: path)) }

  /// Throws `data` if the file is broken or has more than `pixelLimit` pixels.
  init(_ file: PNGFile, pixelLimit: Int = PNGFile.pixelLimit) throws(Failure) {
    self = try unsafe withUnsafeDecoder(of: file) { image throws(Failure) in
      try unsafe file.check(
        width: image.pointee.width, height: image.pointee.height, pixelLimit: pixelLimit)
      try file.checkData()
      return try unsafe DecodedPNG(decoding: image, file)
    }
  }

  private init(decoding image: UnsafeMutablePointer<png_image>, _ file: PNGFile) throws(Failure) {
    let (width, height) = unsafe (image.pointee.width, image.pointee.height)
    isOpaque = unsafe image.pointee.format & PNG_FORMAT_FLAG_ALPHA == 0
    unsafe image.pointee.format =
      PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_BGR | PNG_FORMAT_FLAG_ALPHA
    // Without this flag libpng interprets 16-bit files without a gamma as linear light, which
    // programs do not write.
    unsafe image.pointee.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
    var bitmap = Bitmap(width: Int(width), height: Int(height))
    let isRead = unsafe bitmap.pixels.withUnsafeMutableBytes { pixels in
      unsafe png_image_finish_read(image, nil, pixels.baseAddress, 0, nil) != 0
    }
    guard isRead else { throw file.failure(unsafe message(of: image.pointee)) }
    if !isOpaque {
      for i in bitmap.pixels.indices { bitmap.pixels[i] = premultiplied(bitmap.pixels[i]) }
    }
    self.bitmap = bitmap
  }
}

/// Calls `body` with the libpng image of a file whose header was read. libpng stores the addresses
/// of the image and of the bytes, so neither may move during the call.
private func withUnsafeDecoder<R>(
  of file: PNGFile, _ body: (UnsafeMutablePointer<png_image>) throws(Failure) -> R
) throws(Failure) -> R {
  var image = unsafe png_image()
  return try unsafe withUnsafeMutablePointer(to: &image) { image throws(Failure) in
    try unsafe file.bytes.span.withUnsafeBytes { bytes throws(Failure) in
      unsafe image.pointee.version = UInt32(PNG_IMAGE_VERSION)
      defer { unsafe png_image_free(image) }
      guard unsafe png_image_begin_read_from_memory(image, bytes.baseAddress, bytes.count) != 0
      else { throw file.failure(unsafe message(of: image.pointee)) }
      return try unsafe body(image)
    }
  }
}

/// Writes a picture to an open file, as RGB if `isOpaque`, else as RGBA. Returns nil or the text of
/// an error.
func writePNG(_ bitmap: Bitmap, isOpaque: Bool, to file: borrowing FileDescriptor) -> String? {
  let copy = dup(file.raw)
  guard copy >= 0, let stream = unsafe fdopen(copy, "wb") else { return errorText(errno) }
  var image = unsafe png_image()
  unsafe image.version = UInt32(PNG_IMAGE_VERSION)
  unsafe image.width = UInt32(bitmap.width)
  unsafe image.height = UInt32(bitmap.height)
  unsafe image.format = PNG_FORMAT_FLAG_COLOR | (isOpaque ? 0 : PNG_FORMAT_FLAG_ALPHA)
  let samples = samples(of: bitmap, isOpaque: isOpaque)
  errno = 0
  let isWritten = unsafe samples.withUnsafeBytes { samples in
    unsafe png_image_write_to_stdio(&image, stream, 0, samples.baseAddress, 0, nil) != 0
  }
  let code = errno
  let isClosed = unsafe fclose(stream) == 0
  if !isWritten { return code == 0 ? unsafe message(of: image) : errorText(code) }
  return isClosed ? nil : errorText(errno)
}

private func message(of image: png_image) -> String {
  unsafe withUnsafeBytes(of: image.message) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

// MARK: Alpha

/// Multiplies the colours of a BGRA pixel by its alpha, rounded to the nearest.
private func premultiplied(_ pixel: UInt32) -> UInt32 {
  let alpha = pixel >> 24
  func channel(_ shift: UInt32) -> UInt32 {
    (((pixel >> shift & 255) * alpha + 127) / 255) << shift
  }
  return alpha << 24 | channel(16) | channel(8) | channel(0)
}

/// Red, green, blue and, unless `isOpaque`, alpha of each pixel, not premultiplied.
private func samples(of bitmap: Bitmap, isOpaque: Bool) -> [UInt8] {
  var samples: [UInt8] = []
  samples.reserveCapacity(bitmap.pixels.count * (isOpaque ? 3 : 4))
  for pixel in bitmap.pixels {
    let alpha = isOpaque ? 255 : pixel >> 24
    for shift in [UInt32(16), 8, 0] {
      // A rounding error could make a colour exceed its alpha.
      let color = min(pixel >> shift & 255, alpha)
      samples.append(alpha == 0 ? 0 : UInt8((color * 255 + alpha / 2) / alpha))
    }
    if !isOpaque { samples.append(UInt8(alpha)) }
  }
  return samples
}
