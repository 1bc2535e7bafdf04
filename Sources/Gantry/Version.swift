/// The version of Gantry, as in CHANGELOG.md.
public let version = "0.1.0"
