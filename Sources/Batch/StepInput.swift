import Bytes
import Diagnostics
import ObjectModel
import Records

/// The input of a step: opened once for planning, and again for each pass over it.
///
/// A plan goes by the indices of columns, so what is opened again must be the very file that was planned for. A pipe cannot
/// be opened again: the pass goes on with the reader that the plan was made with.
final class StepInput {
  /// The input in a checkpoint: a file by its path, size and last change; a stream by its path, and elsewhere by its records.
  let description: String
  /// Whether nothing but its records tells the input from another.
  let isStream: Bool
  /// The folder of files that fields name: that of the input, or with standard input that of the pipeline.
  let folderOfFiles: String
  private let path: String
  private let step: StepConfiguration
  private let folder: String
  private let model: NSManagedObjectModel
  private let kept: KeptStandardInput?
  private let readings: Int
  private let identity: FileIdentity?
  private var unread: (any RecordReader)?

  /// Looks at the input of a step.
  ///
  /// - Parameters:
  ///   - kept: standard input, if it can be read again.
  ///   - readings: how often it will be read.
  init(
    _ step: StepConfiguration, in folder: String, model: NSManagedObjectModel, kept: KeptStandardInput?, readings: Int
  ) {
    self.readings = readings
    self.step = step
    self.folder = folder
    self.model = model
    self.kept = step.read.isStandardInput ? kept : nil
    let path = step.read.path(in: folder)
    // Looked at before it is opened: a file that is changed in between passes for changed, not for unchanged.
    let identity = step.read.isStandardInput ? nil : FileIdentity(path: path)
    self.path = path
    folderOfFiles = step.read.isStandardInput ? folder : FileSystem.folder(of: path)
    self.identity = identity
    isStream = identity == nil
    description = identity.map { "\(path) \($0.size) \($0.modified)" } ?? path
  }

  /// Whether the description of an input is of one with this path.
  func hasPath(ofDescription other: String) -> Bool {
    other == path || other.hasPrefix(path + " ") && other.dropFirst(path.count + 1).split(separator: " ").count == 2
  }

  /// Makes a plan with a reader at the beginning of the input.
  func plan<Plan>(_ make: (any RecordReader) throws(Diagnostic) -> Plan) throws(Diagnostic) -> Plan {
    if isReadOnce, readings > 1, FileSystem.kind(of: path) == .other { throw .streamTwice(path) }
    let reader = try open()
    if isReadOnce { unread = reader }
    return try make(reader)
  }

  /// A reader at the beginning of the input, behind the names of its columns.
  func makeReader() throws(Diagnostic) -> any RecordReader {
    if isReadOnce {
      guard let reader = unread else { throw .streamTwice(path) }
      unread = nil
      return reader
    }
    if let identity, FileIdentity(path: path) != identity { throw .inputReplaced(path) }
    return try open()
  }

  private var isReadOnce: Bool { isStream && kept == nil }

  private func open() throws(Diagnostic) -> any RecordReader {
    try kept?.rewind()
    return try step.makeReader(in: folder, model: model)
  }
}
