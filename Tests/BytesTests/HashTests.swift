import TestSupport
import Testing

@testable import Bytes

/// The examples of FIPS 180 as published by NIST (`SHA256.pdf`, `SHA512.pdf` and the long message of the standard), and the
/// empty message.
@Suite struct HashTests {
  static let twoBlocks512 =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

  static let sha256: [Case<String, String>] = [
    Case("empty", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    Case("one block", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    Case(
      "two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    Case(
      "long", String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  static let sha512: [Case<String, String>] = [
    Case(
      "empty", "",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"),
    Case(
      "one block", "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
    Case(
      "two blocks", twoBlocks512,
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"),
  ]

  @Test(arguments: sha256) func hash256(_ c: Case<String, String>) {
    #expect(Hex.encode(SHA256.hash(Array(c.input.utf8))) == c.expected)
  }

  @Test(arguments: sha512) func hash512(_ c: Case<String, String>) {
    #expect(Hex.encode(SHA512.hash(Array(c.input.utf8))) == c.expected)
  }

  /// The parts in which a message comes do not matter, nor where the padding begins.
  @Test(arguments: [1, 7, 63, 64, 65, 128]) func parts(size: Int) {
    for count in [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 127, 128, 129, 300] {
      let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      var (small, large) = (SHA256(), SHA512())
      for start in stride(from: 0, to: count, by: size) {
        let part = Array(message[start..<min(start + size, count)])
        small.update(part)
        large.update(part)
      }
      #expect(small.finish() == SHA256.hash(message))
      #expect(large.finish() == SHA512.hash(message))
    }
  }
}

@Suite struct Base64Tests {
  /// RFC 4648, section 10, and the last two characters of the alphabet.
  static let pairs: [Case<[UInt8], String>] = [
    Case("0", [], ""), Case("1", Array("f".utf8), "Zg=="), Case("2", Array("fo".utf8), "Zm8="),
    Case("3", Array("foo".utf8), "Zm9v"), Case("4", Array("foob".utf8), "Zm9vYg=="),
    Case("5", Array("fooba".utf8), "Zm9vYmE="), Case("6", Array("foobar".utf8), "Zm9vYmFy"),
    Case("all bits", [0xFB, 0xEF, 0xFF], "++//"),
  ]

  @Test(arguments: pairs) func bothWays(_ c: Case<[UInt8], String>) {
    #expect(Base64.encode(c.input) == c.expected)
    #expect(Base64.decode(c.expected) == c.input)
  }

  @Test func allBytes() {
    for count in 250...256 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  static let wrong = [
    "Z", "Zg", "Zg=", "Zg===", "Zm8", "Zm8==", "Zm9v=", "Zm9v====", "=", "====", "Z=g=", "Zg==Zg==", "Zh==", "Zm9=",
    "Zm9-",
    "Zm9_", "Zm9é", "Zm 9v", "Zm9v\n",
  ]

  @Test(arguments: wrong) func refused(_ text: String) {
    #expect(Base64.decode(text) == nil)
    var bytes: [UInt8] = [1, 2]
    #expect(!Array(text.utf8).withUnsafeBytes { Base64.decode($0, into: &bytes) })
    #expect(bytes == [1, 2], "what was there before stays alone")
  }

  @Test func whitespace() {
    #expect(Base64.decode(" Zm9v\r\n\tYm E\n=\n", skippingWhitespace: true) == Array("fooba".utf8))
    #expect(Base64.decode("Zm9v\u{A0}", skippingWhitespace: true) == nil)
  }
}

@Suite struct HexTests {
  @Test func bothWays() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Hex.encode([0x00, 0x0A, 0xFF]) == "000aff")
    #expect(Hex.decode(Hex.encode(bytes)) == bytes)
    #expect(Hex.decode("aBcD") == [0xAB, 0xCD])
    #expect(Hex.decode("") == [])
  }

  @Test(arguments: ["a", "abc", "0x", "g0", "0g", " 0", "é"]) func refused(_ text: String) {
    #expect(Hex.decode(text) == nil)
    var bytes: [UInt8] = [1]
    #expect(!Array("00\(text)".utf8).withUnsafeBytes { Hex.decode($0, into: &bytes) })
    #expect(bytes == [1])
  }
}
