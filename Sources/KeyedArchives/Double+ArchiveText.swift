extension Double {
  /// The shortest decimal that reads as the same number, whole ones without a fraction: `10.5`, `20`.
  package var archiveText: String {
    // A negative zero is no integer.
    self == rounded() && magnitude < 1e15 && !(self == 0 && sign == .minus) ? String(Int64(self)) : description
  }
}
