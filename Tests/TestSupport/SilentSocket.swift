import Glibc

/// A Unix socket that clients can connect to, and that accepts none of them.
package struct SilentSocket: ~Copyable {
  package let path: String
  private let descriptor: Descriptor

  /// Creates the socket `silent` in a directory.
  package init(in directory: String) throws(TestFailure) {
    path = directory + "/silent"
    descriptor = try boundSocket(at: path, SOCK_STREAM)
  }

  deinit { unsafe unlink(path) }
}
