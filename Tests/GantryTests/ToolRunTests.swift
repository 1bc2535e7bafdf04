import Testing

struct ToolRunTests {
  @Test func statusAndStreams() throws {
    let good = try ToolRun(["--version"])
    #expect(good.status == 0 && good.output.hasPrefix("gantry ") && good.errors.isEmpty)
    let bad = try ToolRun(["nothing"])
    #expect(bad.status == 2 && bad.output.isEmpty && bad.errors.contains("unknown command nothing"))
  }
}
