extension NSPropertyDescription {
  /// The name of the column that fills the property, when it is not the property's own: the model's `userInfo` key `importName`.
  public var importName: String? { userInfo["importName"] }
}
