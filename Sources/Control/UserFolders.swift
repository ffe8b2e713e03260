import Linux

/// The folder in which the daemon keeps its state from one login to the next: `$XDG_STATE_HOME/backdropd`, by default
/// `~/.local/state/backdropd`. Nil if neither that variable nor HOME is an absolute path.
package func stateFolder(
  environment: (String) -> String? = environmentVariable
) -> String? {
  userFolder("XDG_STATE_HOME", orInHome: "/.local/state", environment).map { $0 + "/backdropd" }
}

/// The files that may be the configuration, the best first: `backdropd/backdropd.conf` in `$XDG_CONFIG_HOME`, by default
/// `~/.config`, and in each folder of `$XDG_CONFIG_DIRS`, by default `/etc/xdg`. The first one that exists is read.
package func configurationFiles(
  environment: (String) -> String? = environmentVariable
) -> [String] {
  let own = userFolder("XDG_CONFIG_HOME", orInHome: "/.config", environment)
  let given = environment("XDG_CONFIG_DIRS").flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
  let shared = given.split(separator: ":").map(String.init).filter { $0.isAbsolutePath }
  return ((own.map { [$0] } ?? []) + shared).map { $0 + "/backdropd/backdropd.conf" }
}

/// The folder that a variable names, or one in the folder of the user. Paths that are not absolute do not count.
private func userFolder(
  _ variable: String, orInHome folder: String, _ environment: (String) -> String?
) -> String? {
  func path(_ name: String) -> String? {
    environment(name).flatMap { $0.isAbsolutePath ? $0 : nil }
  }
  return path(variable) ?? path("HOME").map { $0 + folder }
}
