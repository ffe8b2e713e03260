import Engine
import Frost
import Raster

/// The overlays on one output, the lowest first.
///
/// A backdrop can be recovered through one overlay of a layer, not through several. So each pixel belongs to one overlay of a
/// layer: the highest one whose rectangle contains it. That overlay shows the composed pixels of all of them, and the others are
/// clear there. So the order in which a compositor shows surfaces of one layer does not matter. An overlay is also clear below an
/// opaque part of a higher layer.
struct OverlayStack {
  let surfaces: [OverlaySurface]
  /// Only live glass leaks.
  let way: GlassWay
  let threads: LeakThreads

  /// Gives each overlay its part. `changed` is where overlays were before they moved or disappeared.
  func share(changed: Region) {
    var above: [OverlaySurface] = []
    for surface in surfaces.reversed() {
      var owned = surface.extent
      for higher in above where higher.shown.intersects(surface.shown) {
        if higher.waylandLayer == surface.waylandLayer {
          owned.subtract(higher.extent)
        } else {
          owned.subtract(higher.opaque)
        }
      }
      if let probe = surface as? ProbeSurface { owned = region(of: probe, from: owned) }
      surface.setOwned(owned)
      surface.setOverlaid(
        Region(
          above.filter { $0.waylandLayer > surface.waylandLayer }.map {
            $0.shown.intersection(surface.shown)
          }))
      surface.redraw(below: changed)
      above.append(surface)
    }
  }

  /// The part of a probe that is not below overlays above windows. During a check the probe also shows its pattern below these
  /// overlays, except where a pane is between both.
  private func region(of probe: ProbeSurface, from owned: Region) -> Region {
    let upper = surfaces.filter { $0.level == .windows }.reduce(Region()) { $0.union($1.owned) }
    let own = owned.subtracting(upper)
    guard let pattern = probe.pattern else { return own }
    let lower = surfaces.filter { $0.level == .wallpaper && $0 is PaneSurface }
      .reduce(Region()) { $0.union($1.owned) }
    return own.union(pattern.region.intersection(upper).subtracting(lower))
  }

  /// Marks the changes of lower overlays of the same layer in each overlay through which they are visible.
  func spreadChanges() {
    for (index, surface) in surfaces.enumerated() {
      for lower in surfaces[..<index] where lower.isBeside(surface) {
        if !lower.pending.isEmpty { surface.redraw(below: lower.pending) }
      }
    }
  }

  /// Draws a part of an overlay with the leaks of the backdrop. Pixels outside of `output` stay clear.
  func draw(
    _ part: Rect, of surface: OverlaySurface, over backdrop: borrowing OutputBackdrop,
    on output: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    let face = surface.nextFace
    let own = face.owned.intersection(part).intersection(output)
    for hole in Region(part).subtracting(own).rects {
      for y in hole.rows {
        let first = layout.index(x: hole.x, y: y)
        for i in first..<first + hole.width { pixels[i] = 0 }
      }
    }
    let checked = own.intersection(face.pattern?.region ?? Region())
    if let pattern = face.pattern {
      for piece in checked.rects {
        copyPixels(of: piece, from: pattern.pixels.span, pattern.layout, to: &pixels, layout)
      }
    }
    let mixed = own.subtracting(checked).intersection(visibleBelow(surface))
    let single = own.subtracting(checked).subtracting(mixed)
    if let pane = surface as? PaneSurface {
      draw(single, of: pane, over: backdrop, into: &pixels, layout)
    } else if let probe = surface as? ProbeSurface {
      for piece in single.rects {
        let picture = backdrop.opaquePixels(of: piece, tintedIn: probe.tinted)
        draw(piece, of: picture.span, PixelLayout(piece), over: backdrop, into: &pixels, layout)
      }
    }
    for piece in mixed.rects {
      let picture = composed(piece, upTo: surface, over: backdrop)
      draw(piece, of: picture.span, PixelLayout(piece), over: backdrop, into: &pixels, layout)
    }
  }

  /// Draws the part of a pane through which no other overlay of its layer is visible.
  @_lifetime(pixels: copy pixels)
  private func draw(
    _ single: Region, of pane: PaneSurface, over backdrop: borrowing OutputBackdrop,
    into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    let own = PixelLayout(pane.place.rect)
    // The backdrop does not contain the overlays of a lower layer.
    let translucent = single.intersection(visibleInLowerLayers(than: pane))
    for piece in translucent.rects {
      copyPixels(of: piece, from: pane.wanted.span, own, to: &pixels, layout)
    }
    for piece in single.subtracting(translucent).rects {
      draw(piece, of: pane.wanted.span, own, over: backdrop, into: &pixels, layout)
    }
  }

  @_lifetime(pixels: copy pixels)
  private func draw(
    _ part: Rect, of wanted: Span<UInt32>, _ wantedLayout: PixelLayout,
    over backdrop: borrowing OutputBackdrop, into pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    if way == .live {
      drawLeakyOverlay(
        part, of: wanted, wantedLayout, over: backdrop.pixels.span, backdrop.layout,
        into: &pixels, layout, threads: threads.count(for: part.area))
    } else {
      copyPixels(of: part, from: wanted, wantedLayout, to: &pixels, layout)
    }
  }

  /// Where other overlays of its layer may be visible through an overlay.
  private func visibleBelow(_ surface: OverlaySurface) -> Region {
    var region = Region()
    for lower in lower(than: surface) where lower.shown.intersects(surface.shown) {
      region.form(union: lower.extent.intersection(surface.shown))
    }
    return region.subtracting(surface.opaque)
  }

  /// Where overlays of lower layers are visible through translucent parts of an overlay.
  private func visibleInLowerLayers(than surface: OverlaySurface) -> Region {
    surfaces.filter { $0.waylandLayer < surface.waylandLayer && $0 is PaneSurface }
      .reduce(Region()) { $0.union($1.owned) }.subtracting(surface.opaque)
  }

  private func lower(than surface: OverlaySurface) -> [OverlaySurface] {
    surfaces.prefix { $0 !== surface }.filter { $0.isBeside(surface) }
  }

  /// The pixels of an overlay and those below it in its layer, composed, premultiplied.
  private func composed(
    _ part: Rect, upTo surface: OverlaySurface, over backdrop: borrowing OutputBackdrop
  ) -> [UInt32] {
    var picture = Array(repeating: UInt32(0), count: part.area)
    var span = picture.mutableSpan
    for one in lower(than: surface) + [surface] {
      if one is ProbeSurface {
        for piece in one.extent.intersection(part).rects {
          let own = backdrop.opaquePixels(of: piece, tintedIn: Region())
          copyPixels(of: piece, from: own.span, PixelLayout(piece), to: &span, PixelLayout(part))
        }
      } else if let pane = one as? PaneSurface {
        compose(
          part.intersection(pane.shown), of: pane.wanted.span, PixelLayout(pane.place.rect),
          onto: &span, PixelLayout(part))
      }
    }
    return picture
  }
}

extension OverlaySurface {
  /// Whether a compositor shows both in one layer.
  fileprivate func isBeside(_ other: OverlaySurface) -> Bool {
    waylandLayer == other.waylandLayer
  }
}
