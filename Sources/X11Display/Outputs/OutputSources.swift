import Panes
import Raster

/// The sources of the screen and its outputs: the monitors, the space that panels reserve, and the scale of the
/// desktop.
struct OutputSources: Equatable {
  /// The bounds of the screen when the monitors were found.
  var bounds: Rect
  var monitors: [Monitor] = []
  var struts: [Strut] = []
  /// The work area that the window manager publishes; nil if it publishes none.
  var desktopArea: Rect?
  /// The scale of the desktop; nil if it has none. Then each output has the scale of its monitor.
  var scale: Double?
  /// The scales that the user gives to outputs. They take precedence.
  var ownScales = OutputScales()

  /// The whole screen. Its orientation is that of its only monitor.
  var screen: Output {
    let only = visibleMonitors.count == 1 ? visibleMonitors[0] : nil
    return output(
      Monitor(
        name: "screen", bounds: bounds, isPrimary: false, orientation: only?.orientation ?? .normal,
        scale: only?.scale ?? 1))
  }

  /// The monitors inside the screen; the whole screen if there are none.
  var outputs: [Output] {
    let monitors = visibleMonitors
    return monitors.enumerated().map { index, monitor in
      var own = output(monitor)
      own.isMirror = monitors.enumerated().contains { other, larger in
        larger.bounds.contains(monitor.bounds) && (larger.bounds != monitor.bounds || other < index)
      }
      return own
    }
  }

  private var visibleMonitors: [Monitor] {
    let visible = monitors.compactMap { monitor in
      var visible = monitor
      visible.bounds = monitor.bounds.intersection(bounds)
      return visible.bounds.isEmpty ? nil : visible
    }
    if !visible.isEmpty { return visible }
    return [Monitor(name: "screen", bounds: bounds, isPrimary: true, orientation: .normal)]
  }

  private func output(_ monitor: Monitor) -> Output {
    var workArea = monitor.bounds.workArea(on: bounds, struts)
    // The area of a desktop is one rectangle on all monitors, so it says nothing about one of several.
    if visibleMonitors.count == 1, let part = desktopArea?.intersection(workArea), !part.isEmpty {
      workArea = part
    }
    return Output(
      name: monitor.name, bounds: monitor.bounds,
      scale: ownScales[monitor.name] ?? scale ?? monitor.scale,
      orientation: monitor.orientation,
      isPrimary: monitor.isPrimary, workArea: workArea)
  }
}

extension WindowStack {
  /// The space that shown windows reserve.
  var struts: [Strut] { windows.filter(\.isShownClient).compactMap(\.hints.strut) }
}
