import Frost
import Panes
import Raster

extension PaneLook {
  /// The look of a pane at `frame` that suits a picture: light or dark as what is behind it, unless the settings say it. Throws if a
  /// setting or the content does not fit the frame.
  init(
    _ settings: PaneSettings, over picture: borrowing Bitmap, isOpaque: Bool, _ frame: Rect,
    contents: [PaneContent]
  ) throws(Failure) {
    let size = (width: frame.width, height: frame.height)
    self = PaneLook(settings, in: settings.scheme?.scheme ?? .dark).fitted(to: size)
    do throws(PaneError) {
      try settings.check()
      try settings.corner?.check(width: size.width, height: size.height)
      try PaneContent.check(contents, on: size)
    } catch {
      throw Failure(error)
    }
    let light = PaneLook(settings, in: settings.scheme?.scheme ?? .light).fitted(to: size)
    if light == self { return }
    let luminance = meanLuminance(
      of: picture, isOpaque: isOpaque, behind: frame, of: material)
    if ColorScheme(onLuminance: luminance, last: nil) == .light { self = light }
  }
}
