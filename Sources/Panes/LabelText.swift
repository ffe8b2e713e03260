package import Frost

/// The text of a label and how it is drawn.
package struct LabelText: Equatable, Sendable {
  package var text: String
  /// The Pango description of its font.
  package var font: String
  /// The colour if it is not vibrant.
  package var color: Color
  /// How a text that is too large for its pane is fitted.
  package var fit: TextFit

  /// A label that is white, wrapped between words and shortened at its end, unless told otherwise.
  package init(
    _ text: String, font: String, color: Color = Color(white: 1), fit: TextFit = TextFit()
  ) {
    self.text = text
    self.font = font
    self.color = color
    self.fit = fit
  }
}

extension PaneContent.Source {
  /// A white label that is wrapped between words and shortened at its end.
  package static func label(text: String, font: String) -> PaneContent.Source {
    .label(LabelText(text, font: font))
  }
}
