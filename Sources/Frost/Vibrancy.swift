/// How content is seen through the glass: the styles in which its shape brings the backdrop out.
package enum Vibrancy: String, CaseIterable, Sendable {
  case label, secondary, tertiary, quaternary, fill
  case secondaryFill = "secondary-fill"
  case tertiaryFill = "tertiary-fill"
  case separator
}
