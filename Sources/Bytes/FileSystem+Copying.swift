#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
package import Diagnostics

extension FileSystem {
  /// Gives a file a second name, which no other file has; where the file system cannot, it is copied and brought to the disk.
  ///
  /// A name that it has already, or a copy that is whole, is kept: a killed run has made it.
  package static func linkOrCopy(from source: String, to target: String) throws(Diagnostic) {
    if isSameFile(source, target) || hasSameBytes(source, target) {
      try remove(placeOfCopy(target))
      return
    }
    do throws(SystemError) {
      try retrying { link(source, target) }
    } catch {
      guard error.isWithoutLinks || error.isAcrossFileSystems else {
        throw .environment("\(source) cannot be linked to \(target)", error, path: target)
      }
      try copy(source, toUnused: target)
    }
  }

  /// Makes a file, or what is in it, a copy of another; one that a crash may leave half done and not on the disk.
  package static func copy(_ source: String, over target: String) throws(Diagnostic) {
    do throws(SystemError) {
      let writing = try FileDescriptor(target, .replace)
      try forEachBlock(of: FileDescriptor(source, .read)) { block throws(SystemError) in try writing.write(block) }
    } catch {
      throw .environment("\(source) cannot be copied to \(target)", error, path: target)
    }
  }

  /// Where a copy is until it is whole: what a killed run leaves there is overwritten by the next.
  private static func placeOfCopy(_ target: String) -> String { "\(folder(of: target))/.\(name(of: target)).copying" }

  private static func copy(_ source: String, toUnused target: String) throws(Diagnostic) {
    guard !exists(target) else { throw .environment("\(target) cannot be made", .existing, path: target) }
    let place = placeOfCopy(target)
    do throws(SystemError) {
      let reading = try FileDescriptor(source, .read)
      let writing = try FileDescriptor(place, .write)
      // Another run that copies to the same place would write into this one.
      guard try writing.lock() else { throw .existing }
      do throws(SystemError) {
        try writing.truncate(to: 0)
        try forEachBlock(of: reading) { block throws(SystemError) in try writing.write(block) }
        try writing.sync()
        try move(place, toUnused: target)
      } catch {
        _ = try? remove(place)
        throw error
      }
    } catch {
      throw .environment("\(source) cannot be copied to \(target)", error, path: target)
    }
  }

  private static func hasSameBytes(_ a: String, _ b: String) -> Bool {
    guard let sizes = try? (FileStatus(a), FileStatus(b)), sizes.0.kind == .regular, sizes.1.kind == .regular,
      sizes.0.identity.size == sizes.1.identity.size
    else { return false }
    do throws(SystemError) {
      let other = try FileDescriptor(b, .read)
      var isSame = true
      try forEachBlock(of: try FileDescriptor(a, .read)) { block throws(SystemError) in
        if isSame { isSame = try other.reads(block) }
      }
      return isSame
    } catch {
      return false
    }
  }

  private static let blockSize = 1 << 20

  private static func forEachBlock(
    of file: FileDescriptor, _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(SystemError) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 1)
    defer { block.deallocate() }
    while true {
      let count = try file.read(into: block)
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: block[..<count]))
    }
  }
}

extension FileDescriptor {
  /// Whether the next bytes are the given ones.
  fileprivate func reads(_ expected: UnsafeRawBufferPointer) throws(SystemError) -> Bool {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: expected.count, alignment: 1)
    defer { bytes.deallocate() }
    guard let base = expected.baseAddress, let own = bytes.baseAddress else { return true }
    return try read(into: bytes) == expected.count && memcmp(base, own, expected.count) == 0
  }
}
