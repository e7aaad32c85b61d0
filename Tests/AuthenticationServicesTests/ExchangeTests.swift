import Foundation
import Testing

@testable import AuthenticationServices

/// The payload of an exchange is written as, and read from, objects of the Credential Exchange Format 1.0; the documents
/// are in `Tests/Vectors/exchange`.
@Suite("Credential exchange")
struct ExchangeTests {
    private static let documents = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors/exchange")

    private static func document(_ name: String) throws -> Data {
        try Data(contentsOf: documents.appending(path: name))
    }

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }()

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    private func read<Value: Decodable>(_ text: String) throws -> Value {
        try Self.decoder.decode(Value.self, from: Data(text.utf8))
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try read(text)
    }

    private func written(_ value: some Encodable) throws -> String {
        String(decoding: try Self.encoder.encode(value), as: UTF8.self)
    }

    // MARK: Documents

    /// The document without what these types cannot carry, and without optional lists that are empty.
    private func carried(_ value: Any) -> Any {
        if let list = value as? [Any] {
            return list.filter { ($0 as? [String: Any])?["type"] as? String != "file" }.map(carried)
        }
        guard var members = value as? [String: Any] else { return value }
        for name in ["extensions", "credBlob", "payments"] { members[name] = nil }
        for name in ["tags", "subCollections"] where (members[name] as? [Any])?.isEmpty == true { members[name] = nil }
        if members["credentials"] is [Any], members["favorite"] == nil { members["favorite"] = false }
        return members.mapValues(carried)
    }

    @Test(arguments: ["generated-all-types.json", "generated-minimal.json", "spec-appendix-a-errata.json"])
    func aDocumentIsWrittenAsItWasRead(name: String) throws {
        let original = try Self.document(name)
        let data = try Self.decoder.decode(ASExportedCredentialData.self, from: original)
        let again = try Self.encoder.encode(data)
        #expect(try Self.decoder.decode(ASExportedCredentialData.self, from: again) == data)
        let wanted = carried(try JSONSerialization.jsonObject(with: original)) as? NSDictionary
        #expect(carried(try JSONSerialization.jsonObject(with: again)) as? NSDictionary == wanted)
    }

    @Test func anAccountAloneIsWrittenAsItWasRead() throws {
        let original = try Self.document("generated-account-level.json")
        let account = try Self.decoder.decode(ASImportableAccount.self, from: original)
        let again = try Self.encoder.encode(account)
        let wanted = carried(try JSONSerialization.jsonObject(with: original)) as? NSDictionary
        #expect(carried(try JSONSerialization.jsonObject(with: again)) as? NSDictionary == wanted)
    }

    @Test(arguments: ["generated-forward-compat.json", "generated-all-types.json"])
    func whatIsNotKnownCostsNoItem(name: String) throws {
        let original = try Self.document(name)
        let data = try Self.decoder.decode(ASExportedCredentialData.self, from: original)
        let accounts = (try JSONSerialization.jsonObject(with: original) as? [String: Any])?["accounts"] as? [Any]
        let items = (accounts ?? []).compactMap { ($0 as? [String: Any])?["items"] as? [Any] }
        #expect(!items.isEmpty && data.accounts.map(\.items.count) == items.map(\.count))
    }

    // MARK: Forward compatibility

    private static let item = #"{"id":"AA","title":"x","credentials":["#

    @Test func aKindThatIsNotKnownIsPassedOver() throws {
        let item: ASImportableItem = try read(
            Self.item + #"{"type":"retina"},{"type":"generated-password","password":"p"},"#
                + #"{"type":"totp","secret":"AA","period":30,"digits":6,"algorithm":"md5"}]}"#)
        #expect(item.credentials == [.generatedPassword(.init(password: "p"))])
        #expect(!item.favorite && item.tags.isEmpty && item.created == nil)
    }

    @Test(arguments: [
        #"{"type":"retina"}"#, "{}", #"{"type":"generated-password"}"#,
        #"{"type":"totp","secret":"AA","period":30,"digits":6,"algorithm":"md5"}"#,
        #"{"type":"totp","secret":"1","period":30,"digits":6,"algorithm":"sha1"}"#,
        #"{"type":"totp","secret":"AA","period":-1,"digits":6,"algorithm":"sha1"}"#,
        #"{"type":"ssh-key","keyType":"ssh-ed25519","privateKey":"a+b/"}"#,
    ])
    func aCredentialByItselfThatCannotBeReadIsAnError(text: String) {
        #expect(throws: DecodingError.self) { try read(ASImportableCredential.self, text) }
    }

    @Test func aBadValueOfAKnownKindFailsTheItem() {
        #expect(throws: DecodingError.self) {
            try read(ASImportableItem.self, Self.item + #"{"type":"generated-password"}]}"#)
        }
    }

    @Test func aFieldOfAnUnknownKindIsConcealed() throws {
        let field: ASImportableEditableField = try read(#"{"fieldType":"iris","value":"v"}"#)
        #expect(field == ASImportableEditableField(id: nil, fieldType: .concealedString, value: "v"))
    }

    @Test func seedsOfAnUnknownAlgorithmAreLeftOut() throws {
        let extensions: ASImportableFIDO2Extensions = try read(
            #"{"hmacCredentials":{"algorithm":"x","credWithUV":1},"largeBlob":{"uncompressedSize":1,"data":"AA"}}"#)
        #expect(extensions.hmacCredentials == nil)
        #expect(extensions.largeBlob == ASImportableFIDO2LargeBlob(uncompressedSize: 1, data: Data([0])))
    }

    private static func header(_ version: String) -> String {
        #"{"version":\#(version),"exporterRpId":"r","exporterDisplayName":"d","timestamp":1,"accounts":[]}"#
    }

    @Test func aHigherMinorVersionIsReadAndAnotherMajorOneRefused() throws {
        let data: ASExportedCredentialData = try read(Self.header(#"{"major":1,"minor":9}"#))
        #expect(data.formatVersion == .v1 && data.timestamp == Date(timeIntervalSince1970: 1))
        for version in [#"{"major":2,"minor":0}"#, #"{"major":0,"minor":0}"#, #""1.0""#] {
            #expect(throws: DecodingError.self) { try read(ASExportedCredentialData.self, Self.header(version)) }
        }
    }

    // MARK: Names and texts

    @Test func membersHaveTheNamesOfTheFormat() throws {
        let passkey = ASImportableCredential.passkey(
            .init(
                credentialID: Data([251, 255]), relyingPartyIdentifier: "r", userName: "u", userDisplayName: "",
                userHandle: Data(), key: Data([1])))
        let wanted =
            #"{"credentialId":"-_8","key":"AQ","rpId":"r","type":"passkey","userDisplayName":"","#
            + #""userHandle":"","username":"u"}"#
        #expect(try written(passkey) == wanted)
        let totp = ASImportableCredential.totp(
            .init(secret: Data("12345".utf8), period: 30, digits: 6, userName: nil, algorithm: .sha1, issuer: "i"))
        #expect(
            try written(totp)
                == #"{"algorithm":"sha1","digits":6,"issuer":"i","period":30,"secret":"GEZDGNBV","type":"totp"}"#)
    }

    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"),
    ])
    func base32IsThatOfTheRFC(bytes: String, text: String) {
        #expect(Base32.text(of: Data(bytes.utf8)) == text)
        let padded = text + String(repeating: "=", count: (8 - text.count % 8) % 8)
        for spelling in [text, padded, text.lowercased(), text.map { "\($0) " }.joined()] {
            #expect(Base32.bytes(of: spelling) == Data(bytes.utf8))
        }
    }

    @Test func nothingSecretIsShown() throws {
        let data = try Self.decoder.decode(
            ASExportedCredentialData.self, from: try Self.document("generated-all-types.json"))
        var shown = String(reflecting: data)
        dump(data, to: &shown)
        for credential in data.accounts.flatMap(\.items).flatMap(\.credentials) {
            switch credential {
            case .basicAuthentication(let login):
                #expect(!shown.contains(try #require(login.password).value))
            case .generatedPassword(let password): #expect(!shown.contains(password.password))
            case .totp(let totp): #expect(!shown.contains("\(Array(totp.secret))"))
            default: continue
            }
        }
        #expect(shown.contains("GeneratedPassword"))
    }

    // MARK: Not served yet

    @MainActor
    @Test func theExchangeEndsInTheErrorOfTheAPI() async throws {
        let exporter = ASCredentialExportManager(presentationAnchor: UIWindow())
        let data: ASExportedCredentialData = try read(Self.header(#"{"major":1,"minor":0}"#))
        #expect(await code { _ = try await exporter.requestExport() } == .credentialExport)
        #expect(await code { try await exporter.exportCredentials(data) } == .credentialExport)
        let importer = EnvironmentValues().credentialImportManager
        #expect(await code { _ = try await importer.importCredentials(token: UUID()) } == .credentialImport)
    }

    /// The code of the error that a call ends in, once it has been seen that the error says something to the person.
    @MainActor
    private func code(_ call: @MainActor () async throws -> Void) async -> ASAuthorizationError.Code? {
        do {
            try await call()
        } catch let error as ASAuthorizationError {
            #expect(error.localizedDescription.hasSuffix("."))
            return error.code
        } catch {}
        return nil
    }
}
