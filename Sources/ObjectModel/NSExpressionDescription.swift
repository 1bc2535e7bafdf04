public import Predicates

/// A column of a fetch that returns dictionaries: an expression, by a name.
///
/// Source: Apple, Core Data, `NSExpressionDescription`.
public final class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// What is computed: of each object, or, with a function of collections such as `max:(age)`, of all or of each group.
  public var expression: ExpressionTree?
  /// The type of the result. The default is undefined: whatever the expression gives.
  public var expressionResultType = NSAttributeType.undefinedAttributeType
  /// The same by its newer name.
  public var resultType: NSAttributeType {
    get { expressionResultType }
    set { expressionResultType = newValue }
  }
}
