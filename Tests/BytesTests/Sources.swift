import Bytes
import Diagnostics

/// Everything that a source gives, read with a buffer of some size.
func readAll(_ source: any ByteSource, bufferSize: Int = 65_536) throws(Diagnostic) -> [UInt8] {
  var all: [UInt8] = []
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)
  defer { buffer.deallocate() }
  while true {
    let count = try source.read(into: buffer)
    guard count > 0 else { return all }
    all.append(contentsOf: buffer[..<count])
  }
}

/// The diagnostic that a body throws, as printed.
func trouble(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no trouble"
  } catch {
    return "\(error)"
  }
}

/// The sizes of buffers and blocks with which every case is read.
let sizes = [1, 2, 7, 65_536]
