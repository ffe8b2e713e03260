import Control
import Engine
import WaylandClient
import WaylandDisplay

extension CompositorSurvey {
  /// The interfaces that backdropd uses if they are there, and what each is for.
  private static let used: [(interface: String, purpose: String)] = [
    (InterfaceTable.layerShell.name, "to show panes"),
    (InterfaceTable.screencopyManager.name, "to capture outputs"),
    (InterfaceTable.imageCopyManager.name, "to capture outputs"),
    (InterfaceTable.outputSourceManager.name, "to capture outputs"),
    (InterfaceTable.backgroundEffectManager.name, "so that the compositor blurs"),
    (InterfaceTable.viewporter.name, "for fractional scales"),
    (InterfaceTable.xdgOutputManager.name, "for the places of outputs"),
    (InterfaceTable.shm.name, "for pixels in shared memory"),
    (InterfaceTable.seat.name, "for drawers that are pulled"),
  ]

  /// The interfaces for alternative ways of glass or of captures. Their absence matters only if no way is possible.
  private static let alternatives = [
    InterfaceTable.screencopyManager.name, InterfaceTable.imageCopyManager.name,
    InterfaceTable.outputSourceManager.name, InterfaceTable.backgroundEffectManager.name,
  ]

  /// `status` is that of the daemon, if it serves this display.
  func checks(_ status: StatusReport?) -> [Check] {
    let name = process.map { "\($0), the process that listens at the socket" }
    var checks = [
      Check(
        "compositor", name == nil ? .note : .good, name ?? "the process at the socket is unknown"),
      presentCheck,
    ]
    if let absentCheck { checks.append(absentCheck) }
    guard case .success(let glass) = glass else { return checks }
    checks.append(
      Self.glassCheck(
        GlassWay(rawValue: status?.glass ?? "") ?? glass.way, status?.glassReason ?? glass.reason,
        isServed: status != nil))
    checks += [declaredWallpaperCheck(status), layerOrderCheck].compactMap(\.self)
    return checks + outputChecks(glass.outputs, glass.inactiveOutputs)
  }

  private func version(of interface: String) -> Int? {
    globals.first { $0.interface == interface }?.version
  }

  private var presentCheck: Check {
    let present = Self.used.compactMap { use in
      version(of: use.interface).map { "\(use.interface) \($0)" }
    }
    return Check("protocols", .good, present.joined(separator: ", "))
  }

  private var absentCheck: Check? {
    let isUsable = if case .success = glass { true } else { false }
    let absent = Self.used.filter { use in
      version(of: use.interface) == nil
        && !(isUsable && Self.alternatives.contains(use.interface))
    }
    if absent.isEmpty { return nil }
    return Check(
      "not offered", .note,
      absent.map { "\($0.interface) (\($0.purpose))" }.joined(separator: ", "))
  }

  /// A note on sway before 1.8, which puts a new layer surface below the older ones of its layer; nil elsewhere. The protocol for
  /// lock screens also appeared in version 1.8.
  private var layerOrderCheck: Check? {
    guard process == "sway", version(of: "ext_session_lock_manager_v1") == nil else { return nil }
    return Check(
      "order of layers", .note,
      "this sway shows a new surface below the older ones of its layer, so panes cover notifications and launchers that start later",
      remedy: "layer=overlay for mako and wofi, \"layer\": \"top\" for waybar; or sway 1.8")
  }

  private static func glassCheck(_ way: GlassWay, _ reason: String, isServed: Bool) -> Check {
    switch way {
    case .live where !isServed:
      Check(
        "glass", .good,
        "live, unless a sample beside the first pane shows that the compositor blends in another way"
      )
    case .live, .handedOver: Check("glass", .good, "\(way.rawValue): \(reason)")
    case .still:
      Check(
        "glass", .warning, "still: \(reason); panes do not follow changes behind them",
        remedy: "backdropctl refresh, after a change; it also tests the compositor again")
    }
  }
}
