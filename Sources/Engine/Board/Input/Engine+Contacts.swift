import Panes

/// The pointer and fingers on panes.
extension Engine where Server: ~Copyable {
  /// Follows the pointer or a finger on an overlay.
  mutating func handle(_ contact: Contact, on entry: PaneEntry) {
    pull(entry, by: contact)
    press(entry, by: contact)
  }

  /// Ends the contacts of a pane whose overlay gets another window or none: their releases are not reported.
  func loseContacts(of entry: PaneEntry) {
    entry.press = nil
    if let body = entry.fallingBody { entry.drawer?.loseContact(body) }
  }

  // MARK: Clicks

  /// Follows a press on a pane with a command. If there are several fingers, the last one counts, so a finger whose end is not
  /// reported blocks nothing.
  private mutating func press(_ entry: PaneEntry, by contact: Contact) {
    guard let command = entry.pane.click, entry.pane.isShown else { return entry.press = nil }
    if contact.phase == .began { return entry.press = Press(contact) }
    guard let press = entry.press, press.isContinued(by: contact) else { return }
    let isLeft = press.isLeft(by: contact, scale: entry.output?.scale ?? 1)
    if contact.phase == .ended || isLeft { entry.press = nil }
    if contact.phase == .ended, !isLeft {
      report(.clicked(PaneClick(pane: entry.pane.name, command: command)))
    }
  }
}
