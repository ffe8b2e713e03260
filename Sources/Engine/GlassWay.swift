/// How a display lets panes show what is behind them.
package enum GlassWay: String, CaseIterable, Sendable {
  /// The pixels behind panes are captured whenever they change.
  case live
  /// The pixels behind a pane are captured before it is shown, and again by `refresh`.
  case still
  /// The display server blurs what is behind a pane. The engine gives the pane a colour and content only.
  case handedOver = "handed-over"
}
