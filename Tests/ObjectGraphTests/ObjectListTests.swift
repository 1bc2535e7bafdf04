import ObjectModel
import Testing

@testable import ObjectGraph

@Suite struct ObjectListTests {
  /// The same random steps on a list and on a plain array.
  @Test(arguments: 1...5) func behavesAsAnArrayWithoutDoubles(_ seed: UInt64) {
    let entity = CompanyModel.entity("Node", [])
    let objects = (0..<60).map { _ in NSManagedObject(entity: entity, insertInto: nil) }
    var random = SeededGenerator(seed: seed)
    var list = ObjectList()
    var array: [NSManagedObject] = []
    for _ in 0..<2_000 {
      let object = objects[Int.random(in: objects.indices, using: &random)]
      if Int.random(in: 0..<5, using: &random) < 2 {
        list.append(object)
        if !array.contains(object) { array.append(object) }
      } else {
        #expect(list.remove(object) == array.contains(object))
        array.removeAll { $0 === object }
      }
      #expect(list.objects == array && list.count == array.count && list.isEmpty == array.isEmpty)
    }
  }
}

/// A small generator (SplitMix64) whose numbers are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
