import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import PasskeySignatures
import SecretDocuments
import Testing
import Vault

@testable import VaultExchange

/// What doesn't fit, or isn't what it says, is refused or kept aside; nothing else of its item suffers.
@Suite struct HostileItemTests {
    private static let key =
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgARu_0sCt20EpgVxb4Puq3Ga5VVLpuTY75ngvZlyq3X6hRANCAASmdk1xLsK0oOlhxIPp"
        + "0d1ZuS0sT9nf6BZtSelhqvLBW0fOL33l_bXgsr_STUHjCLn8l6gcRJwe7OQvbQubZ1dY"

    private func passkey(_ site: String, id: String = "AQID", key: String = key) -> String {
        """
        {"type": "passkey", "credentialId": "\(id)", "rpId": "\(site)", "username": "ada", "userDisplayName": "Ada",
         "userHandle": "AQ", "key": "\(key)"}
        """
    }

    private func code(_ json: String) -> VaultExchangeError.Code? {
        do { _ = try read(json) } catch { return (error as? VaultExchangeError)?.code }
        return nil
    }

    // MARK: - Passkeys

    @Test(arguments: [
        "com", "co.uk", "192.0.2.1", "[::1]", "example.com.", "EXAMPLE.com", "user@example.com", "a b.com", "",
    ])
    func aPasskeyForWhatIsNoSiteIsLeftOut(site: String) throws {
        let alone = #"{"id": "AA", "title": "t", "credentials": [\#(passkey(site))]}"#
        #expect(code(alone) == .malformed)
        let beside = try read(
            """
            {"id": "AA", "title": "t", "credentials": [\(passkey(site)), {"type": "basic-auth",
             "password": {"fieldType": "concealed-string", "value": "pw"}}]}
            """)
        #expect(beside.credentialIDs.isEmpty && text(beside.draft.password) == "pw" && beside.notices.count == 1)
    }

    @Test(arguments: ["", "AAAA", "MIGHAgEAMBMGByqGSM49AgEG"])
    func aPasskeyWhoseKeyIsNoneIsLeftOut(key: String) throws {
        #expect(
            code(#"{"id": "AA", "title": "t", "credentials": [\#(passkey("example.com", key: key))]}"#) == .malformed)
    }

    @Test func aPasskeyThatIsThereAlreadyIsLeftOut() throws {
        let item = try item(#"{"id": "AA", "title": "t", "credentials": [\#(passkey("example.com"))]}"#)
        let holder = ItemID(random: SystemRandomSource())
        let reader = ItemReader(limits: .test, now: 0) { $0 == [1, 2, 3] ? .stored(holder) : nil }
        let imported = try reader.read(item)
        #expect(imported.credentialIDs.isEmpty && imported.holders == [holder] && !imported.hasContent)
        #expect(throws: VaultExchangeError.self) {
            try ItemReader(limits: .test, now: 0) { _ in .document }.read(item)
        }
    }

    @Test func anItemHasAPasskeyOnce() throws {
        let twice = try read(
            #"{"id": "AA", "title": "t", "credentials": [\#(passkey("example.com")), \#(passkey("example.com"))]}"#)
        #expect(twice.credentialIDs == [[1, 2, 3]] && twice.notices.count == 1)
    }

    // MARK: - Sizes

    @Test func whatIsLargerThanAnItemIsRefused() {
        let long = String(repeating: "x", count: 301)
        #expect(code(#"{"id": "AA", "title": "\#(long)", "credentials": []}"#) == .tooLarge)
        func login(_ password: String) -> String {
            """
            {"id": "AA", "title": "t", "credentials": [{"type": "basic-auth",
             "password": {"fieldType": "concealed-string", "value": "\(password)"}}]}
            """
        }
        #expect(code(login(String(repeating: "x", count: 16_384))) == nil)
        #expect(code(login(String(repeating: "x", count: 16_385))) == .tooLarge)
        let tags = (0..<51).map { "\"\($0)\"" }.joined(separator: ",")
        #expect(code(#"{"id": "AA", "title": "t", "tags": [\#(tags)], "credentials": []}"#) == .tooLarge)
        let credentials = Array(repeating: #"{"type": "x"}"#, count: 1001).joined(separator: ",")
        #expect(code(#"{"id": "AA", "title": "t", "credentials": [\#(credentials)]}"#) == .tooLarge)
    }

    @Test func valuesStayByteForByte() throws {
        let item = try read(
            #"{"id": "AA", "title": " t ", "credentials": [{"type": "basic-auth", "username": {"fieldType": "string", "#
                + #""value": " ada "}, "password": {"fieldType": "concealed-string", "value": " \u0000a\r\n\tе́ "}}]}"#)
        #expect(item.draft.title == " t " && item.draft.userName == " ada ")
        #expect(text(item.draft.password) == " \0a\r\n\tе́ ")
    }

    @Test func controlCharactersOfNamesBecomeBlanks() throws {
        let item = try read(#"{"id": "AA", "title": "a\u001b[31mb\nc", "credentials": []}"#)
        #expect(item.draft.title == "a [31mb c" && item.notices.count == 1)
    }

    @Test func nothingIsFromTheFuture() throws {
        let vault = try ExchangeVault()
        let item = try read(
            #"{"id": "AA", "title": "t", "creationAt": 1800000000, "modifiedAt": 1810000000, "credentials": []}"#)
        let id = try vault.vault.add(item.draft)
        #expect(try vault.vault.summary(of: id).modified <= Date())
    }

    // MARK: - Forms

    @Test(arguments: [
        #"{"id": "AA", "title": "t", "credentials": 7}"#, #"{"id": "AA", "title": "t", "credentials": ["x"]}"#,
    ])
    func whatIsNoItemIsRefused(json: String) {
        #expect(code(json) == .malformed)
    }

    @Test(arguments: [#"{"id": "AA", "credentials": []}"#, #"{"title": "  "}"#, "{}"])
    func whatHoldsNothingIsRefused(json: String) {
        #expect(code(json) == .empty)
    }

    @Test func anItemWithoutATitleIsCalledAfterItsSite() throws {
        let item = try read(
            #"{"id": "AA", "scope": {"urls": ["https://example.com/login"], "androidApps": []}, "credentials": []}"#)
        #expect(item.draft.title == "example.com")
    }

    @Test(arguments: [
        #"{"type": "totp", "secret": "not base32!"}"#, #"{"type": "totp", "secret": "JBSWY3DP", "algorithm": "md5"}"#,
        #"{"type": "totp", "secret": "JBSWY3DP", "digits": 99}"#, #"{"type": "totp", "secret": 7}"#,
        #"{"type": "note"}"#, #"{"type": "ssh-key", "keyType": "x", "privateKey": "!"}"#, #"{"type": ""}"#, "{}",
        #"{"type": "file", "id": "AA", "name": "../../x", "decryptedSize": 1, "integrityHash": "AA"}"#,
        #"{"type": "item", "id": "AA"}"#, #"{"type": "hotp", "counter": 1}"#, #"{"type": "unread", "credential": {}}"#,
    ])
    func whatCannotBeUsedIsKeptAsItIs(credential: String) throws {
        let vault = try ExchangeVault()
        let json = #"{"id": "AA", "creationAt": 1, "modifiedAt": 1, "title": "t", "credentials": [\#(credential)]}"#
        let imported = try read(json)
        #expect(imported.notices.count == 1)
        let id = try vault.vault.add(imported.draft)
        #expect(try vault.vault.summary(of: id).codes.isEmpty)
        #expect(normalized(try vault.item(id).item) == normalized(try item(json)))
    }

    @Test func whatIsBentInAnyPlaceIsStoredAndComesOutTheSame() throws {
        let all = try items(try document("generated-all-types")) + items(try document("generated-forward-compat"))
        let vault = try ExchangeVault()
        var random = Bends(state: 1)
        for turn in 0..<600 {
            let bent = bend(.object(all[turn % all.count].object), &random).object ?? JSONObject()
            guard let imported = try? ItemReader(limits: .test, now: 1_790_000_000).read(ExchangeItem(bent)) else {
                continue
            }
            let once = try vault.item(try vault.vault.add(imported.draft)).item
            let again = try vault.vault.add(try ItemReader(limits: .test, now: 1_790_000_000).read(once).draft)
            #expect(normalized(try vault.item(again).item) == normalized(once))
        }
    }

    /// The same numbers in every run.
    private struct Bends: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 32 | state << 32
        }
    }

    /// The value with something in it in another form.
    private func bend(_ value: JSONValue, _ random: inout Bends) -> JSONValue {
        if Int.random(in: 0..<12, using: &random) == 0 {
            return [.null, .boolean(true), .number("-1.5e3"), .text("x"), .array([]), .object(JSONObject())]
                .randomElement(using: &random) ?? .null
        }
        switch value {
        case .array(let elements): return .array(elements.map { bend($0, &random) })
        case .object(let object):
            return .object(JSONObject(object.members.map { .init($0.name, bend($0.value, &random)) }))
        default: return value
        }
    }
}
