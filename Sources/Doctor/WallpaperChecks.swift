import Control

/// The check of the declared wallpaper on a compositor; nil if none is declared and no pane waits.
func declaredWallpaperCheck(_ status: StatusReport?) -> Check? {
  if let error = status?.wallpaperError {
    return Check(
      "wallpaper", .warning, "the setting wallpaper has no effect: \(error)",
      remedy: "mend the file or the setting; backdropd follows both")
  }
  if let wallpaper = status?.wallpaper {
    return Check("wallpaper", .good, "\(wallpaper), as the settings say")
  }
  guard let panes = status?.awaitingWallpaper else { return nil }
  return Check(
    "wallpaper", .warning,
    "windows cover it, so these panes wait: \(panes.joined(separator: ", "))",
    remedy: "name its picture in the configuration: wallpaper = \"FILE\";")
}

/// The note that a declared wallpaper has no effect on an X server; nil if none is declared.
func needlessWallpaperCheck(_ status: StatusReport?) -> Check? {
  guard status?.wallpaper != nil else { return nil }
  return Check(
    "wallpaper", .note,
    "the setting wallpaper has no effect here: an X server tells what the wallpaper is")
}
