import Control
import Engine
import Panes

/// The options of the command line and the configuration.
struct Options: Sendable {
  var display: DisplayName
  /// How glass must be shown; nil for the best way that the display allows.
  var glass: GlassWay?
  /// The settings of the command line.
  var settings: DaemonSettings
  /// The settings of the configuration; those of the command line take precedence.
  var configured = DaemonSettings()
  /// The files that may be the configuration, the best first.
  var configurationFiles: [String]
  /// Whether the command line names the file.
  var isConfigurationGiven: Bool
  /// The scale of toolkits in the environment, 1 to 8; nil if it says none.
  var toolkitScale: Double?
  /// Whether another daemon of the display is replaced.
  var replacesOther: Bool
  /// Whether the panes of the last daemon are forgotten.
  var isFresh: Bool
  /// How long a display is awaited that is not there.
  var patience: DisplayPatience

  private var effective: DaemonSettings {
    settings.filled(from: configured).filled(from: .standard)
  }

  private func value<Value>(_ path: KeyPath<DaemonSettings, Value?>) -> Value {
    guard let value = effective[keyPath: path] else {
      preconditionFailure("all settings but the threads have a default")
    }
    return value
  }

  var framesPerSecond: Double { value(\.framesPerSecond) }
  /// The largest share of one processor; nil without a limit.
  func processorShare(isOnBattery: Bool) -> Double? {
    let budget = isOnBattery ? effective.batteryBudget ?? effective.budget : effective.budget
    return budget?.percent.map { $0 / 100 }
  }
  /// Whether it matters that the machine runs on its battery.
  var dependsOnBattery: Bool { effective.batteryBudget != nil }
  var threads: Int { effective.threads ?? min(processorCount(), 4) }
  /// The length of the cross-fade of panes after a change of their output.
  var rotationFade: Fade { value(\.rotationFade) }
  /// The scales of outputs, where they are not those of the desktop.
  var outputScales: OutputScales { effective.outputScales ?? OutputScales() }
  /// The wallpaper that the user declares; nil if none.
  var wallpaper: DeclaredWallpaper? { DeclaredWallpaper(settings.filled(from: configured)) }
  /// The limits of the cache of backdrops.
  var cache: StoreLimits {
    StoreLimits(byteCount: value(\.cacheByteCount), tileCount: value(\.cacheTileCount))
  }
}

/// How long a daemon waits for a display that is not there.
struct DisplayPatience: Sendable {
  /// At the start; nil if it does not wait, and the display is only tried.
  var start: Duration?
  /// After the display was lost; nil if without a limit.
  var loss: Duration?
}
