import Control
import Engine
import Panes
import X11Display

extension ServerSurvey {
  /// `status` is that of the daemon, if it serves this display.
  func checks(_ status: StatusReport?) -> [Check] {
    guard case .success(let desktop) = desktop else { return [extensionCheck] }
    return [extensionCheck] + limitChecks + [
      desktop.sharedMemoryCheck(version(of: .sharedMemory), status), desktop.compositorCheck,
      desktop.windowManagerCheck, desktop.wallpaperCheck, Self.glassCheck(status),
    ]
      + [needlessWallpaperCheck(status), xwaylandCheck(desktop), desktop.strayDaemonCheck(status)]
      .compactMap(\.self)
      + outputChecks(desktop.outputs, desktop.inactiveOutputs)
  }

  private func version(of name: ExtensionName) -> ExtensionVersion? {
    extensions.first { $0.name == name }?.version
  }

  private func has(_ name: ExtensionName) -> Bool { extensions.contains { $0.name == name } }

  /// The extensions of the server.
  private var extensionCheck: Check {
    let list = extensions.filter { $0.name != .xwayland && $0.name != .identifiers }.map { one in
      one.name.rawValue + (one.version.map { " \($0)" } ?? "")
    }.joined(separator: ", ")
    let missing = ExtensionName.needed.filter { !has($0) }.map(\.rawValue)
    if missing.isEmpty { return Check("extensions", .good, list) }
    return Check(
      "extensions", .problem,
      "missing, and glass needs them: \(missing.joined(separator: ", ")); there are: \(list)",
      remedy:
        "start the server without '-extension \(missing[0])', and remove '\(missing[0])' from the "
        + "section Extensions of xorg.conf")
  }

  /// The missing extensions that not every user needs.
  private var limitChecks: [Check] {
    let needs: [(ExtensionName, ExtensionVersion?, String)] = [
      (.randr, .knowsMonitors, "the whole screen counts as one output"),
      (.input, .knowsTouches, "drawers move only by commands"),
      (.screenSaver, nil, "panes stay while a screen saver is active"),
    ]
    return needs.filter { name, limit, _ in
      guard has(name) else { return true }
      guard let limit else { return false }
      return version(of: name).map { $0 < limit } ?? true
    }.map { name, limit, effect in
      Check(
        "extensions", .note, "no \(name.rawValue)\(limit.map { " \($0)" } ?? ""): \(effect)")
    }
  }

  private static func glassCheck(_ status: StatusReport?) -> Check {
    Check("glass", .good, "live: \(status?.glassReason ?? "windows and the wallpaper can be read")")
  }

  /// Panes on Xwayland see windows of X clients only.
  private func xwaylandCheck(_ desktop: DesktopSurvey) -> Check? {
    let isXwayland =
      has(.xwayland) || desktop.outputs.contains { $0.name.hasPrefix("XWAYLAND") }
    if !isXwayland { return nil }
    return Check(
      "Xwayland", .warning,
      "this X server is part of a Wayland session, so panes see and cover windows of X programs only",
      remedy:
        "use a compositor that backdropd serves (sway, labwc, wayfire, phoc), or a desktop on an X server"
    )
  }
}

extension DesktopSurvey {
  fileprivate func sharedMemoryCheck(_ version: ExtensionVersion?, _ status: StatusReport?) -> Check
  {
    if status?.sharedMemory ?? sharesMemory {
      return Check("shared memory", .good, "the server maps the memory of backdropd")
    }
    let reason =
      if !isLocal { "the server is on another host" } else if version == nil {
        "the server lacks MIT-SHM"
      } else if let version, version < .sharesFiles {
        "the server has MIT-SHM \(version), and \(ExtensionVersion.sharesFiles) is needed"
      } else {
        "the server refuses it, as one in a container or of another namespace does"
      }
    return Check(
      "shared memory", .warning, "\(reason); pixels go through the socket, slower",
      remedy: isLocal
        ? "start the server without '-extension MIT-SHM', outside of a container"
        : "run backdropd on the host of the X server")
  }

  fileprivate var compositorCheck: Check {
    let corners = "corners and shadows are copies of what is below them"
    guard let compositor else {
      return Check(
        "compositor", .note, "none runs; \(corners)",
        remedy: programs.compositorAdvice)
    }
    let name = compositor.isEmpty ? "one without a name" : compositor
    if blendsAlpha { return Check("compositor", .good, "\(name), which blends windows with alpha") }
    if !hasAlphaVisual {
      return Check(
        "compositor", .note,
        "\(name); the screen of depth \(depth) has no visual with alpha, so \(corners)")
    }
    return Check(
      "compositor", .note, "\(name), which does not blend windows with alpha; \(corners)",
      remedy: programs.compositorAdvice)
  }

  /// The window manager and the compositing manager.
  private var programs: DesktopPrograms {
    DesktopPrograms(windowManager: windowManager, compositor: compositor)
  }

  fileprivate var windowManagerCheck: Check {
    guard let windowManager else {
      return Check(
        "window manager", .note,
        "none that follows EWMH; panes do not know docks, panels and fullscreen windows")
    }
    return Check(
      "window manager", .good, windowManager.isEmpty ? "one without a name" : windowManager)
  }

  fileprivate var wallpaperCheck: Check {
    if let desktopWindow {
      let name = desktopWindow.isEmpty ? "a program without a name" : desktopWindow
      return Check("wallpaper", .good, "the desktop window of \(name), with its icons")
    }
    let remedy = "hsetroot -fill FILE, or feh --bg-fill FILE"
    let source =
      compositor == nil ? "the background of the root" : "grey, as the compositor paints it"
    switch rootPixmap {
    case .usable:
      return Check("wallpaper", .good, "_XROOTPMAP_ID of the root")
    case .none:
      let silence = compositor == nil ? ", whose changes no program is told of" : ""
      return Check("wallpaper", .note, "no _XROOTPMAP_ID: \(source)\(silence)", remedy: remedy)
    case .unusable(.gone):
      return Check(
        "wallpaper", compositor == nil ? .note : .warning,
        "_XROOTPMAP_ID names a pixmap that does not exist, because the program that made it has ended: \(source)",
        remedy: remedy)
    case .unusable(.depth(let pixmapDepth)):
      return Check(
        "wallpaper", compositor == nil ? .note : .warning,
        "_XROOTPMAP_ID names a pixmap of depth \(pixmapDepth), and the screen has depth \(depth): \(source)",
        remedy: remedy)
    }
  }

  /// A daemon that serves the display, but is not reached.
  fileprivate func strayDaemonCheck(_ status: StatusReport?) -> Check? {
    guard let daemon, status == nil else { return nil }
    let process = daemon == 0 ? "a backdropd" : "a backdropd (process \(daemon))"
    return Check(
      "other daemon", .problem,
      "\(process) serves this display, but does not answer here: it may run with another XDG_RUNTIME_DIR",
      remedy:
        "set XDG_RUNTIME_DIR as in the session of the desktop, where 'echo $XDG_RUNTIME_DIR' prints it"
    )
  }
}

/// A check for each output, and one for those that show nothing.
func outputChecks(_ outputs: [Output], _ inactive: [String]) -> [Check] {
  let shown = outputs.map { output in
    let turns = output.orientation.quarterTurns
    let turn = turns == 0 ? "" : ", rotated by \(90 * turns)"
    let mirror = output.orientation.isReflected ? ", reflected" : ""
    return Check(
      "output", .good,
      "\(output.name): \(output.bounds), scale \(decimal(output.scale))\(turn)\(mirror)"
        + (output.isPrimary && outputs.count > 1 ? ", primary" : ""))
  }
  if inactive.isEmpty { return shown }
  return shown + [Check("output", .note, "off: \(inactive.joined(separator: ", "))")]
}
