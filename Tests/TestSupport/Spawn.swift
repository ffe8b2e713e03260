import Glibc

/// Starts `program` (searched in `PATH` if it has no slash) with exactly this environment.
///
/// `descriptors[n]` becomes descriptor `n` of the child; all others must be close-on-exec.
/// Signals are at their defaults in the child and none is blocked.
func spawn(
  _ program: String, _ arguments: [String], environment: [String: String], descriptors: [Int32]
) throws(TestFailure) -> pid_t {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  for (target, source) in descriptors.enumerated() {
    precondition(source >= descriptors.count, "descriptors would overwrite each other")
    unsafe posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
  }

  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe posix_spawnattr_setsigmask(&attributes, &signals)
  unsafe sigfillset(&signals)
  unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
  unsafe posix_spawnattr_setflags(
    &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

  var pid: pid_t = 0
  let error = unsafe withCStrings([program] + arguments) { argv in
    unsafe withCStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
      unsafe posix_spawnp(&pid, program, &actions, &attributes, argv, envp)
    }
  }
  guard error == 0 else {
    throw TestFailure("cannot start \(program): \(unsafe String(cString: strerror(error)))")
  }
  return pid
}

/// Lends a NULL-terminated array of C strings.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe body(&pointers)
}
