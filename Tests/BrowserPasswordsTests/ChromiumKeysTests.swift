import KeywayCrypto
import Testing

@testable import BrowserPasswords

@Suite("keys of Chromium's family") struct ChromiumKeysTests {
    /// `päss wörd 1`, as Chromium 156 wrote it: with the fixed key, and with one of the login keyring.
    private static let fixed = "v10B0EA8E5DFBC58156E6FAF2B01CC34BDA"
    private static let ofKeyring = "v11CBEC25440EE7491E0035BDBAC0397859"
    private static let line = "qRTzx3bCeD8XSzoYSAi7bw=="

    private func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8.dropFirst(3))
        return Array(text.utf8.prefix(3))
            + stride(from: 0, to: digits.count, by: 2).map {
                UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
            }
    }

    private func open(_ value: [UInt8], _ lines: String = "") throws -> String {
        let keys = ChromiumKeys(lines: lines.isEmpty ? nil : SecretBytes(copying: Array(lines.utf8)))
        return try value.withUnsafeBytes { try keys.open($0) }.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theFixedKeyOpensWhatItEncrypted() throws {
        #expect(try open(bytes(Self.fixed)) == "päss wörd 1")
    }

    @Test(arguments: [line, "another\n\(line)\n", "\(line)\nanother"]) func theKeyOfTheKeyringThatFitsIsFound(
        lines: String
    ) throws {
        #expect(try open(bytes(Self.ofKeyring), lines) == "päss wörd 1")
    }

    @Test func whatLiesInTheKeyringIsToldFromDamage() {
        #expect(throws: ChromiumKeys.Obstacle.keyInKeyring) { try open(bytes(Self.ofKeyring)) }
        #expect(throws: ChromiumKeys.Obstacle.damaged) { try open(bytes(Self.ofKeyring), "another") }
        #expect(throws: ChromiumKeys.Obstacle.unknownWay) {
            try open(Array("v12".utf8) + [UInt8](repeating: 0, count: 32))
        }
    }

    @Test func whatWasNeverEncryptedIsText() throws {
        #expect(try open(Array("geheim".utf8)) == "geheim")
        #expect(throws: ChromiumKeys.Obstacle.damaged) { try open([0xFF, 0xFE, 0xFD, 0xFC]) }
    }

    @Test(arguments: 3..<19) func aTruncatedValueIsDamaged(count: Int) {
        #expect(throws: ChromiumKeys.Obstacle.damaged) { try open(Array(bytes(Self.fixed).prefix(count))) }
    }

    @Test func aFlippedBitNeverGivesBytesThatAreNoText() throws {
        let whole = bytes(Self.fixed)
        for index in 3..<whole.count {
            for bit in 0..<8 {
                var changed = whole
                changed[index] ^= 1 << bit
                if let text = try? open(changed) { #expect(!text.contains("\u{FFFD}") && !text.contains("\0")) }
            }
        }
    }
}
