/// The rule that every declaration that other targets see has a comment, unless it is obvious.
///
/// Types, constants and functions with parameters have a contract that a name cannot state: shapes, units,
/// ranges, errors. Obvious are only:
///
/// - Witnesses: the protocol states the contract.
/// - Cases, properties, and functions without parameters, in a type that has a comment, with a name of at
///   most three words. A longer name tries to be a comment. But nil has a meaning, which the comment of the
///   property or of its type states; an error has a reason; and a function that needs more than two words for
///   its name has an effect to state.
/// - Initialisers that cannot fail and have one or two parameters, which they store or convert, or only
///   parameters that are named like properties: the properties state the contract.
struct CommentRule {
  /// Per type, all that it is declared to conform to.
  private var conformances: [String: Set<String>] = [:]
  /// Per protocol, the signatures of its requirements.
  private var requirements: [String: Set<String>]

  init(_ files: [[Declaration]]) {
    requirements = Self.knownRequirements
    for declarations in files {
      for declaration in declarations where Declaration.scopeKinds.contains(declaration.kind) {
        conformances[declaration.names[0], default: []].formUnion(declaration.conformances)
      }
      for declaration in declarations {
        guard let owner = declaration.owner, declarations[owner].kind == "protocol" else {
          continue
        }
        requirements[declarations[owner].names[0], default: []].formUnion(declaration.signatures)
      }
    }
  }

  /// What is not obvious and has no comment.
  func findings(in file: TextFile, _ declarations: [Declaration]) -> [Finding] {
    declarations.filter { declaration in
      declaration.isExported && declaration.comment.isEmpty && declaration.kind != "extension"
        && !isWitness(declaration, in: declarations)
        && !isMemberwise(declaration, in: declarations)
        && !isObvious(declaration, in: declaration.owner.map { declarations[$0] })
    }.map { Finding(file, index: $0.index, "\($0.title) has no comment") }
  }

  private func isWitness(_ declaration: Declaration, in declarations: [Declaration]) -> Bool {
    guard let owner = declaration.owner, declarations[owner].kind != "protocol" else {
      return false
    }
    return conformances[declarations[owner].names[0], default: []].contains { name in
      requirements[name]?.isSuperset(of: declaration.signatures) ?? false
    }
  }

  private func isMemberwise(_ declaration: Declaration, in declarations: [Declaration]) -> Bool {
    guard declaration.kind == "init", !declaration.canFail else { return false }
    let properties = declarations.filter { other in
      other.owner == declaration.owner && ["let", "var"].contains(other.kind) && !other.isStatic
    }.flatMap(\.names)
    return declaration.parameterLabels.allSatisfy(properties.contains)
  }

  private func isObvious(_ declaration: Declaration, in owner: Declaration?) -> Bool {
    guard let owner else { return false }
    // The type of an extension is documented elsewhere.
    let isInContext = owner.kind == "extension" || !owner.comment.isEmpty
    let hasShortNames = declaration.names.allSatisfy { words(of: $0).count <= 3 }
    switch declaration.kind {
    case "case": return isInContext && hasShortNames
    case "let" where declaration.isStatic: return false
    case "let", "var":
      let explainsNil = !declaration.isOptional || owner.comment.contains("nil")
      return isInContext && hasShortNames && explainsNil
    case "func":
      return isInContext && declaration.parameterLabels.isEmpty && !declaration.canFail
        && !declaration.isOptional && words(of: declaration.names[0]).count <= 2
    case "init": return declaration.parameterLabels.count <= 2 && !declaration.canFail
    default: return false
    }
  }

  /// Of the standard library and of swift-log, whose sources are not in the checkout.
  private static let knownRequirements: [String: Set<String>] = [
    "CustomStringConvertible": ["description"],
    "Equatable": ["==(_:_:)"], "Hashable": ["==(_:_:)", "hash(into:)"],
    "Comparable": ["==(_:_:)", "<(_:_:)"],
    "Codable": ["init(from:)", "encode(to:)"], "Decodable": ["init(from:)"],
    "Encodable": ["encode(to:)"],
    "Sequence": ["makeIterator()"], "IteratorProtocol": ["next()"],
    "RandomNumberGenerator": ["next()"],
    "OptionSet": ["rawValue", "init(rawValue:)"],
    "RawRepresentable": ["rawValue", "init(rawValue:)"],
  ]
}

extension Declaration {
  /// What follows the colon of a type or an extension.
  fileprivate var conformances: [String] {
    guard let colon = header.firstIndex(of: ":") else { return [] }
    let list = header[header.index(after: colon)...].replacing(" where ", with: ",")
    return splitAtCommas(list).map { String($0.filter { $0 != " " }) }
  }

  /// Names with the labels of their parameters, as in `move(to:)`.
  fileprivate var signatures: Set<String> {
    guard kind == "func" || kind == "init" || kind == "subscript" else { return Set(names) }
    let isOperator = words(of: names[0]).isEmpty
    return [names[0] + "(" + parameterLabels.map { isOperator ? "_:" : "\($0):" }.joined() + ")"]
  }

  /// As a message names it, such as `func move`.
  fileprivate var title: String {
    names == [kind] ? kind : "\(kind) \(names.joined(separator: ", "))"
  }

  fileprivate var parameterLabels: [String] {
    guard let open = header.firstIndex(of: "("), let close = closingParenthesis else { return [] }
    let list = header[header.index(after: open)..<close]
    return splitAtCommas(list).map { $0.split { " :".contains($0) }.first.map(String.init) ?? "" }
      .filter { !$0.isEmpty }
  }

  /// The end of the first parentheses.
  private var closingParenthesis: String.Index? {
    var depth = 0
    for index in header.indices {
      if header[index] == "(" { depth += 1 }
      if header[index] == ")" {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  /// What follows the parameters of a function.
  private var result: Substring {
    closingParenthesis.map { header[header.index(after: $0)...] } ?? ""
  }

  fileprivate var canFail: Bool { result.contains("throws") || header.hasPrefix("init?") }

  /// Whether the result of a function or the type of a property is an optional.
  fileprivate var isOptional: Bool {
    let type = kind == "func" ? result : header[...]
    return type.split(separator: " ").last?.hasSuffix("?") ?? false
  }
}
