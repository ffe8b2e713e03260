import Frost
import Panes
import Raster
import TestDice

/// The function `geometry`, which the method of `Dice` with this name hides.
private func fixedGeometry(_ rect: Rect) -> Geometry { geometry(rect) }

/// Random backdrops, and random panes that stay at one place.
extension Dice {
  mutating func backdrop(width: Int, height: Int) -> Bitmap {
    roll(0...1) == 0
      ? picture(width: width, height: height) : .text(width: width, height: height, using: &self)
  }

  mutating func place() -> Rect {
    Rect(x: roll(-20...80), y: roll(-20...60), width: roll(30...90), height: roll(30...70))
  }

  /// Settings that change no place.
  mutating func look(at rect: Rect? = nil) -> PaneSettings {
    var settings = self.settings(on: Rect(x: 0, y: 0, width: 150, height: 110))
    (settings.output, settings.workArea) = (nil, nil)
    (settings.size, settings.anchor, settings.margin) = (nil, nil, nil)
    (settings.edge, settings.peek, settings.elasticity) = (nil, nil, nil)
    (settings.dragHandle, settings.units) = (nil, nil)
    settings.geometry = rect.map(fixedGeometry)
    (settings.stackingLayer, settings.sees) = (nil, nil)
    // A change of the scheme would be a fade of its own.
    settings.scheme = roll(0...1) == 0 ? .light : .dark
    if let rect {
      settings.contents = settings.contents?.filter {
        (try? PaneContent.check([$0], on: (rect.width, rect.height))) != nil
      }
    }
    // Opaque or empty, because random colours are not within a random alpha.
    settings.contents = settings.contents?.map { item in
      var picture = item.picture
      for i in picture.pixels.indices where picture.pixels[i] != 0 {
        picture.pixels[i] |= 0xff00_0000
      }
      return PaneContent(
        source: item.source, place: item.place, vibrancy: item.vibrancy, picture: picture)
    }
    if let rect, let corner = settings.corner {
      settings.corner = Corner(
        radius: min(corner.radius, Double(min(rect.width, rect.height)) / 2), curve: corner.curve)
    }
    return settings
  }
}

extension Bitmap {
  /// Rows of black and white words.
  static func text(width: Int, height: Int, using dice: inout Dice) -> Bitmap {
    var picture = Bitmap(width: width, height: height, filledWith: 0xffff_ffff)
    for y in 0..<height where y % 14 < 9 {
      for x in 0..<width where dice.roll(0...2) == 0 { picture[x, y] = 0xff00_0000 }
    }
    return picture
  }
}
