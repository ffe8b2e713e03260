import ArgumentParser
import Control
import Panes

/// The options for the settings that are also in the configuration. The options of the command line count more.
struct DaemonSettingOptions: ParsableArguments {
  @Option(help: help(DaemonSetting.rate))
  var rate: String?
  @Option(help: help(DaemonSetting.threads))
  var threads: String?
  @Option(name: .customLong("cpu-budget"), help: help(DaemonSetting.budget))
  var budget: String?
  @Option(name: .customLong("cpu-budget-on-battery"), help: help(DaemonSetting.batteryBudget))
  var batteryBudget: String?
  @Option(help: help(DaemonSetting.cacheBytes))
  var cacheBytes: String?
  @Option(help: help(DaemonSetting.cacheCount))
  var cacheCount: String?
  @Option(parsing: .unconditional, help: help(DaemonSetting.rotationFade))
  var rotationFade: String?
  @Option(help: help(DaemonSetting.outputs))
  var outputs: String?
  @Option(help: help(DaemonSetting.wallpaper), completion: .file())
  var wallpaper: String?
  @Option(help: help(DaemonSetting.wallpaperMode))
  var wallpaperMode: String?
  @Option(help: help(DaemonSetting.wallpaperColor))
  var wallpaperColor: String?

  /// The given settings. Throws a `ValidationError` if one is wrong.
  func settings() throws -> DaemonSettings {
    let given: [(DaemonSetting, String?)] = [
      (.rate, rate), (.threads, threads), (.budget, budget), (.batteryBudget, batteryBudget),
      (.cacheBytes, cacheBytes), (.cacheCount, cacheCount),
      (.rotationFade, rotationFade), (.outputs, outputs),
      (.wallpaper, wallpaper.map { $0.isEmpty ? $0 : absolutePath($0) }),
      (.wallpaperMode, wallpaperMode),
      (.wallpaperColor, wallpaperColor),
    ]
    var settings = DaemonSettings()
    for (setting, text) in given {
      guard let text else { continue }
      do { try setting.read(text, &settings) } catch { throw ValidationError("\(error)") }
    }
    return settings
  }

  private static func help(_ setting: DaemonSetting) -> ArgumentHelp {
    ArgumentHelp(
      "\(setting.help) (default: \(setting.standard))", valueName: setting.valueName)
  }
}
