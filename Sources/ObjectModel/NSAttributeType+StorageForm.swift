package import Values

extension NSAttributeType {
  /// What a storage form sees in an attribute of the type; nil for a type that is no shadow of another kind of value.
  package var keptFormType: StorageForm.StoredType? {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: .integer
    case .doubleAttributeType, .floatAttributeType: .real
    case .stringAttributeType: .string
    case .binaryDataAttributeType, .transformableAttributeType: .data
    default: nil
    }
  }
}
