import Frost
import Panes
import RandomPanes
import TestDice
import Testing

@Suite struct PaneLookTests {
  private func look(
    in scheme: ColorScheme, _ edit: (inout PaneSettings) -> Void = { _ in }
  ) -> PaneLook {
    var settings = PaneSettings()
    edit(&settings)
    return PaneLook(settings, in: scheme).fitted(to: (100, 100))
  }

  /// On glass over any grey, and on all materials that do not show the backdrop as it is.
  @Test func hairlineIsSeenOnEveryGlass() {
    for name in [nil] + NamedMaterial.all.filter({ $0.standard != nil }).map({ Optional($0.name) })
    {
      for scheme in ColorScheme.allCases {
        let look = look(in: scheme) {
          $0.material = try? name.map { name throws(PaneError) in try MaterialChoice(parsing: name)
          }
        }
        let border = look.decoration.border
        // The backdrops for which the scheme is chosen.
        let backdrops: ClosedRange<Int> = scheme == .light ? 50...100 : 0...45
        for percent in backdrops {
          let glass = look.material.tone.grayLevel(of: Double(percent) / 100)
          let line = glass + (border.color.red - glass) * border.color.alpha
          #expect(abs(line - glass) * 255 >= 12, "\(name ?? "glass"), \(scheme), \(percent)")
        }
      }
    }
  }

  /// A change of the scheme needs no other cells.
  @Test func bothSchemesHaveTheSameBlur() {
    var dice = Dice(seed: 71)
    for _ in 0..<200 {
      let settings = PaneSettings.random(using: &dice)
      let (light, dark) = (
        PaneLook(settings, in: .light).fitted(to: (90, 70)),
        PaneLook(settings, in: .dark).fitted(to: (90, 70))
      )
      #expect(light.material.sigma == dark.material.sigma)
      #expect(light.decoration.corner == dark.decoration.corner)
      #expect(light.decoration.shadow == dark.decoration.shadow)
    }
  }

  @Test func plainStyleHasNoScheme() throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "100x100+0+0")
    #expect(try Pane("x", settings).isAdaptive)
    settings.scheme = .light
    #expect(try !Pane("x", settings).isAdaptive)
    settings.scheme = .auto
    settings.style = .plain
    #expect(try !Pane("x", settings).isAdaptive)
    #expect(
      look(in: .light) { $0.style = .plain }
        == look(in: .dark) { ($0.style, $0.corner) = (.plain, .square) })
  }

  /// A window has a tint of its own. The glass behind it shows the colours of the backdrop, and has no scheme.
  @Test func glassBehindWindowsIsClear() throws {
    var settings = PaneSettings()
    settings.windowClass = "kitty"
    let look = try Pane("x", settings).look(in: .dark, size: (90, 70))
    #expect(look.material.tone == Tone(saturation: 1.5))
    #expect(look.material.sigma == 30 && look.material.noise == 0)
    #expect(look.decoration == PaneLook(with(settings) { $0.style = .plain }, in: .dark).decoration)
    #expect(try !Pane("x", settings).isAdaptive)
    for style in [PaneStyle.glass, .plain] {
      let styled = try Pane("x", with(settings) { $0.style = style })
      let free = PaneLook(with(PaneSettings()) { $0.style = style }, in: .dark)
      #expect(styled.look(in: .dark, size: (90, 70)).material == free.material)
    }
  }

  @Test func clearStyleIsGlassWithoutTint() throws {
    for scheme in ColorScheme.allCases {
      var glass = look(in: scheme)
      glass.material.tone = Tone(saturation: 1.5)
      #expect(look(in: scheme) { $0.style = .clear } == glass)
    }
  }

  private func with(
    _ settings: PaneSettings, _ edit: (inout PaneSettings) -> Void
  ) -> PaneSettings {
    var settings = settings
    edit(&settings)
    return settings
  }

  @Test func cornerOfSmallPaneFits() throws {
    for geometry in ["1x1+0+0", "1x100+0+0", "30x31+0+0", "47x300+0+0"] {
      var settings = PaneSettings()
      settings.geometry = try Geometry(parsing: geometry)
      #expect(throws: Never.self) { try Pane("x", settings) }
    }
  }

  /// It keeps its scheme while the backdrop changes between the limits.
  @Test func schemeHasHysteresis() {
    for percent in 0...100 {
      let luminance = Double(percent) / 100
      let free = ColorScheme(onLuminance: luminance, last: nil)
      #expect((free == .light) == (luminance > 0.179))
      #expect((ColorScheme(onLuminance: luminance, last: .dark) == .dark) == (percent <= 50))
      #expect((ColorScheme(onLuminance: luminance, last: .light) == .light) == (percent > 5))
      #expect(ColorScheme(onLuminance: luminance, last: free) == free)
    }
  }
}
