import Foundation

extension Value {
  /// The value in the types of Swift and Foundation; numbers are `NSNumber`, as Apple has it, so that `as? Int`, `as? Int16` and
  /// `as? Bool` all serve.
  package var object: Any? {
    switch self {
    case .null: nil
    case .integer(let integer): NSNumber(value: integer)
    case .boolean(let boolean): NSNumber(value: boolean)
    case .real(let real): NSNumber(value: real)
    case .decimal(let decimal): NSDecimalNumber(decimal: decimal)
    case .string(let string): string
    case .date(let date): date
    case .data(let data): data
    case .uuid(let uuid): uuid
    case .url(let url): url
    }
  }
}
