import CBuild

/// The version of backdropd and backdropctl, which must be the same to work together.
package enum ProgramVersion {
  /// The version of the project.
  package static let number = "0.1.0"

  /// The number, with the commit if the build knows it: `0.1.0 (1a2b3c4d5e6f)`.
  package static let text: String = {
    let commit = unsafe String(cString: builtCommit())
    return commit.isEmpty ? number : "\(number) (\(commit))"
  }()
}
