import Engine
package import Panes

/// The screen and its outputs, from what the parts know.
extension X11Display {
  /// Uses the monitors that a search has found, together with the size of the screen: a rotation changes both, and
  /// panes must not go where only one of them says.
  mutating func adoptMonitors() {
    outputSources.bounds = newBounds
    outputSources.monitors = monitorSearch.monitors
    (screen, outputs) = (outputSources.screen, outputSources.outputs)
    tracker.setOutputs(outputs.map(\.bounds), screen: screen.bounds)
    tracker.forgetFailures()
    wallpaper.removeWindow(&x)
    events.append(.screenChanged)
  }

  /// They are followed at the next call of `nextEvents`, which is due at once.
  package mutating func setOutputScales(_ scales: OutputScales) { outputScales = scales }

  /// Follows changes of what panels reserve, of the work area and of scales. Called after each batch of events.
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
