package import Control
package import Engine
package import WaylandDisplay
package import X11Display

/// A display that backdropd may serve, and what was found there.
package struct ConsideredDisplay: Sendable {
  package let name: DisplayName
  /// The variable or the option with the name: `WAYLAND_DISPLAY`, `DISPLAY` or `--display`.
  package let origin: String
  package let survey: DisplaySurvey

  /// `origin` is what names it, such as `DISPLAY`.
  package init(_ name: DisplayName, from origin: String, _ survey: DisplaySurvey) {
    self.name = name
    self.origin = origin
    self.survey = survey
  }

  /// Whether backdropd can show glass there.
  var isUsable: Bool { reason == nil }

  /// Whether it is an X server that answers.
  var hasAnsweringServer: Bool { if case .x11 = survey { true } else { false } }

  /// Whether a server is there that does not accept this user.
  var isRefused: Bool { if case .refused = survey { true } else { false } }

  /// Why there is no glass, and what to do if another check does not say it; nil if there can be glass.
  private var reason: (text: String, remedy: String?)? {
    switch survey {
    case .x11(let server):
      if case .failure(let error) = server.desktop { (error.description, nil) } else { nil }
    case .wayland(let compositor):
      if case .failure(let error) = compositor.glass {
        (error.description, "use sway, labwc, wayfire or phoc, or a desktop on an X server")
      } else {
        nil
      }
    case .refused:
      (
        "an X server listens at \(name.text), but does not accept this user",
        "set XAUTHORITY as in a terminal of the desktop, where 'echo $XAUTHORITY' prints it"
      )
    case .failed(let error):
      (
        error.description,
        "run it in a terminal of the desktop, or name another display with --display"
      )
    case .silent:
      (
        silence(of: name.text),
        "end what stops the server, such as a debugger, or log out and in again"
      )
    }
  }

  /// The check of a display that is served, or could be.
  fileprivate func check(isServed: Bool, passedOver: [ConsideredDisplay]) -> Check {
    let kind =
      switch name {
      case .x11: "an X server"
      case .wayland: "a Wayland compositor"
      }
    let source =
      isServed
      ? "which the daemon serves" : origin.hasPrefix("-") ? "as \(origin) says" : "from \(origin)"
    let unset =
      !isServed && origin == "DISPLAY" && passedOver.isEmpty ? "; WAYLAND_DISPLAY is not set" : ""
    return Check("display", .good, "\(name.text), \(kind), \(source)\(unset)")
  }

  /// The check of a display without glass. It is harmless if another display has glass.
  fileprivate func refusal(isHarmless: Bool) -> Check? {
    reason.map { reason in
      Check(
        "display", isHarmless ? .note : .problem, reason.text,
        remedy: isHarmless ? nil : reason.remedy)
    }
  }
}

/// The findings at a display.
package enum DisplaySurvey: Sendable {
  case x11(ServerSurvey)
  case wayland(CompositorSurvey)
  /// An X server listens there and refuses this user.
  case refused
  /// There is no connection for another reason.
  case failed(DisplayError)
  /// It did not answer in time.
  case silent
}

/// The checks of the displays that may be meant, the best first, as `DisplayName.candidates` has them: one group about the
/// choice, and one about each display that answered.
package func displayChecks(
  _ considered: [ConsideredDisplay], _ daemon: DaemonAnswer
) -> [CheckGroup] {
  let served = daemon.status.map { DisplayName($0.display) }
  let chosen = considered.first { $0.name == served } ?? considered.first { $0.isUsable }
  var choice: [Check] = []
  var details: [CheckGroup] = []
  var passedOver: [ConsideredDisplay] = []
  for display in considered {
    let isChosen = display.name == chosen?.name
    if isChosen { choice.append(display.check(isServed: served != nil, passedOver: passedOver)) }
    if let refusal = display.refusal(isHarmless: chosen != nil && !isChosen) {
      choice.append(refusal)
    }
    details += display.details(daemon.status)
    if isChosen { break }
    passedOver.append(display)
  }
  return [CheckGroup("display", choice)] + details
}

extension ConsideredDisplay {
  fileprivate func details(_ status: StatusReport?) -> [CheckGroup] {
    let own = status.flatMap { DisplayName($0.display) == name ? $0 : nil }
    return switch survey {
    case .x11(let server): [CheckGroup("X server", server.checks(own))]
    case .wayland(let compositor):
      [CheckGroup("Wayland compositor", compositor.checks(own))]
    case .refused, .failed, .silent: []
    }
  }
}

/// The check if no display is named at all. `served` are the displays that daemons of this user serve.
package func missingDisplayCheck(served: [String]) -> CheckGroup {
  let daemons = served.isEmpty ? "" : "; a daemon serves \(served.joined(separator: " and "))"
  let remedy =
    served.first.map { "backdropctl doctor --display \($0)" }
    ?? "backdropctl doctor in a terminal of the desktop, or with --display :0"
  return CheckGroup(
    "display",
    [
      Check(
        "display", .problem, "neither WAYLAND_DISPLAY nor DISPLAY is set\(daemons)",
        remedy: remedy)
    ])
}
