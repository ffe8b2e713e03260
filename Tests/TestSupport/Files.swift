import Glibc

/// All of a file; one of the kernel's, too.
package func readBytes(_ path: String) throws(TestFailure) -> [UInt8] {
  let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { throw Descriptor.failure(path) }
  let file = Descriptor(owning: number)
  return file.contents()
}

/// The same as text; bytes that are no UTF-8 are replaced.
func readText(_ path: String) throws(TestFailure) -> String {
  String(decoding: try readBytes(path), as: UTF8.self)
}

/// The names in a directory, without `.` and `..`; none when it cannot be read.
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
