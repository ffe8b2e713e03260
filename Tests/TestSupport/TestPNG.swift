import CPNG
package import Raster

/// Reads a PNG of any kind as premultiplied BGRA, by libpng and not by the code under test.
package func readPNG(_ path: String) throws(TestFailure) -> Bitmap {
  var image = unsafe png_image()
  unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
  defer { unsafe png_image_free(&image) }
  guard unsafe png_image_begin_read_from_file(&image, path) != 0 else {
    throw TestFailure("\(path): \(unsafe message(of: image))")
  }
  // PNG_FORMAT_BGRA, a macro with a cast that Swift does not import.
  unsafe image.format = png_uint_32(
    PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_BGR)
  var bitmap = unsafe Bitmap(width: Int(image.width), height: Int(image.height))
  guard unsafe png_image_finish_read(&image, nil, &bitmap.pixels, 0, nil) != 0 else {
    throw TestFailure("\(path): \(unsafe message(of: image))")
  }
  for i in bitmap.pixels.indices { bitmap.pixels[i] = premultiplied(bitmap.pixels[i]) }
  return bitmap
}

/// Writes a picture whose colours are not premultiplied, with little compression: that takes most of the time.
package func writePNG(straight bitmap: Bitmap, to path: String) throws(TestFailure) {
  var image = unsafe png_image()
  unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
  unsafe image.width = png_uint_32(bitmap.width)
  unsafe image.height = png_uint_32(bitmap.height)
  unsafe image.format = png_uint_32(
    PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_BGR)
  unsafe image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
  guard unsafe png_image_write_to_file(&image, path, 0, bitmap.pixels, 0, nil) != 0 else {
    throw TestFailure("\(path): \(unsafe message(of: image))")
  }
}

private func message(of image: png_image) -> String {
  unsafe withUnsafeBytes(of: image.message) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// Rounded to nearest.
private func premultiplied(_ pixel: UInt32) -> UInt32 {
  let alpha = pixel >> 24
  if alpha == 255 { return pixel }
  var result = alpha << 24
  for shift: UInt32 in [0, 8, 16] {
    result |= (((pixel >> shift & 0xFF) * alpha + 127) / 255) << shift
  }
  return result
}
