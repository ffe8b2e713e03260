package import Engine
package import Panes
import Raster

/// The wallpaper that the user declares.
extension WaylandDisplay {
  package var wallpaperTargets: [WallpaperTarget] {
    monitors.filter { $0.output != nil && !$0.levels.wallpaper.watched.isEmpty }.map { monitor in
      // Without fractional scales a wallpaper program draws for the next whole one.
      let drawnScale = Double(max(1, monitor.state.integerScale))
      let ratio = objects.hasFractionalScales ? 1 : monitor.state.scale / drawnScale
      return WallpaperTarget(
        output: monitor.state.name, width: monitor.bounds.width, height: monitor.bounds.height,
        ratio: ratio)
    }
  }

  package mutating func setWallpaper(_ source: WallpaperSource) {
    wallpaper = source
    for monitor in monitors where monitor.output != nil {
      let new = OutputWallpaper(source, of: monitor.state.name, monitor.bounds)
      if let changed = monitor.setWallpaper(new) {
        if changed.isEmpty { continue }
        var regions = ByLevel(repeating: Region())
        regions.wallpaper = changed
        handleChange(of: regions, on: monitor, below: surfaces(on: monitor))
      } else {
        loseOverlays(on: monitor.id)
        monitor.forget(connection)
      }
    }
    updateWatch()
  }
}
