import FoundationEssentials
import KeywayCrypto
import Testing

@testable import VaultExchange

/// Raw DEFLATE (RFC 1951), packed by zlib 1.2.13 with `zlib.compressobj(level, zlib.DEFLATED, -15, strategy=…)`.
@Suite struct DeflateTests {
    private static let vectors: [(packed: String, count: Int)] = [
        ("AwA", 0),
        ("C8lIVSgszUzOVgAA", 10),
        (
            "AWQAm_9UaGUgcXVpY2sgYnJvd24gZm94IGp1bXBzIG92ZXIgdGhlIGxhenkgZG9nLiBUaGUgcXVpY2sgYnJvd24gZm94IGp1bXBzIG92ZXIgdGhlIGxhenkgZG9nLiBUaGUgcXVpY2sg",
            100
        ),
        ("C8lIVSgszUzOVkgqyi_PU0jLr1DIKs0tKFbIL0stUijJSFXISayqVEjJT9dTAAA", 45),
        ("C8lIVSgszUzOVkgqyi_PU0jLr1DIKs0tKFbIL0stUigBSuckVlUqpOSn6ymEjCoeVTyqeFTxqOJRxcNLMQA", 1800),
        (
            "BcGJAYAgDACxVW4Cp2EBnyo-UKkW0elNQhSKr-POYPpkZm1sns4LrWLcUTj672XSpSNEofg67gymT2bWxubpvNAqxh2Fo_9eJl06QhSKr-POYPpkZm1sns4LrWLcUTj672XSpSNEofg67gymT2bWxubpvNAqxh2Fo_9eJl06QhSKr-POYPpkZm1sns4LrWLcUTj672XSpSNEofg67gymT2bWxubpvNAqxh2Fo_9eJl06QhSKr-POYPpkZm1sns4LrWI_",
            300
        ),
    ]

    private static let bomb =
        "7cExAQAAAMKg9U9tCF-gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-Aw"

    private func unpack(_ base64: String, limit: Int = 16_384) -> String? {
        text(SecretBytes(base64: secret(base64)).flatMap { Deflate.unpack($0, limit: limit) })
    }

    @Test(arguments: vectors)
    func readsEveryKindOfBlock(packed: String, count: Int) {
        let expected = String(
            String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 40).prefix(count))
        #expect(unpack(packed) == expected)
    }

    @Test func whatWasPackedIsReadAgain() {
        for count in [0, 1, 100, 65_535, 65_536, 200_000] {
            let bytes = SecretBytes(copying: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            #expect(Deflate.unpack(Deflate.pack(bytes), limit: count) == bytes)
            if count > 0 { #expect(Deflate.unpack(Deflate.pack(bytes), limit: count - 1) == nil) }
        }
    }

    @Test func nothingIsUnpackedBeyondItsLimit() {
        // A bomb: 1 MiB of zeros.
        #expect(unpack(Self.bomb) == nil)
    }

    @Test(arguments: vectors)
    func whatIsCutOrFollowedBySomethingIsNone(packed: String, count: Int) throws {
        let whole = try #require(SecretBytes(base64: secret(packed))).array
        for end in whole.indices {
            #expect(Deflate.unpack(SecretBytes(copying: Array(whole[..<end])), limit: 1 << 20) == nil)
        }
        #expect(Deflate.unpack(SecretBytes(copying: whole + [0]), limit: 1 << 20) == nil)
    }

    @Test func bentBytesAreReadOrRefused() throws {
        for (packed, _) in Self.vectors {
            let whole = try #require(SecretBytes(base64: secret(packed))).array
            for index in whole.indices {
                for bit in 0..<8 {
                    var bent = whole
                    bent[index] ^= 1 << bit
                    #expect((Deflate.unpack(SecretBytes(copying: bent), limit: 4096)?.count ?? 0) <= 4096)
                }
            }
        }
    }
}
