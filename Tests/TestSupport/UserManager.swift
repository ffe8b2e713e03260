import Glibc

/// A user manager of systemd for one test. It ends with its owner, and all units with it.
///
/// It must believe that systemd has started the system, and must not take other processes into its control group. So it runs in
/// a namespace with a /run of its own, and in control groups of its own. That needs root; the manager itself runs as another user,
/// because one of root has rights that those of users have not.
package final class UserManager {
  private let process: Child
  private let environment: [String: String]
  private let group: String

  /// Whether it can run here.
  package static var isAvailable: Bool {
    let programs = ["unshare", "--mount", "--"] + asOtherUser + ["true"]
    let outcome = try? Child.run(
      programs[0], Array(programs.dropFirst()), environment: baseEnvironment())
    return outcome?.status == .exited(0) && hasManager
  }

  private static var hasManager: Bool {
    unsafe getuid() == 0 && access("/lib/systemd/systemd", X_OK) == 0
      && !groupFolders.isEmpty
  }

  /// The folders of control groups that systemd uses.
  private static var groupFolders: [String] {
    ["/sys/fs/cgroup", "/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified"].filter {
      unsafe access($0 + "/cgroup.procs", W_OK) == 0
    }
  }

  /// The words of a command that runs a program as the user of the manager.
  package static let asOtherUser = [
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--",
  ]

  /// Returns when it has started. The folders of `environment` must belong to that user. `environment` names the folders of the user; no display.
  package init(_ environment: [String: String]) throws(TestFailure) {
    self.environment = environment
    let group = "backdropd-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    self.group = group
    let enter = Self.groupFolders.map { folder in
      "mkdir \(folder)/\(group) && echo $$ > \(folder)/\(group)/cgroup.procs "
        + "&& chown -R 65534 \(folder)/\(group)"
    }
    let script =
      (enter + [
        "mount -t tmpfs none /run", "mkdir -p /run/systemd/system",
        "exec \((Self.asOtherUser + ["/lib/systemd/systemd --user"]).joined(separator: " "))",
      ]).joined(separator: " && ")
    process = try Child(
      "unshare", ["--mount", "--", "/bin/sh", "-c", script], environment: environment)
    let deadline = ContinuousClock.now + .seconds(20)
    while try property("ActiveState", of: "basic.target") != "active" {
      guard ContinuousClock.now < deadline, process.wait(for: .milliseconds(20)) == nil else {
        throw TestFailure("no user manager: \(process.err)")
      }
    }
  }

  deinit {
    _ = try? control("exit")
    _ = process.wait(for: .seconds(10))
    _ = try? process.stop()
    for folder in Self.groupFolders {
      _ = try? Child.run(
        "find", ["\(folder)/\(group)", "-depth", "-type", "d", "-exec", "rmdir", "{}", ";"],
        environment: environment)
    }
  }

  /// Runs `systemctl --user`.
  @discardableResult
  package func control(_ arguments: String...) throws(TestFailure) -> ProgramOutcome {
    try Child.run(
      Self.asOtherUser[0], Self.asOtherUser.dropFirst() + ["systemctl", "--user"] + arguments,
      environment: environment)
  }

  /// A property of a unit.
  package func property(_ name: String, of unit: String) throws(TestFailure) -> String {
    let text = try control("show", "--value", "--property=\(name)", unit).out
    return text.split(separator: "\n").first.map(String.init) ?? ""
  }
}
