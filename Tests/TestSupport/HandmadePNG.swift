import CZlib

/// A PNG file of any kind that libpng reads, encoded here, so that the reader is tested against the format and
/// not against its own writer. Its pixels are stored, not compressed.
package struct HandmadePNG: Sendable {
  /// The colour type by its number in the format: 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGBA.
  package var colorType: UInt8
  package var depth = 8
  package var isInterlaced = false
  package var width: Int
  package var height: Int
  /// The palette: red, green, blue of each entry.
  package var palette: [UInt8] = []
  /// The chunk tRNS: transparency.
  package var transparency: [UInt8] = []
  /// The samples of a pixel, each of `depth` bits.
  package var pixel: @Sendable (_ x: Int, _ y: Int) -> [Int]

  package init(
    colorType: UInt8, depth: Int = 8, isInterlaced: Bool = false, width: Int, height: Int,
    palette: [UInt8] = [], transparency: [UInt8] = [],
    pixel: @escaping @Sendable (_ x: Int, _ y: Int) -> [Int]
  ) {
    self.colorType = colorType
    self.depth = depth
    self.isInterlaced = isInterlaced
    self.width = width
    self.height = height
    self.palette = palette
    self.transparency = transparency
    self.pixel = pixel
  }

  /// The file.
  package var bytes: [UInt8] {
    var file = Self.signature + header
    if !palette.isEmpty { file += Self.chunk("PLTE", palette) }
    if !transparency.isEmpty { file += Self.chunk("tRNS", transparency) }
    return file + Self.chunk("IDAT", stored(scanlines)) + Self.chunk("IEND", [])
  }

  package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(data.count) + body + bigEndian(checksum(body))
  }

  /// A zlib stream of zeros, a thousandth of their size.
  package static func compressedZeros(megabytes: Int) -> [UInt8] {
    var stream = unsafe z_stream()
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    precondition(unsafe deflateInit_(&stream, 9, ZLIB_VERSION, size) == Z_OK)
    defer { unsafe deflateEnd(&stream) }
    var zeros = [UInt8](repeating: 0, count: 1 << 20)
    var out = [UInt8](repeating: 0, count: 1 << 16)
    var result: [UInt8] = []
    for step in 0..<megabytes {
      unsafe zeros.withUnsafeMutableBufferPointer { zeros in
        unsafe out.withUnsafeMutableBufferPointer { out in
          unsafe stream.next_in = zeros.baseAddress
          unsafe stream.avail_in = UInt32(zeros.count)
          unsafe stream.next_out = out.baseAddress
          unsafe stream.avail_out = UInt32(out.count)
          _ = unsafe deflate(&stream, step == megabytes - 1 ? Z_FINISH : Z_NO_FLUSH)
          unsafe result += out.prefix(out.count - Int(stream.avail_out))
        }
      }
    }
    return result
  }

  /// The chunk IHDR.
  package var header: [UInt8] {
    let shape = bigEndian(width) + bigEndian(height)
    return Self.chunk("IHDR", shape + [UInt8(depth), colorType, 0, 0, isInterlaced ? 1 : 0])
  }

  /// Every row behind its filter's number, 0; of seven pictures when it is interlaced.
  private var scanlines: [UInt8] {
    let whole = (x: 0, y: 0, dx: 1, dy: 1)
    let adam7 = [
      (x: 0, y: 0, dx: 8, dy: 8), (x: 4, y: 0, dx: 8, dy: 8), (x: 0, y: 4, dx: 4, dy: 8),
      (x: 2, y: 0, dx: 4, dy: 4), (x: 0, y: 2, dx: 2, dy: 4), (x: 1, y: 0, dx: 2, dy: 2),
      (x: 0, y: 1, dx: 1, dy: 2),
    ]
    return (isInterlaced ? adam7 : [whole]).flatMap { pass -> [UInt8] in
      if pass.x >= width { return [] }
      return stride(from: pass.y, to: height, by: pass.dy).flatMap { y in
        [0] + packed(stride(from: pass.x, to: width, by: pass.dx).flatMap { pixel($0, y) })
      }
    }
  }

  private func packed(_ samples: [Int]) -> [UInt8] {
    if depth == 16 { return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
    let perByte = 8 / depth
    return stride(from: 0, to: samples.count, by: perByte).map { first in
      (0..<perByte).reduce(UInt8(0)) { byte, i in
        let sample = first + i < samples.count ? samples[first + i] : 0
        return byte << UInt8(depth & 7) | UInt8(sample)
      }
    }
  }
}

private func bigEndian(_ value: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(value >> $0 & 255) }
}

/// CRC-32.
private func checksum(_ bytes: [UInt8]) -> Int {
  var crc: UInt32 = 0xffff_ffff
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xedb8_8320 }
  }
  return Int(~crc)
}

/// A zlib stream of stored blocks, and its Adler-32.
private func stored(_ bytes: [UInt8]) -> [UInt8] {
  var stream: [UInt8] = [0x78, 0x01]
  var start = 0
  repeat {
    let end = min(bytes.count, start + 65535)
    let count = UInt16(end - start)
    stream.append(end == bytes.count ? 1 : 0)
    for value in [count, ~count] { stream += [UInt8(value & 255), UInt8(value >> 8)] }
    stream += bytes[start..<end]
    start = end
  } while start < bytes.count
  let sums = bytes.reduce((1, 0)) { sums, byte in
    let first = (sums.0 + Int(byte)) % 65521
    return (first, (sums.1 + first) % 65521)
  }
  return stream + bigEndian(sums.1 << 16 | sums.0)
}
