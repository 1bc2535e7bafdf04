import Foundation
import Predicates
import SQLiteDriver
import Values

/// The functions that the SQL of conditions calls: the code by which conditions are evaluated in memory.
enum PredicateFunctions {
  /// Compares two texts by an operator and options.
  static let compare = "gantry_compare"
  /// A text without what options overlook.
  static let fold = "gantry_fold"
  /// A function of the format language.
  static let apply = "gantry_apply"

  static func add(to connection: Connection) throws(SQLiteError) {
    try connection.addFunction(compare, argumentCount: 4) { arguments in
      guard case .text(let name) = arguments[0], let operation = PredicateTree.Operator(rawValue: name),
        case .integer(let options) = arguments[1]
      else { return .null }
      let comparison = ValueComparison(
        operation, PredicateTree.Options(rawValue: Int(options)), asksForNil: false)
      let truth = try comparison.truth(ComparedValue(arguments[2]), ComparedValue(arguments[3]))
      return truth.map { .integer($0 ? 1 : 0) } ?? .null
    }
    try connection.addFunction(fold, argumentCount: 2) { arguments in
      guard case .text(let text) = arguments[0], case .integer(let options) = arguments[1] else { return arguments[0] }
      return .text(TextMatching.folded(text, PredicateTree.Options(rawValue: Int(options))))
    }
    try connection.addFunction(apply, argumentCount: -1) { arguments in
      guard case .text(let name)? = arguments.first, let function = PredicateFunction(rawValue: name) else {
        return .null
      }
      return SQLiteValue(try function.apply(arguments.dropFirst().map { .scalar($0.value) }))
    }
  }
}

extension ComparedValue {
  fileprivate init(_ value: SQLiteValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(Data(bytes))
      }
  }
}

extension SQLiteValue {
  fileprivate var value: Value {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let text): .string(text)
    case .blob(let bytes): .data(Data(bytes))
    }
  }

  fileprivate init(_ value: PredicateValue) {
    guard case .scalar(let value) = value else {
      self = .null
      return
    }
    self =
      switch ComparedValue(value) {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .blob(let data): .blob(Array(data))
      }
  }
}
