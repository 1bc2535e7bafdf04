import Foundation
import TestSupport

@testable import Values

/// What reading a text gave: a value, or why there is none.
enum Outcome<Content: Hashable & Sendable>: Hashable, Sendable {
  case value(Content)
  case trouble(TextTrouble)
}

/// Reads a text with a parser of bytes.
func read<Content>(
  _ text: String, _ parse: (UnsafeRawBufferPointer) throws(TextTrouble) -> Content
) -> Outcome<Content> {
  do throws(TextTrouble) { return .value(try text.parsed(by: parse)) } catch { return .trouble(error) }
}

/// A case whose name is its input.
func text<Content>(_ text: String, _ value: Content) -> Case<String, Outcome<Content>> {
  Case(text, text, .value(value))
}

/// A case that is refused, whose name is its input.
func refused<Content>(_ text: String, _ trouble: TextTrouble) -> Case<String, Outcome<Content>> {
  Case(text.isEmpty ? "empty" : text, text, .trouble(trouble))
}

/// Reads columns with a parser of them.
func readColumns<Content>(
  _ columns: [String], _ parse: ([UnsafeRawBufferPointer]) throws(TextTrouble) -> Content
) -> Outcome<Content> {
  let buffers = columns.map { column in
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: column.utf8.count, alignment: 1)
    copy.copyBytes(from: Array(column.utf8))
    return UnsafeRawBufferPointer(copy)
  }
  defer { buffers.forEach { $0.deallocate() } }
  do throws(TextTrouble) { return .value(try parse(buffers)) } catch { return .trouble(error) }
}
