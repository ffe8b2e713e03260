import Glibc

/// A new directory, mode 0700, for sockets and files. It is removed with its contents. Programs that use it end before.
package struct TemporaryDirectory: ~Copyable {
  package let path: String

  /// Creates it in /tmp, or in /tmp of a folder with another distribution.
  package init(in root: String = "") throws(TestFailure) {
    var template = Array("\(root)/tmp/backdropd-run-XXXXXX".utf8CString)
    let made = unsafe mkdtemp(&template)
    guard unsafe made != nil else { throw Descriptor.failure("mkdtemp in \(root)/tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    endProcesses(withFolder: path.split(separator: "/").last.map(String.init) ?? path)
    removeTree(path)
  }
}

private func removeTree(_ path: String) {
  for name in namesInDirectory(path) where unsafe unlink("\(path)/\(name)") != 0 {
    removeTree("\(path)/\(name)")
  }
  unsafe rmdir(path)
}
