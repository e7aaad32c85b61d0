import KeywayCrypto
import Testing

@testable import KeePassDatabases

/// The five kinds of key files, and what is none.
@Suite("key files")
struct KeyFileTests {
    private static let key = Array(UInt8(0)..<32)
    private static let hexadecimal = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

    private func read(_ text: String) throws -> SecretBytes {
        try KeyFile.key(of: SecretBytes(copyingUTF8Of: text))
    }

    private static func document(_ version: String, _ data: String, hash: String? = nil) -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <KeyFile><Meta><Version>\(version)</Version></Meta>
        <Key><Data\(hash.map { " Hash=\"\($0)\"" } ?? "")>\(data)</Data></Key></KeyFile>
        """
    }

    // The hash is the first four bytes of SHA-256 over the bytes 0 to 31.
    @Test(arguments: [
        hexadecimal, hexadecimal.uppercased(),
        document("1.00", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        document("1.0", "\n  AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"),
        document("2.0", hexadecimal), document("2.0", hexadecimal, hash: "630DCD29"),
        document(
            "2.0",
            "\n    00010203 04050607 08090A0B 0C0D0E0F\n    10111213 14151617 18191A1B 1C1D1E1F\n    ", hash: "630dcd29"
        ),
    ])
    func theKeyIsThatOfTheFile(text: String) throws {
        #expect(try read(text) == SecretBytes(copying: Self.key))
    }

    @Test func thirtyTwoBytesAreTheKey() throws {
        #expect(try KeyFile.key(of: SecretBytes(copying: Self.key)) == SecretBytes(copying: Self.key))
    }

    @Test(arguments: ["", "any text", hexadecimal + "00", String(repeating: "g", count: 64), "<html/>", "<KeyFile>"])
    func theKeyOfAnyOtherFileIsItsHash(text: String) throws {
        #expect(try read(text) == SecretBytes(copying: Digest.sha256(Array(text.utf8))))
    }

    @Test(arguments: [
        (document("2.0", hexadecimal, hash: "630DCD28"), KeePassError.Code.damagedKeyFile),
        (document("2.0", hexadecimal, hash: "xyz"), .damagedKeyFile), (document("2.0", "0011"), .damagedKeyFile),
        (document("1.00", "AAEC"), .damagedKeyFile), (document("1.00", "!"), .damagedKeyFile),
        ("<KeyFile><Meta><Version>2.0</Version></Meta></KeyFile>", .damagedKeyFile),
        (document("3.0", hexadecimal), .unsupported),
    ])
    func aDamagedKeyFileIsRefused(text: String, code: KeePassError.Code) {
        let error = #expect(throws: KeePassError.self) { try read(text) }
        #expect(error?.code == code)
    }

    @Test func neitherPasswordNorFileIsNoKey() throws {
        #expect(try KeePassKey(password: nil, keyFile: nil) == nil)
    }

    @Test func aPasswordOfNoCharactersIsAnotherThanNone() throws {
        let file = SecretBytes(copying: Self.key)
        let alone = try #require(try KeePassKey(password: nil, keyFile: file))
        let both = try #require(try KeePassKey(password: SecretBytes(copying: [UInt8]()), keyFile: file))
        #expect(alone.composite != both.composite)
    }
}
