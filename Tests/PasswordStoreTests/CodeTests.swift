import Testing

@testable import PasswordStore

@Suite("One-time codes")
struct CodeTests {
    private func link(_ text: String) throws -> CodeLink {
        let bytes = SecretBuffer(text.utf8)
        return try CodeLink(bytes, at: 0..<bytes.count)
    }

    /// The secrets of RFC 6238, appendix B (erratum 2866): as many digits as the hash has bytes.
    private static func secret(_ algorithm: MessageCode) -> String {
        let count = [MessageCode.sha1: 20, .sha256: 32, .sha512: 64][algorithm] ?? 0
        return encode((0..<count).map { UInt8(ascii: "0") + UInt8(($0 + 1) % 10) })
    }

    /// Base32, the other way round.
    private static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        return String(
            stride(from: 0, to: bits.count, by: 5).map { start in
                alphabet[(0..<5).reduce(0) { $0 << 1 | (start + $1 < bits.count ? Int(bits[start + $1]) : 0) }]
            })
    }

    @Test(
        "RFC 6238, appendix B",
        arguments: [
            (59, ["94287082", "46119246", "90693936"]), (1_111_111_109, ["07081804", "68084774", "25091201"]),
            (1_111_111_111, ["14050471", "67062674", "99943326"]),
            (1_234_567_890, ["89005924", "91819424", "93441116"]),
            (2_000_000_000, ["69279037", "90698825", "38618901"]),
            (20_000_000_000, ["65353130", "77737706", "47863826"]),
        ])
    func times(seconds: Int, codes: [String]) throws {
        for (algorithm, code) in zip(MessageCode.allCases, codes) {
            let link = try link(
                "otpauth://totp/x?secret=\(Self.secret(algorithm))&algorithm=\(algorithm.rawValue)&digits=8")
            #expect(try link.code(at: UInt64(seconds)) == code)
        }
    }

    @Test("RFC 4226, appendix D")
    func counters() throws {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        let link = try link("otpauth://hotp/x?secret=\(Self.secret(.sha1))&counter=0")
        for (counter, code) in codes.enumerated() { #expect(try link.code(for: UInt64(counter)) == code) }
        #expect(try link.code(at: 0) == codes[1], "the counter is that of the last code")
    }

    @Test(
        "secrets as people copy them",
        arguments: [
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "gezdgnbvgy3tqojqgezdgnbvgy3tqojq",
            "GEZD%20GNBV-GY3TQOJQGEZDGNBVGY3TQOJQ",
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ%3D%3D", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ==",
        ])
    func secrets(secret: String) throws {
        #expect(try link("otpauth://totp/x?secret=\(secret)").code(at: 59) == "287082")
    }

    @Test("a period, and defaults")
    func period() throws {
        let secret = Self.secret(.sha1)
        #expect(try link("otpauth://totp/x?period=60&secret=\(secret)").code(at: 119) == "287082")
        #expect(try link("otpauth://totp?secret=\(secret)&issuer=Example").code(at: 30) == "287082")
    }

    @Test(
        "no wrong code where a link is not understood",
        arguments: [
            "otpauth://totp/x", "otpauth://totp/x?secret=", "otpauth://totp/x?secret=1189",
            "otpauth://steam/x?secret=GEZDGNBV",
            "otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5", "otpauth://totp/x?secret=GEZDGNBV&digits=5",
            "otpauth://totp/x?secret=GEZDGNBV&digits=10", "otpauth://totp/x?secret=GEZDGNBV&period=0",
            "otpauth://totp/x?secret=GEZDGNBV&period=-1", "otpauth://hotp/x?secret=GEZDGNBV",
            "otpauth://hotp/x?secret=GEZDGNBV&counter=x",
            "otpauth://hotp/x?secret=GEZDGNBV&counter=18446744073709551615",
            "https://example.com?secret=GEZDGNBV",
        ])
    func refused(text: String) {
        #expect(throws: StoreError.self) { try link(text) }
    }

    @Test("the counter's digits are known by their place")
    func place() throws {
        let text = "pw\nuser: ada\notpauth://hotp/x?counter=9&secret=GEZDGNBV\nlast"
        let contents = EntryContents(SecretBuffer(text.utf8))
        let link = try CodeLink(contents.bytes, at: try #require(contents.link))
        guard case .counter(9, let place) = link.kind else { return #expect(Bool(false)) }
        let changed = contents.replacing(place, with: "10")
        #expect(changed.text(0..<changed.count) == text.replacing("counter=9", with: "counter=10"))
    }
}
