import Engine
package import Panes

/// The screen and its outputs, determined from the state of the parts.
extension X11Display {
  /// Adopts the monitors that a search has found and the size of the screen at the same time. A rotation changes both, and panes
  /// must not be placed by an old size and new monitors, or by a new size and old monitors.
  mutating func adoptMonitors() {
    outputSources.bounds = newBounds
    outputSources.monitors = monitorSearch.monitors
    (screen, outputs) = (outputSources.screen, outputSources.outputs)
    tracker.setOutputs(outputs.map(\.bounds), screen: screen.bounds)
    tracker.forgetFailures()
    wallpaper.removeWindow(&x)
    events.append(.screenChanged)
  }

  /// Sets the scales that the user gives to outputs. They take effect at the next call of `nextEvents`, which is due at once.
  package mutating func setOutputScales(_ scales: OutputScales) { outputScales = scales }

  /// Applies changes of the space that panels reserve, of the work area and of scales. Called after each batch of events.
  mutating func updateOutputs() {
    var sources = outputSources
    (sources.struts, sources.desktopArea) = (tracker.struts, desktopAreas.area)
    (sources.scale, sources.ownScales) = (scale.value, outputScales)
    if sources == outputSources { return }
    outputSources = sources
    let (screen, outputs) = (sources.screen, sources.outputs)
    if screen == self.screen, outputs == self.outputs { return }
    (self.screen, self.outputs) = (screen, outputs)
    events.append(.outputsChanged)
  }
}
