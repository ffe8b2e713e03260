/// A premultiplied pixel over an opaque one, with the rounding and saturation of pixman.
package func blended(_ over: UInt32, onto below: UInt32) -> UInt32 {
  let rest = 255 - (over >> 24)
  var result: UInt32 = 0xff00_0000
  for shift: UInt32 in [0, 8, 16] {
    let product = (below >> shift & 255) * rest + 128
    let sum = (over >> shift & 255) + ((product + product >> 8) >> 8)
    result |= min(255, sum) << shift
  }
  return result
}
