import ArgumentParser

/// A command that computes so much glass that the start of the best build pays.
protocol GlassCommand: ParsableCommand {}

extension Blur: GlassCommand {}
extension Materials: GlassCommand {}
extension BenchTable: GlassCommand {}
extension BenchFrame: GlassCommand {}
// Measures the speed of the glass.
extension DoctorCommand: GlassCommand {}
