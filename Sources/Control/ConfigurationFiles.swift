import Glibc

/// The files that may be the configuration, the best first: `backdropd/backdropd.conf` in `$XDG_CONFIG_HOME`, by default
/// `~/.config`, and in each folder of `$XDG_CONFIG_DIRS`, by default `/etc/xdg`. The first one that exists is read.
package func configurationFiles(
  environment: (String) -> String? = environmentVariable
) -> [String] {
  func folder(_ name: String) -> String? {
    environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
  let own = folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }
  let given = environment("XDG_CONFIG_DIRS").flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
  let shared = given.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  return ((own.map { [$0] } ?? []) + shared).map { $0 + "/backdropd/backdropd.conf" }
}

/// The first of some files that exists; nil if there is none.
package func firstExisting(_ paths: [String]) -> String? {
  paths.first { unsafe access($0, F_OK) == 0 }
}
