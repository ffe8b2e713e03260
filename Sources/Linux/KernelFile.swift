import Glibc

/// The first 64 KiB of a file of the kernel; empty if it cannot be read.
package func textOfKernelFile(_ path: String) -> String {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  if file < 0 { return "" }
  defer { close(file) }
  var text: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 4096)
  while text.count < 1 << 16 {
    let count = unsafe read(file, &part, part.count)
    if count <= 0 { break }
    text += part.prefix(count)
  }
  return String(decoding: text, as: UTF8.self)
}
