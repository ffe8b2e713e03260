import TestSupport
import Testing

/// The systemd unit.
@Suite struct UnitTests {
  private static let isAvailable =
    (try? Child.run("systemd-analyze", ["--version"], environment: path).status) == .exited(0)
  private static let path = ["PATH": "/usr/bin:/bin"]

  /// The exposure is at most 4.5 of 10.
  @Test(.enabled(if: isAvailable, "needs systemd-analyze"))
  func unitProtectsTheSystem() throws {
    let folder = try TemporaryDirectory()
    let template = try Checkout.file("systemd/backdropd.service.in").lines.joined(separator: "\n")
    let unit = "\(folder.path)/backdropd.service"
    try writeText(template.split(separator: "@bindir@").joined(separator: "/usr/bin"), to: unit)
    let outcome = try Child.run(
      "systemd-analyze", ["security", "--offline=true", "--threshold=45", unit],
      environment: Self.path)
    #expect(outcome.status == .exited(0), "\(outcome.out.suffix(200)) \(outcome.err)")
  }

  @Test func unitExpectsAHeartbeatAndIsRestartedForever() throws {
    let lines = try Checkout.file("systemd/backdropd.service.in").lines
    for line in [
      "WatchdogSec=30", "TimeoutStopSec=5", "TimeoutStartSec=infinity", "StartLimitIntervalSec=0",
    ] {
      #expect(lines.contains(line[...]))
    }
  }

  /// A user manager may not take capabilities away, so a unit that demands it never starts.
  @Test func unitTakesNoCapabilitiesAway() throws {
    let lines = try Checkout.file("systemd/backdropd.service.in").lines
    for name in [
      "CapabilityBoundingSet", "AmbientCapabilities", "ProtectClock", "ProtectKernelLogs",
      "ProtectKernelModules", "PrivateDevices",
    ] {
      #expect(!lines.contains { $0.hasPrefix("\(name)=") })
    }
  }

  /// Where users cannot make namespaces, a unit that demands one never starts.
  @Test func unitDemandsNoUserNamespace() throws {
    let lines = try Checkout.file("systemd/backdropd.service.in").lines
    #expect(!lines.contains { $0.hasPrefix("PrivateUsers=") })
  }
}
