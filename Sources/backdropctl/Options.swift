import ArgumentParser
import Control
import Frost
import Panes

// Every setting of a pane is declared here, once. A value may be negative, hence `.unconditional`.

/// How the glass looks.
struct MaterialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A named look, as in regular-dark or 'tint #C02060'; 'materials' lists them. Other settings "
        + "change it.",
      valueName: "NAME"))
  var material: String?

  @Option(
    parsing: .unconditional,
    help: "How far the glass blurs: the standard deviation of a Gaussian in pixels, 0 to 200.")
  var sigma: Double?

  @Option(
    parsing: .unconditional,
    help: "1 leaves colours alone, 0 is gray, above 1 more vivid; -5 to 5.")
  var saturation: Double?

  @Option(
    parsing: .unconditional, help: "Added to every channel, where 1 is full white; -1 to 1.")
  var brightness: Double?

  @Option(
    parsing: .unconditional,
    help: "1 leaves values alone; others stretch them about mid-gray, 0 to 5.")
  var contrast: Double?

  @Option(
    help: ArgumentHelp(
      "A colour that meets the glass in a way of its own: normal, color-dodge, overlay or "
        + "luminosity. May be given again, the lowest layer first; 'none' takes all away.",
      valueName: "MODE:#RRGGBB[AA]"))
  var blend: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A colour laid over all, opaque or with its opacity.", valueName: "#RRGGBB[AA]"))
  var tint: String?

  @Option(
    parsing: .unconditional,
    help:
      "Makes every pixel lighter or darker at random, by up to half of this, where 1 is full white; 0 to 0.25."
  )
  var noise: Double?

  func change() throws(Failure) -> PaneChange {
    var change = PaneChange()
    (change.sigma, change.saturation) = (sigma, saturation)
    (change.brightness, change.contrast) = (brightness, contrast)
    change.noise = noise
    do throws(PaneError) {
      if let material { change.material = try MaterialChoice(parsing: material) }
      if blend == ["none"] {
        change.layers = []
      } else if !blend.isEmpty {
        change.layers = try blend.map { text throws(PaneError) in try Layer(parsing: text) }
      }
      if let tint { change.tint = try Color(parsing: tint, as: "tint") }
      try change.check()
    } catch {
      throw Failure(error)
    }
    return change
  }
}

/// What makes a pane of the glass.
struct OutlineOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rounds the corners by so many pixels, as circles or as iOS does; at most half the shorter "
        + "edge.",
      valueName: "[continuous:]RADIUS"))
  var corner: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Casts a shadow around the pane: maps, outer-view, rounded-view, none, or how far it is "
        + "moved and blurred (as in CSS) and its colour, as '0,8 24 #00000080'.",
      valueName: "SHADOW"))
  var shadow: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Draws a line along the inside of the outline, as '1 #FFFFFF40', or none.",
      valueName: "WIDTH #RRGGBB[AA]"))
  var border: String?

  func apply(to change: inout PaneChange) throws(Failure) {
    do throws(PaneError) {
      if let corner { change.corner = try Corner(parsing: corner) }
      if let shadow { change.shadow = try Shadow(parsing: shadow) }
      if let border { change.border = try Border(parsing: border) }
    } catch {
      throw Failure(error)
    }
  }
}

/// Where a pane is, how it looks and what a click on it does.
struct PaneOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where the pane is: 400x300+20+40 from the left and the top, 400x300-20-40 from the right "
        + "and the bottom; or as slop and slurp print it, '20,40 400x300'.",
      valueName: "WxH+X+Y"))
  var geometry: String?

  @OptionGroup var material: MaterialOptions
  @OptionGroup var outline: OutlineOptions

  @Option(
    help: ArgumentHelp(
      "What shows through the pane: all windows below it, or the wallpaper alone.",
      valueName: "windows|wallpaper"))
  var sees: String?

  @Option(
    help: ArgumentHelp(
      "What becomes of a click on the pane: it passes to what lies below, or the pane grabs it.",
      valueName: "pass|grab"))
  var input: String?

  func change() throws(Failure) -> PaneChange {
    var change = try material.change()
    try outline.apply(to: &change)
    do throws(PaneError) {
      if let geometry { change.geometry = try Geometry(parsing: geometry) }
      if let sees { change.sees = try Sight(parsing: sees) }
      if let input { change.input = try InputMode(parsing: input) }
    } catch {
      throw Failure(error)
    }
    return change
  }
}

/// How long it takes.
struct FadeOption: ParsableArguments {
  @Option(
    name: .customLong("fade"), parsing: .unconditional,
    help: ArgumentHelp(
      "Let the glass come, change or go over so many milliseconds, 0 to 10000.", valueName: "MS"))
  var milliseconds: Double?

  func value() throws(Failure) -> Fade {
    do { return try Fade(milliseconds: milliseconds ?? 0) } catch { throw Failure(error) }
  }
}

/// Which daemon is asked.
struct DaemonOptions: ParsableArguments {
  @Option(help: "The display that backdropd serves, as :0. (default: $DISPLAY)")
  var display: String?

  /// Sends a request and returns the reply, which is no failure, with the file that came along.
  func ask(_ request: Request) throws(Failure) -> Answer {
    let answer = try reply(to: request)
    if case .failure(let kind, let text) = answer.reply { throw Failure(kind, text) }
    return answer
  }

  private func reply(to request: Request) throws(Failure) -> Answer {
    do throws(ControlError) {
      let display = display ?? environmentVariable("DISPLAY") ?? ""
      var client = try ControlClient(display: display)
      return try client.ask(request)
    } catch {
      throw Failure(error)
    }
  }

  /// How many pixels the user of the display wants for 1/96 inch.
  func scale() throws(Failure) -> Double {
    guard case .status(let status) = try ask(.status).reply else { throw Failure(.unreadableReply) }
    return status.scale
  }

  /// Sends a request for something to be done.
  func tell(_ request: Request) throws(Failure) {
    guard case .done = try ask(request).reply else { throw Failure(.unreadableReply) }
  }
}

/// Which pane is meant.
struct NameArgument: ParsableArguments {
  @Argument(help: "The pane: 1 to 64 letters, digits, '.', '_' or '-'.")
  var name: String
}
