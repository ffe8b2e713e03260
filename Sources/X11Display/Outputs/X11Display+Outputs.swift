import Engine
import Panes
import Raster

/// The outputs, from what the parts know: the monitors, the space that panels reserve, and the scale of the desktop.
extension X11Display {
  /// Uses the monitors that a search has found, together with the size of the screen: a rotation changes both, and
  /// panes must not go where only one of them says.
  mutating func adoptMonitors() {
    adoptedBounds = newBounds
    tracker.setOutputs(monitors.map(\.bounds))
    tracker.forgetFailures()
    wallpaper.removeWindows(&x)
    updateOutputs()
    events.append(.screenChanged)
  }

  /// Updates the screen and the outputs, and reports a change.
  mutating func updateOutputs() {
    let struts = tracker.stack.struts
    let whole = adoptedBounds
    var newScreen = Output(
      name: "screen", bounds: whole, scale: scale, workArea: whole.workArea(on: whole, struts))
    var newOutputs = monitors.map { monitor in
      Output(
        name: monitor.name, bounds: monitor.bounds, scale: scale,
        orientation: monitor.orientation, isPrimary: monitor.isPrimary,
        workArea: monitor.bounds.workArea(on: whole, struts))
    }
    // The area of a desktop is one rectangle on all monitors, so it says nothing about one of several.
    if newOutputs.count == 1, let area = desktopAreas.area {
      newScreen.workArea = newScreen.workArea.reduced(to: area)
      newOutputs[0].workArea = newOutputs[0].workArea.reduced(to: area)
    }
    // The orientation of the screen is that of its only monitor.
    if newOutputs.count == 1 { newScreen.orientation = newOutputs[0].orientation }
    if newScreen == screen, newOutputs == outputs { return }
    (screen, outputs) = (newScreen, newOutputs)
    events.append(.outputsChanged)
  }

  /// The monitors inside the screen; the whole screen if there are none.
  var monitors: [Monitor] {
    let whole = adoptedBounds
    let visible = monitorSearch.monitors.compactMap { monitor in
      var visible = monitor
      visible.bounds = monitor.bounds.intersection(whole)
      return visible.bounds.isEmpty ? nil : visible
    }
    if !visible.isEmpty { return visible }
    return [Monitor(name: screen.name, bounds: whole, isPrimary: true, orientation: .normal)]
  }
}

extension WindowStack {
  /// The space that shown windows reserve.
  var struts: [Strut] { windows.lazy.filter(\.isShownClient).compactMap(\.hints.strut) }
}

extension Rect {
  /// The part in another rectangle; the whole one if there is none.
  fileprivate func reduced(to other: Rect) -> Rect {
    let part = intersection(other)
    return part.isEmpty ? self : part
  }
}
