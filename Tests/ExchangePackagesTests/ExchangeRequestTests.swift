import HybridEncryption
import KeywayCrypto
import Testing

@testable import ExchangePackages

@Suite("requests for an export")
struct ExchangeRequestTests {
    private func failure(_ name: String = "generated-request", _ change: (inout [String: Any]) -> Void) throws
        -> ExchangePackageError.Code?
    {
        let bytes = try Packages.changed(Packages.bytes(name), change)
        return Packages.failure { _ = try Packages.request(bytes) }
    }

    @Test(arguments: [
        "generated-request", "generated-request-bitwarden-shape", "generated-request-unknown-values",
    ])
    func whatIsKnownOfARequestIsUsed(name: String) throws {
        let request = try Packages.request(Packages.bytes(name))
        #expect(request.suite == HPKESuite(.x25519, .sha256, .aes256))
        #expect(request.importer == "importer.example")
        #expect(request.types?.contains("basic-auth") == true && !request.wantsAccountsAlone)
        #expect(request.extensions?.first == "shared")
        #expect(request.key.encoded == (try Packages.keys().key(for: .x25519))?.publicKey.encoded)
    }

    @Test func theFirstSuiteThatIsKnownIsTaken() throws {
        let bytes = try Packages.changed(Packages.bytes("generated-request")) { request in
            request["hpke"] = ((request["hpke"] as? [Any]) ?? []).reversed() as [Any]
        }
        #expect(try Packages.request(bytes).suite == HPKESuite(.p256, .sha256, .aes128))
    }

    @Test func whatIsMissingIsAllOfIt() throws {
        let bytes = try Packages.changed(Packages.bytes("generated-request")) { request in
            for name in ["version", "archive", "mode", "credentialTypes", "knownExtensions"] { request[name] = nil }
        }
        let request = try Packages.request(bytes)
        #expect(request.types == nil && request.extensions == nil && !request.wantsAccountsAlone)
    }

    @Test(arguments: [
        ("mode", "psk" as any Sendable), ("kem", 0x11), ("kdf", 9), ("aead", 3), ("aead", 0xFFFF), ("kem", "32x"),
    ])
    func noOtherSuiteIsAnswered(member: String, value: any Sendable) throws {
        let code = try failure { request in
            var suite = (request["hpke"] as? [[String: Any]])?.first ?? [:]
            suite[member] = value
            request["hpke"] = [suite]
        }
        #expect(code == .unsupported)
    }

    @Test func otherVersionsAndPackingsAreRefused() throws {
        #expect(try failure { $0["version"] = 1 } == .unsupported)
        #expect(try failure { $0["archive"] = ["zstd"] } == .unsupported)
        #expect(try failure { $0["archive"] = [] as [String] } == .unsupported)
        #expect(try failure { $0["hpke"] = [] as [Int] } == .damaged)
        #expect(try failure { $0["hpke"] = nil } == .damaged)
        #expect(try failure { $0["payload"] = "AA" } == .damaged)
        #expect(try failure { $0["importer"] = String(repeating: "a", count: 254) } == .damaged)
        #expect(try failure { $0["hpke"] = [[String: String]](repeating: [:], count: 101) } == .tooLarge)
    }

    /// Keys that are none, and keys that everybody has.
    @Test(arguments: [
        ["x": "AA"], ["crv": "P-256"], ["kty": "EC"], ["x": "not base64!"], ["d": "AA"],
        ["d": "ecQSH8YIV9_-_HS5mcyF8ZCsRsi833KOcP5szoYeM-Y"],
    ])
    func aRequestWithoutAKeyOfItsOwnIsRefused(members: [String: String]) throws {
        let code = try failure { request in
            var suites = request["hpke"] as? [[String: Any]] ?? []
            var key = suites[0]["key"] as? [String: Any] ?? [:]
            for (name, value) in members { key[name] = value }
            suites[0]["key"] = key
            request["hpke"] = suites
        }
        #expect(code == .damaged)
    }

    @Test func nothingIsEncryptedForAKeyWithWhichEverybodyWouldKnowTheSecret() throws {
        let bytes = try Packages.changed(Packages.bytes("generated-request")) { request in
            var suites = request["hpke"] as? [[String: Any]] ?? []
            suites[0]["key"] = ["kty": "OKP", "crv": "X25519", "x": String(repeating: "A", count: 43)]
            request["hpke"] = suites
        }
        let request = try Packages.request(bytes)
        #expect(Packages.failure { _ = try Packages.response(to: request) } == .damaged)
    }

    @Test func ourRequestsHaveFreshKeysAndNoneOfThemPrivate() throws {
        let (one, keys) = try ExchangeRequest.make(random: SystemRandomSource())
        let (other, _) = try ExchangeRequest.make(random: SystemRandomSource())
        let (request, another) = (try Packages.request(one), try Packages.request(other))
        #expect(request.suite == HPKESuite(.x25519, .sha256, .aes256) && request.types == nil)
        #expect(request.key.encoded != another.key.encoded)
        #expect(keys.key(for: .x25519)?.publicKey.encoded == request.key.encoded)
        #expect(!String(decoding: one, as: UTF8.self).contains("\"d\""))
        #expect(try RecipientKeys(keys.text).text == keys.text)
    }

    @Test func aRequestThatIsCutOffIsRefused() throws {
        let bytes = try Packages.bytes("generated-request")
        for count in 0..<bytes.count - 2 {
            #expect(Packages.failure { _ = try Packages.request(Array(bytes[..<count])) } != nil)
        }
        #expect(
            Packages.failure { _ = try Packages.request([UInt8](repeating: 0x20, count: (1 << 16) + 1)) } == .tooLarge)
    }
}
