/// The case whose raw value is `text`.
func choice<Choice: RawRepresentable & CaseIterable>(
  _ text: String, setting: String
) throws(PaneError) -> Choice where Choice.RawValue == String {
  guard let choice = Choice(rawValue: text) else {
    throw .unreadable(
      setting: setting, text: text,
      expected: Choice.allCases.map(\.rawValue).joined(separator: " or "))
  }
  return choice
}
