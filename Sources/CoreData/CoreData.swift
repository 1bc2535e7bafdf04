@_exported public import Migration
@_exported public import ObjectGraph
@_exported public import ObjectModel
@_exported public import Predicates
@_exported public import Stack
@_exported public import Values
