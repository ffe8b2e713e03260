package import Glibc

/// A compositor that a test starts: which program, and where it is installed.
package struct Compositor: Hashable, Sendable, CustomStringConvertible {
  /// Which program it is.
  package enum Kind: String, Sendable {
    /// With layer surfaces and captures.
    case sway, labwc, wayfire, phoc
    /// Without layer surfaces and captures.
    case weston
    /// Without layer surfaces.
    case cage
  }

  package let kind: Kind
  /// The folder with the distribution that contains the program; nil if it is the one of this machine.
  package let root: String?

  private init(_ kind: Kind, in root: String? = nil) {
    self.kind = kind
    self.root = root
  }

  /// sway of this machine.
  package static let sway = Compositor(.sway)
  /// phoc of this machine.
  package static let phoc = Compositor(.phoc)
  /// weston of this machine.
  package static let weston = Compositor(.weston)

  /// The compositors of the distributions in the folder that the environment variable COMPAT names; nil if it names none.
  /// COMPAT_ONLY may name one of them, such as labwc.
  package static let installed: [Compositor]? = unsafe getenv("COMPAT").map { name in
    let folder = unsafe String(cString: name)
    let all: [Kind] = [.sway, .labwc, .wayfire, .phoc, .weston, .cage]
    let only = unsafe getenv("COMPAT_ONLY").map { unsafe String(cString: $0) }
    let kinds = all.filter { only == nil || only == $0.rawValue }
    return namesInDirectory(folder).sorted().flatMap { distribution in
      kinds.map { Compositor($0, in: "\(folder)/\(distribution)") }
    }.filter { unsafe access("\($0.root ?? "")/usr/bin/\($0.kind)", X_OK) == 0 }
  }

  /// The compositors that show live glass: sway of this machine, or all that are installed in folders.
  package static let tested = installed?.filter { !$0.isRefused && !$0.needsGPU } ?? [.sway]

  /// The compositors that lack a protocol.
  package static let refused = installed?.filter(\.isRefused) ?? [.weston, .init(.cage)]

  /// The compositors that do not start without a GPU.
  package static let untried = installed?.filter(\.needsGPU) ?? []

  private var isRefused: Bool { kind == .weston || kind == .cage }

  private var needsGPU: Bool { kind == .wayfire && version.hasPrefix("0.9") }

  /// Whether an output in memory that was off shows nothing until its mode changes, whatever clients do: sway 1.10 sets a gamma
  /// table, which such an output refuses together with its first picture.
  var stallsAfterOutages: Bool { kind == .sway && version.hasPrefix("1.10") }

  /// Whether outputs in memory can be switched off. sway 1.7 refuses it: "Failed to commit output".
  package var switchesOutputs: Bool { !(kind == .sway && version.hasPrefix("1.7")) }

  /// Whether outputs in memory can be unplugged.
  package var canUnplug: Bool { kind == .sway && switchesOutputs }

  /// The name of the distribution; nil if it is the one of this machine.
  package var distribution: String? { root?.split(separator: "/").last.map(String.init) }

  package var description: String { distribution.map { "\(kind) (\($0))" } ?? "\(kind)" }

  /// The version that the program prints, such as 1.7.
  package var version: String {
    let command = prefix(isOtherUser: false) + [kind.rawValue, kind == .cage ? "-v" : "--version"]
    let outcome = try? Child.run(
      command[0], Array(command.dropFirst()), environment: baseEnvironment())
    let words = (outcome.map { $0.out + $0.err } ?? "").split { $0 == " " || $0 == "\n" }
    let number = words.first { $0.first?.isNumber == true }
    return number.map { String($0.prefix { $0.isNumber || $0 == "." }) } ?? "unknown"
  }
}

// MARK: Starting it

extension Compositor {
  /// The user and the group of Debian that own nothing.
  package static let otherUser: uid_t = 65534

  /// The command that starts it, with files in a folder: its path where the program sees it.
  package func command(directory: String, width: Int, height: Int) -> [String] {
    // They refuse to run as root.
    command(words(directory, width, height))
  }

  /// The command that starts another program of its distribution as the same user.
  func command(_ words: [String]) -> [String] { prefix(isOtherUser: getuid() == 0) + words }

  /// The words of a command that starts a program of the distribution.
  private func prefix(isOtherUser: Bool) -> [String] {
    let user = isOtherUser ? Self.otherUser : 0
    if let root { return ["chroot", "--userspec=\(user):\(user)", "--groups=", root] }
    return isOtherUser ? ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] : []
  }

  private func words(_ directory: String, _ width: Int, _ height: Int) -> [String] {
    switch kind {
    case .sway: ["sway", "--config", directory + "/compositor.conf"]
    case .labwc: ["labwc", "--config-dir", directory]
    case .wayfire: ["wayfire", "--config", directory + "/compositor.conf"]
    case .phoc: ["phoc", "-C", directory + "/compositor.conf"]
    case .weston:
      [
        "weston", "--backend=headless-backend.so", "--socket=wayland-1", "--width=\(width)",
        "--height=\(height)",
      ]
    case .cage: ["cage", "--", "sleep", "600"]
    }
  }

  /// The contents of its file `compositor.conf`.
  package var configuration: String {
    switch kind {
    case .sway: "xwayland disable\n"
    case .wayfire: "[core]\nxwayland = false\n"
    case .phoc: "[core]\nxwayland=false\n"
    case .labwc, .weston, .cage: ""
    }
  }
}
