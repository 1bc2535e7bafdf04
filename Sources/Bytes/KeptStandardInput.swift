package import Diagnostics

/// Standard input as something that can be read again from its beginning.
///
/// A pipe is copied first, into a file that has no name and goes with the process. From then on the copy is the process's
/// standard input: whoever reads `-` reads it.
package struct KeptStandardInput {
  private let start: Int

  /// Keeps what standard input holds from here to its end.
  ///
  /// - Parameter folder: where the copy is made; its disk needs room for all of the input.
  package init(in folder: String) throws(Diagnostic) {
    let input = FileDescriptor.standardInput
    if let status = try? input.status(), status.kind == .regular, let offset = try? input.offset() {
      start = offset
      return
    }
    start = 0
    let source = try FileSource("-")
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { block.deallocate() }
    let copy = try Self.describing(folder) { () throws(SystemError) in try FileDescriptor(temporaryIn: folder) }
    while true {
      let count = try source.read(into: block)
      guard count > 0 else { break }
      let bytes = UnsafeRawBufferPointer(rebasing: block[..<count])
      try Self.describing(folder) { () throws(SystemError) in try copy.write(bytes) }
    }
    try Self.describing(folder) { () throws(SystemError) in try copy.replaceStandardInput() }
    try rewind()
  }

  /// Goes back to the beginning.
  package func rewind() throws(Diagnostic) {
    do throws(SystemError) {
      try FileDescriptor.standardInput.seek(to: start)
    } catch {
      throw .inputReading("-", error)
    }
  }

  private static func describing<Result>(
    _ folder: String, _ body: () throws(SystemError) -> Result
  ) throws(Diagnostic) -> Result {
    do {
      return try body()
    } catch {
      throw .environment("standard input cannot be copied to the folder \(folder)", error, path: folder + "/-")
    }
  }
}
