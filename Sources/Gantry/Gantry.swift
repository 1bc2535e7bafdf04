@_exported public import Batch
