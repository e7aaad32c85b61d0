import KeywayCrypto
import SecretDocuments
import Testing

@testable import CredentialExchange

@Suite("documents of the Credential Exchange Format")
struct ExchangeDocumentTests {
    @Test(arguments: Documents.names)
    func whatIsReadIsWrittenUnchanged(name: String) throws {
        let bytes = try Documents.bytes(name)
        #expect(try normalized(copy(bytes)) == normalized(bytes))
    }

    @Test(.enabled(if: Documents.othersAreHere), arguments: Documents.othersNames)
    func whatOtherProgramsWroteIsWrittenUnchanged(name: String) throws {
        let bytes = try Documents.bytes(name, in: Documents.others)
        #expect(try normalized(copy(bytes)) == normalized(bytes))
    }

    @Test func everyCredentialOfTheSpecificationsExampleHasItsForm() throws {
        for item in try items(Documents.bytes("spec-appendix-a-errata")) {
            for credential in item.credentials { try credential.check() }
        }
    }

    @Test(.enabled(if: Documents.othersAreHere))
    func everyCredentialOfARealDocumentHasItsForm() throws {
        for item in try items(Documents.bytes("real-1password-account", in: Documents.others)) {
            for credential in item.credentials { try credential.check() }
        }
    }

    @Test func everyTypeOfCredentialIsKnown() throws {
        let found = try items(Documents.bytes("generated-all-types")).flatMap(\.credentials)
        for credential in found { try credential.check() }
        #expect(Set(found.map(\.type)) == Set(ExchangeSchema.members.keys))
    }

    @Test func aDocumentHasItsHeaderAndItsAccounts() throws {
        try Documents.bytes("generated-all-types").withUnsafeBytes { bytes in
            let document = try ExchangeReader(bytes)
            #expect(document.header?.major == 1)
            #expect(document.accounts.count == 2)
            #expect(document.header?.exporter.isEmpty == false)
        }
        try Documents.bytes("generated-account-level").withUnsafeBytes { bytes in
            let document = try ExchangeReader(bytes)
            #expect(document.header == nil)
            #expect(document.accounts.map(\.account.userName) == ["ada"])
            #expect(document.accounts.map(\.itemCount) == [2])
        }
    }

    @Test func aHigherMinorVersionIsRead() throws {
        let minor = try Documents.bytes("generated-forward-compat").withUnsafeBytes {
            try ExchangeReader($0).header?.minor
        }
        #expect(minor == 7)
    }

    @Test(arguments: [
        ("{\"version\":{\"major\":2,\"minor\":0},\"accounts\":[]}", ExchangeError.Code.unknownVersion),
        ("{\"version\":{\"major\":0,\"minor\":1},\"accounts\":[]}", .unknownVersion),
        ("{\"accounts\":[]}", .notExchange),
        ("{\"accounts\":[{\"id\":\"AA\"}],\"version\":{\"major\":1}}", .notExchange),
        ("[]", .notExchange), ("{\"items\":[]}", .notExchange),
        ("{\"version\":{\"major\":1},\"accounts\":[", .unreadable),
        ("{\"version\":{\"major\":1},\"accounts\":[[]]}", .notExchange), ("nonsense", .unreadable),
    ])
    func whatIsNoDocumentOfAKnownVersionIsRefused(text: String, code: ExchangeError.Code) {
        #expect {
            try Array(text.utf8).withUnsafeBytes { _ = try ExchangeReader($0) }
        } throws: { ($0 as? ExchangeError)?.code == code }
    }

    @Test func versionsOfDraftsAreRead() throws {
        let text = "{\"version\":{\"major\":0,\"minor\":0},\"accounts\":[]}"
        let count = try Array(text.utf8).withUnsafeBytes { try ExchangeReader($0).accounts.count }
        #expect(count == 0)
    }

    @Test func nothingOfADamagedDocumentIsHandedOut() throws {
        let bytes = try Documents.bytes("generated-all-types")
        for percent in 0..<100 {
            let part = Array(bytes[..<(bytes.count * percent / 100)])
            #expect(throws: ExchangeError.self) { try part.withUnsafeBytes { _ = try ExchangeReader($0) } }
        }
    }

    @Test(arguments: Documents.names)
    func noFlippedBitCrashesTheReader(name: String) throws {
        var bytes = try Documents.bytes(name)
        for index in stride(from: 0, to: bytes.count, by: 1 + bytes.count / 300) {
            let bit = UInt8(1) << UInt8(index % 8)
            bytes[index] ^= bit
            for item in (try? items(bytes)) ?? [] {
                for credential in item.credentials {
                    try? credential.check()
                    _ = try? ExchangePasskey(credential)
                }
            }
            bytes[index] ^= bit
        }
    }

    @Test func itemsLieInTheFoldersOfTheirCollections() throws {
        let text = """
            {"version":{"major":1,"minor":0},"accounts":[{"id":"QQ","username":"","email":"","items":[],"collections":[
              {"id":"AA","title":"Work","items":[{"item":"MQ"}],"subCollections":[
                {"id":"Ag","title":"Dev","items":[{"item":"Mg"},{"item":"MQ"},{"item":"Mw","account":"other"}]}]}]}]}
            """
        try Array(text.utf8).withUnsafeBytes { bytes in
            let places = ExchangePlaces(try ExchangeReader(bytes).accounts.map(\.account))
            #expect(places["QQ", "MQ"].map(\.titles) == [["Work"], ["Work", "Dev"]])
            #expect(places["QQ", "Mg"].map(\.titles) == [["Work", "Dev"]])
            #expect(places["QQ", "Mw"].isEmpty && places["other", "Mw"].map(\.titles) == [["Work", "Dev"]])
        }
    }

    @Test(
        arguments: [
            (2_735_237_468, 1_756_930_268), (-11_644_473_600, nil), (1_759_783_057_123, 1_759_783_057), (nil, nil),
            (1_700_000_000, 1_700_000_000), (0, nil), (Int64.max, nil),
        ] as [(Int64?, Int64?)])
    func timesAreReadAsTheyWereMeant(written: Int64?, meant: Int64?) {
        #expect(ExchangeItem.corrected(written, now: 1_760_000_000) == meant)
    }

    @Test func documentsOfOursAreRead() throws {
        var result: [UInt8] = []
        let header = ExchangeHeader(exporter: "keyway.example", displayName: "Keyway", timestamp: 1_760_000_000)
        let writer = ExchangeWriter<Never>(header) { result += $0 }
        let link = ExchangeLink(item: "MQ")
        writer.begin(
            ExchangeAccount(id: "QQ", collections: [ExchangeCollection(id: "AA", title: "Work", items: [link])]))
        let password = SecretText(copyingUTF8Of: "p\"\\\n\u{1F511}")
        writer.add(
            ExchangeItem(
                id: "MQ", title: "Mail",
                credentials: [
                    ExchangeCredential(
                        .basicAuthentication,
                        [("username", nil), ("password", .object(ExchangeField(.concealed, password).object))])
                ]))
        writer.endAccount()
        writer.end()
        let found = try items(result)
        #expect(found.map(\.title) == ["Mail"])
        #expect(found[0].credentials[0].field("password")?.value == password)
        try found[0].credentials[0].check()
    }

    @Test func manyItemsAreReadInTheirOrder() throws {
        let items = (0..<5000).map { "{\"id\":\"\($0)\",\"title\":\"Title \($0)\",\"credentials\":[]}" }
        let text =
            "{\"version\":{\"major\":1,\"minor\":0},\"accounts\":[{\"id\":\"QQ\",\"collections\":[],\"items\":["
            + items.joined(separator: ",") + "]}]}"
        let found = try CredentialExchangeTests.items(Array(text.utf8))
        #expect(found.map(\.title) == (0..<5000).map { "Title \($0)" })
    }

    @Test func moreItemsThanAreReadAtOnceAreRefused() {
        let text =
            "{\"version\":{\"major\":1,\"minor\":0},\"accounts\":[{\"collections\":[],\"items\":["
            + String(repeating: "{},", count: DocumentLimits.mostItems) + "{}]}]}"
        #expect(throws: ExchangeError.self) { try Array(text.utf8).withUnsafeBytes { _ = try ExchangeReader($0) } }
    }
}

@Suite("passkeys of documents")
struct ExchangePasskeyTests {
    private func credential(_ changes: [String: JSONValue?] = [:]) -> ExchangeCredential {
        var credential = ExchangeCredential(
            .passkey,
            [
                ("credentialId", .text("va4AU-TdWahlB3zymwI4dg")), ("rpId", .text("webauthn.io")),
                ("username", .text("ada")), ("userDisplayName", .text("")), ("userHandle", .text("djdG")),
                ("key", .text("MIGH")),
            ])
        for (name, value) in changes { credential.object[name] = value }
        return credential
    }

    @Test func aPasskeyIsReadByteForByte() throws {
        let hmac = JSONObject([
            .init("algorithm", .text("hmac-sha256")), .init("credWithUV", .text("AQID")),
            .init("credWithoutUV", .text("BAUG")),
        ])
        for name in ["hmacCredentials", "hmacSecret"] {
            let passkey = try ExchangePasskey(
                credential(["fido2Extensions": .object(JSONObject([.init(name, .object(hmac))]))]))
            #expect(passkey.credentialID.count == 16)
            #expect(passkey.userHandle == [0x76, 0x37, 0x46])
            #expect(passkey.secretWithVerification == SecretBytes(copying: [1, 2, 3]))
            #expect(passkey.secretWithoutVerification == SecretBytes(copying: [4, 5, 6]))
        }
    }

    @Test func paddingDoesNoHarm() throws {
        #expect(try ExchangePasskey(credential(["userHandle": .text("dg==")])).userHandle == [0x76])
    }

    @Test(arguments: [
        ("credentialId", JSONValue?.none), ("key", nil), ("key", .text("")), ("key", .text("§")), ("rpId", .text("")),
        ("rpId", .text("https://webauthn.io/")), ("rpId", .text("ada@webauthn.io")), ("credentialId", .text("")),
        ("credentialId", .text(String(repeating: "A", count: 1400))),
        ("userHandle", .text(String(repeating: "A", count: 100))),
        ("rpId", .integer(5)), ("userHandle", .boolean(true)),
    ])
    func whatNoPasskeyHasIsRefused(name: String, value: JSONValue?) {
        #expect(throws: ExchangeError.self) { try ExchangePasskey(credential([name: value])) }
    }
}

@Suite("how much of a document is read")
struct ExchangeBoundsTests {
    @Test func ofOurOwnVaultAllIsReadAndOfAnybodysFileAHundredThousandItems() throws {
        let count = 100_001
        let items = [String](repeating: "{\"id\":\"A\",\"title\":\"\",\"credentials\":[]}", count: count).joined(
            separator: ",")
        let document = Array("{\"id\":\"A\",\"collections\":[],\"items\":[\(items)]}".utf8)
        #expect(throws: ExchangeError.self) { try document.withUnsafeBytes { _ = try ExchangeReader($0) } }
        let found = try document.withUnsafeBytes { try ExchangeReader($0, bounds: .ours).accounts.map(\.itemCount) }
        #expect(found == [count])
    }
}
