import Frost
import Panes

/// The settings that determine the pixels of a pane beside its place.
struct Look: Equatable {
  let material: Material
  let decoration: DecorationStyle
  /// In pixels, each with one drawing.
  let contents: [PaneContent]

  /// The look that a pane of `size` pixels has in a scheme without a transition, with content that is drawn for `target`.
  init(
    of pane: Pane, in scheme: ColorScheme, on target: ContentTarget,
    size: (width: Int, height: Int)
  ) {
    let look = pane.look(in: scheme, size: size, unit: target.unit)
    (material, decoration) = (look.material, look.decoration)
    contents = pane.contents.map { $0.drawn(for: target) }
  }
}

/// The looks of a pane at one time, which are drawn one by one and mixed. A transition mixes pictures, not settings:
/// no path of settings has even steps on every backdrop. If the sigma of a blur grows evenly, most of the change
/// happens in the first few frames.
struct LookMix: Equatable {
  struct Part: Equatable {
    let look: Look
    /// 0 to 1.
    fileprivate(set) var weight: Double
  }

  /// At least one, with different looks. The last one is the look after the transition, or the only one of a pane that
  /// disappears.
  private(set) var parts: [Part]

  /// One look with a weight, 0 to 1.
  init(_ look: Look, weight: Double = 1) { parts = [Part(look: look, weight: weight)] }

  /// The sum of the weights. If it is less than 1, what is below the pane has the remaining weight.
  var opacity: Double {
    let sum = parts.reduce(0) { $0 + $1.weight }
    return sum > 1 - 1e-9 ? 1 : sum
  }

  /// The only look; nil if there are several, or if it is translucent.
  var only: Look? { parts.count == 1 && opacity == 1 ? parts[0].look : nil }

  /// The mix with a look in place of another one.
  func replacing(_ old: Look, by new: Look) -> LookMix {
    var mix = self
    for i in parts.indices where parts[i].look == old {
      mix.parts[i] = Part(look: new, weight: parts[i].weight)
    }
    return mix
  }

  /// The mean of these looks (`part` 0) and a look, or what is below the pane (`part` 1).
  func mixed(with look: Look?, _ part: Double) -> LookMix {
    if part >= 1, let look { return LookMix(look) }
    var mix = self
    for i in mix.parts.indices { mix.parts[i].weight *= 1 - part }
    guard let look else { return mix }
    let own = mix.parts.first { $0.look == look }?.weight ?? 0
    mix.parts.removeAll { $0.look == look }
    mix.parts.append(Part(look: look, weight: own + part))
    return mix
  }

  /// The looks that are visible, but at most the three with the largest weights: changes that interrupt transitions
  /// must not add up without a limit.
  var visible: LookMix {
    if parts.count == 1 { return self }
    let heaviest = parts.sorted { $0.weight > $1.weight }.prefix(3).filter { $0.weight > 0 }
    var mix = self
    if heaviest.isEmpty {
      mix.parts.removeFirst(parts.count - 1)
      return mix
    }
    mix.parts = parts.filter { heaviest.contains($0) }
    let scale = opacity / mix.opacity
    for i in mix.parts.indices { mix.parts[i].weight *= scale }
    return mix
  }
}
