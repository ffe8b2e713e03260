import TestSupport

/// A message bus of its own. It starts no services.
final class MessageBus {
  let process: Child
  let address: String

  init(in directory: String) throws {
    address = "unix:path=\(directory)/bus"
    let configuration = "\(directory)/bus.conf"
    try writeText(
      """
      <busconfig><listen>\(address)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*"/><allow own="*"/>
      <allow eavesdrop="true"/></policy></busconfig>
      """, to: configuration)
    process = try Child(
      "dbus-daemon", ["--nofork", "--config-file=\(configuration)", "--print-address=1"],
      environment: ["PATH": "/usr/bin:/bin"])
    let deadline = ContinuousClock.now + .seconds(10)
    while process.out.isEmpty {
      guard ContinuousClock.now < deadline else { throw TestFailure(process.err) }
    }
  }
}
