import CXCB
package import Raster

extension TestClient {
  /// Sets the wallpaper as feh, hsetroot and nitrogen do: the background of the root, and the properties
  /// with its pixmap. A picture smaller than the screen is repeated.
  ///
  /// With `depth` 32 on a root of 24, as some programs do, the root itself keeps its background: a window
  /// cannot have one of another depth.
  package func setWallpaper(_ picture: Bitmap, depth: Int? = nil) {
    let depth = depth ?? rootDepth
    let pixmap = makePixmap(picture, depth: depth)
    if depth == rootDepth { setRootBackground(XCB_CW_BACK_PIXMAP, pixmap) }
    nameWallpaper(pixmap)
    freeWallpaper()
    wallpaper = pixmap
  }

  /// Sets the properties with the pixmap of the wallpaper, whatever exists.
  package func nameWallpaper(_ pixmap: UInt32) {
    for name in ["_XROOTPMAP_ID", "ESETROOT_PMAP_ID"] {
      setProperty(name, type: atom("PIXMAP"), values: [pixmap], on: root)
    }
  }

  /// Sets a root of one colour without a wallpaper, as `xsetroot -solid` does.
  package func setRootBackground(color: UInt32) {
    removeWallpaperProperties()
    let value = RootPixels(depth: rootDepth).value(of: color & 0x00FF_FFFF)
    setRootBackground(XCB_CW_BACK_PIXEL, value)
    freeWallpaper()
  }

  /// Sets a tiled root without the properties, as `xsetroot -bitmap` does.
  package func setRootBackground(tile: Bitmap) {
    removeWallpaperProperties()
    let pixmap = makePixmap(tile, depth: rootDepth)
    setRootBackground(XCB_CW_BACK_PIXMAP, pixmap)
    _ = unsafe xcb_free_pixmap(connection, pixmap)
    freeWallpaper()
  }

  /// Frees the pixmap of the wallpaper and keeps the properties with it, as when the program that set it has died.
  package func freeWallpaper() {
    if let wallpaper { _ = unsafe xcb_free_pixmap(connection, wallpaper) }
    wallpaper = nil
  }

  func setProperty(
    _ name: String, type: xcb_atom_t, values: [UInt32], on window: xcb_window_t,
    mode: xcb_prop_mode_t = XCB_PROP_MODE_REPLACE
  ) {
    _ = unsafe xcb_change_property(
      connection, UInt8(mode.rawValue), window, atom(name), type, 32,
      UInt32(values.count), values)
  }

  private func removeWallpaperProperties() {
    for name in ["_XROOTPMAP_ID", "ESETROOT_PMAP_ID"] {
      _ = unsafe xcb_delete_property(connection, root, atom(name))
    }
  }

  private func setRootBackground(_ attribute: xcb_cw_t, _ value: UInt32) {
    var values = [value]
    _ = unsafe xcb_change_window_attributes(connection, root, attribute.rawValue, &values)
    _ = unsafe xcb_clear_area(connection, 0, root, 0, 0, 0, 0)
  }
}
