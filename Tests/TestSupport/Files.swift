import Glibc

/// All bytes of a file, which may be one of procfs.
package func readBytes(_ path: String) throws(TestFailure) -> [UInt8] {
  let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { throw Descriptor.failure(path) }
  let file = Descriptor(owning: number)
  return file.contents()
}

/// A file as text; bytes that are not UTF-8 are replaced.
package func readText(_ path: String) throws(TestFailure) -> String {
  String(decoding: try readBytes(path), as: UTF8.self)
}

/// Creates a file, or replaces its contents.
package func writeText(_ text: String, to path: String) throws(TestFailure) {
  try writeBytes(Array(text.utf8), to: path)
}

/// The same with bytes.
package func writeBytes(_ bytes: [UInt8], to path: String) throws(TestFailure) {
  let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard number >= 0 else { throw Descriptor.failure(path) }
  let file = Descriptor(owning: number)
  let count = unsafe bytes.withUnsafeBytes { unsafe write(file.number, $0.baseAddress, $0.count) }
  guard count == bytes.count else { throw Descriptor.failure(path) }
}

/// Creates a directory if there is none. The one above it must exist.
package func makeDirectory(_ path: String) throws(TestFailure) {
  guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Descriptor.failure(path) }
}

/// The names in a directory, without `.` and `..`; none if it cannot be read.
package func namesInDirectory(_ path: String) -> [String] {
  guard let directory = unsafe opendir(path) else { return [] }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while let entry = unsafe readdir(directory) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}
