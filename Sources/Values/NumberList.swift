/// A few numbers without memory of their own: the components of a colour, the sides of a rectangle.
package struct NumberList: Hashable, Sendable {
  package static let limit = 8
  private var numbers = SIMD8<Double>()
  package private(set) var count = 0

  package init() {}

  package init(_ numbers: Double...) {
    for number in numbers { append(number) }
  }

  package mutating func append(_ number: Double) {
    precondition(count < Self.limit, "a list of numbers holds no more than \(Self.limit)")
    numbers[count] = number
    count += 1
  }

  package subscript(index: Int) -> Double {
    precondition(index < count, "there is no such number")
    return numbers[index]
  }

  func allSatisfy(_ fits: (Double) -> Bool) -> Bool {
    for index in 0..<count where !fits(numbers[index]) { return false }
    return true
  }
}
