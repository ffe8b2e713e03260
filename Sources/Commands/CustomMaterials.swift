import Configuration
import Control
import Panes

/// The configuration of this user, for its materials; nil if there is none. Throws if it has errors.
func userConfiguration() throws(Failure) -> ConfigurationFile? {
  guard let path = firstExisting(configurationFiles()) else { return nil }
  do {
    return try ConfigurationFile(path: path)
  } catch let failure as Failure {
    throw failure
  } catch {
    throw Failure(.configuration, "\(path) has errors; 'backdropctl config check' prints them")
  }
}

/// The material of the configuration with a name; nil if there is none, or if a material of backdropd has the name. Throws
/// `Failure` with the nearest names if there is neither.
func customMaterial(_ text: String) throws(Failure) -> CustomMaterial? {
  let name: String
  let nearest: [String]
  do throws(PaneError) {
    _ = try MaterialChoice(parsing: text)
    return nil
  } catch .unknownMaterial(let unknown, let similar) {
    (name, nearest) = (unknown, similar)
  } catch {
    // Another error is told when the setting is read.
    return nil
  }
  let materials = try userConfiguration()?.configuration.materials ?? []
  if let material = materials.first(where: { $0.name == name }) { return material }
  let own = name.nearest(in: materials.map(\.name))
  throw Failure(PaneError.unknownMaterial(name, nearest: own + nearest))
}
