import Control
import Panes
import Raster

/// The panes for which content is drawn.
extension DaemonOptions {
  /// A pane with these settings on its output, or on the main one if that is not known or not there; nil if the settings
  /// declare no size.
  func target(of settings: PaneSettings) throws(Failure) -> ContentTarget? {
    guard let placement = try? settings.placement() else { return nil }
    let outputs = try outputs().compactMap { Output($0) }
    let primary = outputs.first(where: \.isPrimary) ?? outputs.first
    var output =
      switch placement.output {
      case .screen: outputs.reduce(into: primary) { $0?.extend(by: $1) }
      case .named(let name): outputs.first { $0.name == name } ?? primary
      case .primary, .pointer, .all: primary
      }
    if placement.output == .screen { output?.scale = try scale() }
    return output.map { placement.contentTarget(on: $0) }
  }

  /// The settings of the place of a pane; nil if there is no pane of this name.
  func placeSettings(of name: String) throws(Failure) -> PaneSettings? {
    try panes().first { $0.name == name }?.settings(in: .place)
  }
}

extension PaneReport {
  /// Its settings of a group.
  func settings(in group: Setting.Group) throws(Failure) -> PaneSettings {
    var result = PaneSettings()
    for setting in Setting.all where setting.group == group {
      do throws(PaneError) {
        switch settings[setting.name] {
        case .text(let text): try setting.read(.text(text), &result)
        case .texts(let texts): try setting.read(.texts(texts), &result)
        case .flag(let flag): try setting.read(.flag(flag), &result)
        case .number, .contents, nil: break
        }
      } catch {
        throw Failure(error)
      }
    }
    return result
  }
}

extension Output {
  /// The output of a report; nil if it shows nothing.
  fileprivate init?(_ report: OutputReport) {
    guard let bounds = report.rect.flatMap(Rect.init(geometry:)) else { return nil }
    self.init(
      name: report.name, bounds: bounds, scale: report.scale ?? 1, isPrimary: report.primary,
      workArea: report.workArea.flatMap(Rect.init(geometry:)))
  }

  /// Makes it contain another one too.
  fileprivate mutating func extend(by other: Output) {
    bounds = bounds.hull(other.bounds)
    workArea = workArea.hull(other.workArea)
  }
}

extension Rect {
  /// The rectangle that a geometry describes on a screen at the origin.
  fileprivate init?(geometry text: String) {
    guard let geometry = try? Geometry(parsing: text) else { return nil }
    self = geometry.rect(on: .zero)
  }
}
