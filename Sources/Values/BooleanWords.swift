package import Diagnostics

/// The words for true and false; a class, since they are looked up for each field and never change.
package final class BooleanWords: Sendable {
  private let trueWords: [[UInt8]]
  private let falseWords: [[UInt8]]
  /// What a text must be, for messages.
  package let expectation: String

  /// Makes the words; those that are not given are `true`, `yes`, `1` and `false`, `no`, `0`.
  package init(true trueWords: [String]? = nil, false falseWords: [String]? = nil) throws(Diagnostic) {
    let trueWords = trueWords ?? ["true", "yes", "1"]
    let falseWords = falseWords ?? ["false", "no", "0"]
    self.trueWords = trueWords.map { Array($0.lowercased().utf8) }
    self.falseWords = falseWords.map { Array($0.lowercased().utf8) }
    if let word = self.trueWords.first(where: self.falseWords.contains) {
      throw .wordForBoth(String(decoding: word, as: UTF8.self))
    }
    expectation = "one of \((trueWords + falseWords).joined(separator: ", "))"
  }

  /// The first word for a boolean.
  package func word(_ boolean: Bool) -> String {
    String(decoding: (boolean ? trueWords : falseWords).first ?? [], as: UTF8.self)
  }

  /// What a word means, whatever its case.
  package func boolean(_ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> Bool {
    if bytes.allSatisfy({ $0 < 0x80 }) {
      if trueWords.contains(where: { bytes.equalsIgnoringCase($0) }) { return true }
      if falseWords.contains(where: { bytes.equalsIgnoringCase($0) }) { return false }
    } else {
      let word = Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
      if trueWords.contains(word) { return true }
      if falseWords.contains(word) { return false }
    }
    throw .unknownWord
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these are the bytes of a word in lower case, but for the case of ASCII letters.
  func equalsIgnoringCase(_ word: [UInt8]) -> Bool {
    guard count == word.count else { return false }
    for index in word.indices where self[index].lowercasedASCII != word[index] { return false }
    return true
  }
}
