// What a program that runs pipelines imports: the pipeline itself, its steps, readers and conversions.
@_exported public import Batch
@_exported public import Conversion
@_exported public import Diagnostics
@_exported public import Records
@_exported public import SQLiteStore
@_exported public import Values
