import CredentialExchange
import Foundation
import HybridEncryption
import KeywayCrypto
import SecretDocuments
import Testing
import ZipArchives

@testable import ExchangePackages

@Suite("answers to requests for an export")
struct ExchangeResponseTests {
    private let keys: RecipientKeys
    private let request: ExchangeRequest
    private let response: [UInt8]

    init() throws {
        let made = try ExchangeRequest.make(random: SystemRandomSource())
        keys = made.keys
        request = try Packages.request(made.text)
        response = try Packages.response(to: request)
    }

    @Test(arguments: ["generated-response-x25519-aes256", "generated-response-p256-aes128"])
    func whatWasGeneratedIsRead(name: String) throws {
        let document = try Packages.document(Packages.bytes(name), Packages.keys())
        let found = try JSONSerialization.jsonObject(with: Data(document)) as? NSDictionary
        let expected = try JSONSerialization.jsonObject(with: Data(Packages.bytes("\(name).expected"))) as? NSDictionary
        #expect(found != nil && found == expected)
    }

    @Test(arguments: 0..<2)
    func whatWasAnsweredIsReadByWhoAsked(index: Int) throws {
        let (text, keys) = try ExchangeRequest.make(random: SystemRandomSource())
        let request = try Packages.request(
            try Packages.changed(text) { request in
                request["hpke"] = [((request["hpke"] as? [Any]) ?? [])[index]]
            })
        let response = try Packages.response(to: request)
        #expect(try Packages.items(Packages.document(response, keys)) == Packages.items)
        // Nothing of it stands there, titles among them.
        #expect(response.firstRange(of: Array("Item".utf8)) == nil)
        #expect(response.firstRange(of: Array("AAA1".utf8)) == nil)
    }

    @Test func anotherRequestsKeysOpenNothing() throws {
        let other = try ExchangeRequest.make(random: SystemRandomSource()).keys
        #expect(Packages.failure { _ = try Packages.document(response, other) } == .otherKey)
    }

    @Test func anAnswerWithAnotherKeyOfOneUseOpensToNobody() throws {
        let other = try Packages.response(to: request)
        let changed = try Packages.changed(response) { object in
            object["hpke"] = (try? JSONSerialization.jsonObject(with: Data(other)) as? [String: Any])?["hpke"]
        }
        #expect(Packages.failure { _ = try Packages.document(changed, keys) } == .otherKey)
    }

    /// What the request didn't offer is refused, also where the keys would open it.
    @Test func aSuiteThatWasNotOfferedIsRefused() throws {
        let text = try ExchangeRequest.make(random: SystemRandomSource())
        let weaker = try Packages.request(
            try Packages.changed(text.text) { request in
                var suites = request["hpke"] as? [[String: Any]] ?? []
                suites[0]["aead"] = 1
                request["hpke"] = suites
            })
        let response = try Packages.response(to: weaker)
        #expect(Packages.failure { _ = try Packages.document(response, text.keys) } == .notOffered)
    }

    @Test(arguments: [
        ("version", 1 as any Sendable, ExchangePackageError.Code.unsupported), ("archive", "zstd", .unsupported),
        ("payload", "AA!", .damaged), ("payload", "", .damaged), ("payload", 7, .damaged),
    ])
    func anotherFormOfAnswerIsRefused(member: String, value: any Sendable, code: ExchangePackageError.Code) throws {
        let changed = try Packages.changed(response) { $0[member] = value }
        #expect(Packages.failure { _ = try Packages.document(changed, keys) } == code)
        let without = try Packages.changed(response) { $0[member] = nil }
        #expect(member == "version" || Packages.failure { _ = try Packages.document(without, keys) } != nil)
    }

    @Test(arguments: [("mode", "auth" as any Sendable), ("kem", 16), ("kdf", 3), ("aead", 1), ("aead", 0xFFFF)])
    func anotherAlgorithmThanTheOneThatWasUsedOpensNothing(member: String, value: any Sendable) throws {
        let changed = try Packages.changed(response) { object in
            var suite = object["hpke"] as? [String: Any] ?? [:]
            suite[member] = value
            object["hpke"] = suite
        }
        #expect(Packages.failure { _ = try Packages.document(changed, keys) } != nil)
    }

    @Test func whatIsChangedOnItsWayOpensToNobody() throws {
        let payload = try #require(
            (try JSONSerialization.jsonObject(with: Data(response)) as? [String: Any])?["payload"] as? String)
        let characters = Array(payload)
        for index in stride(from: 0, to: characters.count, by: max(characters.count / 300, 1)) {
            var changed = characters
            changed[index] = changed[index] == "A" ? "B" : "A"
            let answer = try Packages.changed(response) { $0["payload"] = String(changed) }
            // What lies between the files of an archive is no part of any.
            let document = try? Packages.document(answer, keys)
            #expect(try document.map { try Packages.items($0) == Packages.items } ?? true)
        }
    }

    @Test func anAnswerThatIsCutOffIsRefused() throws {
        for percent in 0..<100 {
            let part = Array(response[..<(response.count * percent / 100)])
            #expect(Packages.failure { _ = try Packages.document(part, keys) } != nil)
        }
    }

    // MARK: - Packages whose files are others

    /// An answer to our request whose files are these, encrypted as they should be.
    private func answer(_ index: String, _ files: [String: String], header: String? = nil) throws -> [UInt8] {
        let (context, encapsulation) = try HPKEContext.sender(
            request.suite, to: request.key, info: [], random: SystemRandomSource())
        let part = try SealedPart(context, request.suite.aead)
        let archive = try ZipWriter()
        for (name, text) in files.merging([ExchangeResponse.indexPath: index], uniquingKeysWith: { $1 }) {
            var sealed = try Array(text.utf8).withUnsafeBytes { try part.seal($0, random: SystemRandomSource()) }
            if let header {
                let dot = try #require(sealed.firstIndex(of: UInt8(ascii: ".")))
                sealed = Array(Array(header.utf8)[...].base64URL.utf8) + sealed[dot...]
            }
            try archive.add(name, sealed)
        }
        let payload = try archive.finish()
        return try Packages.changed(response) { object in
            object["payload"] = payload[...].base64URL
            var suite = object["hpke"] as? [String: Any] ?? [:]
            suite["key"] = ["kty": "OKP", "crv": "X25519", "x": encapsulation[...].base64URL]
            object["hpke"] = suite
        }
    }

    private static func index(
        _ documents: String,
        accounts: String = "[{\"id\":\"A\",\"username\":\"\",\"email\":\"\",\"collections\":[],\"items\":[]}]"
    ) -> String {
        "{\"header\":{\"version\":{\"major\":1,\"minor\":0},\"exporterRpId\":\"e\",\"exporterDisplayName\":\"E\",\"timestamp\":1,"
            + "\"accounts\":\(accounts)},\"documents\":[\(documents)]}"
    }
    private static let one = "{\"path\":\"a\",\"account\":\"A\",\"item\":\"one\"}"
    private static let two = "{\"path\":\"b\",\"account\":\"A\",\"item\":\"two\"}"
    private static let files = [
        "a": "{\"id\":\"one\",\"title\":\"One\",\"credentials\":[]}",
        "b": "{\"id\":\"two\",\"title\":\"Two\",\"credentials\":[]}",
    ]

    @Test func theFilesOfTheIndexAreRead() throws {
        let answer = try answer(Self.index("\(Self.one),\(Self.two)"), Self.files)
        #expect(try Packages.items(Packages.document(answer, keys)).map(\.title) == ["One", "Two"])
    }

    @Test func filesThatChangedTheirPlacesAreNoticed() throws {
        let answer = try answer(
            Self.index("\(Self.one),\(Self.two)"), ["a": Self.files["b"] ?? "", "b": Self.files["a"] ?? ""])
        #expect(Packages.failure { _ = try Packages.document(answer, keys) } == .damaged)
    }

    @Test(arguments: [
        index("\(one),\(one)"), index("\(one),{\"path\":\"c\",\"account\":\"A\",\"item\":\"c\"}"),
        index("{\"path\":\"a\",\"account\":\"B\",\"item\":\"one\"}"), index("7"), index(one, accounts: "[7]"), "[]",
        "{\"header\":{}}", "{\"documents\":[]}", "{\"header\":{},\"documents\":{}}", "no JSON",
    ])
    func anIndexThatIsNotThatOfThePackageIsRefused(index: String) throws {
        let answer = try answer(index, Self.files)
        #expect(Packages.failure { _ = try Packages.document(answer, keys) } == .damaged)
    }

    @Test(arguments: [
        "{\"alg\":\"none\",\"enc\":\"A256GCM\"}", "{\"alg\":\"dir\",\"enc\":\"A128GCM\"}",
        "{\"alg\":\"dir\",\"enc\":\"A256GCM\",\"zip\":\"DEF\"}", "{\"alg\":\"dir\",\"enc\":\"A256GCM\",\"crit\":[]}",
    ])
    func aFileThatIsEncryptedInAnotherWayIsRefused(header: String) throws {
        let answer = try answer(Self.index(Self.one), Self.files, header: header)
        #expect(Packages.failure { _ = try Packages.document(answer, keys) } == .notOffered)
    }

    @Test func aFileThatIsNoneIsRefused() throws {
        let (context, _) = try HPKEContext.sender(
            request.suite, to: request.key, info: [], random: SystemRandomSource())
        let part = try SealedPart(context, request.suite.aead)
        let sealed = try [UInt8(1)].withUnsafeBytes { try part.seal($0, random: SystemRandomSource()) }
        for count in 0..<sealed.count {
            #expect(Packages.failure { _ = try sealed[..<count].withUnsafeBytes { try part.open($0) } } != nil)
        }
        #expect(Packages.failure { _ = try (sealed + [0x2E]).withUnsafeBytes { try part.open($0) } } == .damaged)
        #expect(try sealed.withUnsafeBytes { try part.open($0) } == SecretBytes(copying: [1]))
    }
}
