/// What the engine has done since it started: sums over all panes.
package struct Statistics: Equatable, Sendable {
  /// Frames of panes that were presented.
  package var frames = 0
  /// Frames that ended after the capture, because no pixel had changed.
  package var unchangedFrames = 0
  package var damagedPixels = 0
  /// Time spent in each stage of a frame, whatever the processor did meanwhile.
  package var capturing = Duration.zero
  package var reducing = Duration.zero
  package var blurring = Duration.zero
  package var drawing = Duration.zero
  package var presenting = Duration.zero
}
