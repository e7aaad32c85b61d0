import AuthenticationServices
import Foundation
import KeywayCrypto
import SecretDocuments
import Testing

@testable import CredentialExchange

/// What one manager hands to another is read by Apple's types, which know no leniency: each document here is written as it is
/// handed over, and then read by them.
@Suite("Documents that are handed to another manager")
struct HandoverTests {
    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }()

    private func received(_ bytes: [UInt8]) throws -> (data: ASExportedCredentialData, losses: [[String]]) {
        var (result, losses) = ([UInt8](), [[String]]())
        try bytes.withUnsafeBytes { bytes in
            let document = try ExchangeReader(bytes)
            let header =
                document.header
                ?? ExchangeHeader(exporter: "example.org", displayName: "Example", timestamp: 1_700_000_000)
            let writer = ExchangeWriter<Never>(header) { result += $0 }
            for account in document.accounts {
                writer.begin(account.account)
                var items = document.items(of: account)
                while let item = try items.next() {
                    let handed = HandedItem(item)
                    losses.append(handed.losses)
                    writer.add(handed.item)
                }
                writer.endAccount()
            }
            writer.end()
        }
        return (try Self.decoder.decode(ASExportedCredentialData.self, from: Data(result)), losses)
    }

    /// A document with one item.
    private func received(item: String) throws -> (item: ASImportableItem, losses: [String]) {
        let text = """
            {"version":{"major":1,"minor":0},"exporterRpId":"a","exporterDisplayName":"A","timestamp":1700000000,\
            "accounts":[{"id":"AA","username":"","email":"","collections":[],"items":[\(item)]}]}
            """
        let (data, losses) = try received(Array(text.utf8))
        return (try #require(data.accounts.first?.items.first), losses.flatMap { $0 })
    }

    private func received(credential: String) throws -> (ASImportableItem, [String]) {
        try received(item: #"{"id":"AA","title":"x","credentials":[\#(credential)]}"#)
    }

    // MARK: - Documents

    @Test(arguments: ["generated-all-types", "generated-minimal", "spec-appendix-a-errata"])
    func whatBothHavePlacesForArrivesUnchanged(name: String) throws {
        let bytes = try Documents.bytes(name)
        let directly = try Self.decoder.decode(ASExportedCredentialData.self, from: Data(bytes))
        #expect(try received(bytes).data == directly)
    }

    @Test(arguments: Documents.names)
    func everyDocumentIsReadAndEveryLossIsTold(name: String) throws {
        let bytes = try Documents.bytes(name)
        let (data, losses) = try received(bytes)
        let originals = try items(bytes)
        let arrived = data.accounts.flatMap(\.items)
        #expect(arrived.count == originals.count && losses.count == originals.count)
        for ((original, item), losses) in zip(zip(originals, arrived), losses)
        where item.credentials.count < original.credentials.count {
            #expect(!losses.isEmpty, "“\(original.title)” lost something silently")
        }
    }

    @Test(.enabled(if: Documents.othersAreHere), arguments: Documents.othersNames)
    func whatOtherProgramsWroteIsRead(name: String) throws {
        let bytes = try Documents.bytes(name, in: Documents.others)
        #expect(try received(bytes).data.accounts.flatMap(\.items).count == items(bytes).count)
    }

    @Test(arguments: Documents.names)
    func whatIsHandedOverIsHandedOnUnchanged(name: String) throws {
        for item in try items(try Documents.bytes(name)) {
            let handed = HandedItem(item).item
            #expect(HandedItem(handed).item == handed && HandedItem(handed).losses.isEmpty)
        }
    }

    // MARK: - What has no place

    @Test(
        "a credential without a place is told, and the others arrive",
        arguments: [
            (#"{"type":"file","id":"AA","name":"a","decryptedSize":1,"integrityHash":"AA"}"#, "what is in a file"),
            (#"{"type":"hologram","shape":"x"}"#, "don't know the kind"),
            (#"{"type":"totp","secret":"GEZDGNBV","period":30,"digits":6,"algorithm":"md5"}"#, "codes"),
            (#"{"type":"totp","secret":"1!","period":30,"digits":6,"algorithm":"sha1"}"#, "codes"),
            (#"{"type":"totp","secret":"GEZDGNBV","period":70000,"digits":6,"algorithm":"sha1"}"#, "codes"),
            (#"{"type":"ssh-key","keyType":"ssh-ed25519"}"#, "ssh-key"),
        ])
    func withoutPlace(credential: String, told: String) throws {
        let note = #"{"type":"note","content":{"fieldType":"string","value":"kept"}}"#
        let (item, losses) = try received(credential: "\(credential),\(note)")
        #expect(item.credentials.count == 1)
        #expect(losses.count == 1 && losses[0].contains(told))
    }

    @Test(
        "parts without a place are named",
        arguments: [
            (#"{"id":"AA","title":"x","credentials":[],"extensions":[{"name":"org.example/x"}]}"#, "org.example/x"),
            (#"{"id":"AA","title":"x","credentials":[],"colour":"red"}"#, "colour"),
            (
                #"{"id":"AA","title":"x","credentials":[],"extensions":[{"name":"keyway.org/import","http":true}]}"#,
                "HTTP"
            ),
            (#"{"id":"AA","title":"x","credentials":[{"type":"basic-auth","realm":"x"}]}"#, "realm (basic-auth)"),
            (#"{"id":"AA","title":"x","credentials":[],"scope":{"urls":["http://["],"androidApps":[]}}"#, "addresses"),
        ])
    func parts(item: String, told: String) throws {
        let losses = try received(item: item).losses
        #expect(losses.count == 1 && losses[0].contains(told))
    }

    @Test func aPasskeyKeepsItsSecretsAndSaysWhatItLoses() throws {
        let passkey = """
            {"type":"passkey","credentialId":"AQID","rpId":"example.com","username":"ada","userDisplayName":"",\
            "userHandle":"BA==","key":"BQ","fido2Extensions":{"hmacSecret":{"algorithm":"hmac-sha256","credWithUV":"AQ",\
            "credWithoutUV":"Ag"},"largeBlob":{"uncompressedSize":1,"data":"Aw"},"credBlob":"AA","payments":true}}
            """
        let (item, losses) = try received(credential: passkey)
        guard case .passkey(let arrived) = item.credentials.first else { throw CancellationError() }
        #expect(arrived.userHandle == Data([4]) && arrived.key == Data([5]))
        #expect(arrived.fido2Extensions?.hmacCredentials?.credentialWithoutUV == Data([2]))
        #expect(arrived.fido2Extensions?.largeBlob?.data == Data([3]))
        #expect(losses.count == 1 && losses[0].contains("credBlob (passkey), payments (passkey)"))
    }

    @Test func whatIsUsualOfACodeIsWritten() throws {
        let (item, losses) = try received(credential: #"{"type":"totp","secret":"GEZDGNBV","algorithm":"SHA-256"}"#)
        guard case .totp(let code) = item.credentials.first else { throw CancellationError() }
        #expect(code.algorithm == .sha256 && code.period == 30 && code.digits == 6 && losses.isEmpty)
    }

    @Test func aFieldOfAnotherKindIsHiddenText() throws {
        let (item, _) = try received(
            credential: #"{"type":"custom-fields","fields":[{"fieldType":"colour","value":"red","label":"a"}]}"#)
        guard case .customFields(let fields) = item.credentials.first else { throw CancellationError() }
        #expect(fields.fields.map(\.fieldType) == [.concealedString] && fields.fields.map(\.value) == ["red"])
    }

    @Test(
        "an identifier that is none becomes one, the same for what refers to it",
        arguments: ["not base64!", "", String(repeating: "A", count: 100)])
    func identifiers(id: String) throws {
        let reference = #"{"type":"item-reference","reference":{"item":"\#(id)"}}"#
        let (item, _) = try received(item: #"{"id":"\#(id)","title":"x","credentials":[\#(reference)]}"#)
        guard case .itemReference(let link) = item.credentials.first else { throw CancellationError() }
        #expect(link.reference.item == item.id && (1...64).contains(item.id.count))
    }
}
