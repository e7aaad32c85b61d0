import Authenticator
import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import PasskeySignatures
import SecretDocuments
import Testing
import Vault

@testable import VaultExchange

/// What goes into the vault comes out again, and the other way round.
@Suite struct RoundTripTests {
    // MARK: - Document → vault → document

    @Test(arguments: ["generated-all-types", "generated-forward-compat", "spec-appendix-a-errata", "generated-minimal"])
    func everyItemOfADocumentComesOutAsItWentIn(name: String) throws {
        let vault = try ExchangeVault()
        let bytes = try document(name)
        let stored = try vault.read(bytes)
        let before = try items(bytes)
        #expect(stored.count == before.count)
        for (id, item) in zip(stored, before) {
            let after = try vault.item(id)
            #expect(normalized(after.item) == normalized(item))
            #expect(after.losses.isEmpty)
        }
    }

    @Test(arguments: ["generated-quirks", "generated-account-level", "generated-all-types"])
    func whatCameOutComesOutAgainTheSame(name: String) throws {
        let vault = try ExchangeVault()
        for id in try vault.read(try document(name)) {
            let once = try vault.item(id).item
            let again = try vault.vault.add(try ItemReader(limits: .test, now: 1_790_000_000).read(once).draft)
            #expect(normalized(try vault.item(again).item) == normalized(once))
        }
    }

    @Test(arguments: ["generated-all-types", "generated-forward-compat", "spec-appendix-a-errata"])
    func whatIsThereAlreadyIsFoundToBeThere(name: String) throws {
        let vault = try ExchangeVault()
        let bytes = try document(name)
        for (id, item) in zip(try vault.read(bytes), try items(bytes)) {
            let (summary, body, sections) = try vault.vault.contents(of: id)
            var again = try ItemReader(limits: .test, now: 1_790_000_000).read(item)
            // Two items never have the same passkey; who has it is compared otherwise.
            again.draft.passkey = nil
            again.draft.addresses.removeAll { $0 == summary.passkey?.relyingParty }
            #expect(again.isContained(in: summary, body, sections), "\(item.title)")
        }
    }

    @Test func everyTypeOfTheFormatIsCoveredByTheDocuments() throws {
        let types = Set(try items(try document("generated-all-types")).flatMap(\.credentials).map(\.type))
        #expect(types.isSuperset(of: ExchangeSchema.members.keys))
    }

    // MARK: - Vault → document → vault

    private func again(_ draft: ItemDraft) throws -> (before: ItemID, after: ItemID, vault: UnlockedVault) {
        let vault = try ExchangeVault()
        let before = try vault.vault.add(draft)
        let item = try vault.item(before).item
        let read = try ItemReader(limits: .test, now: 1_790_000_000).read(item)
        #expect(read.notices.isEmpty)
        return (before, try vault.vault.add(read.draft), vault.vault)
    }

    @Test func anItemWithEverythingIsTheSameAfterwards() throws {
        let code = StoredCode(CodeRecord(issuer: "Example", account: "ada"), secret: secret("12345678901234567890"))
        let draft = ItemDraft(
            title: "Example", userName: "ada", password: secret(" p\u{0301}w\n\t "),
            addresses: ["https://example.com/login", "example.org"], notes: secret("one\r\ntwo "), tags: ["a", "A/B"],
            fields: [
                CustomField(name: "PIN", value: secret("0042"), isHidden: true),
                CustomField(name: "Empty", value: secret(""), isHidden: false),
            ], marks: ItemMarks(isFavorite: true, use: .basic), subtitle: "second line",
            sections: [
                code.section,
                StoredCode(CodeRecord(kind: .hotp(counter: 7), digits: 8), secret: secret("abcdefghij")).section,
                StoredCode(CodeRecord(kind: .steam, account: "ada"), secret: secret("klmnopqrst")).section,
                ItemSection(.wifi, [SectionMember("ssid", text: "net", kind: .text)]),
            ], created: Date(timeIntervalSince1970: 1_600_000_000), modified: Date(timeIntervalSince1970: 1_700_000_000)
        )
        let (before, after, vault) = try again(draft)
        let (old, new) = (try vault.contents(of: before), try vault.contents(of: after))
        #expect(new.summary.title == old.summary.title && new.summary.userName == old.summary.userName)
        #expect(new.summary.addresses == old.summary.addresses && new.summary.tags == old.summary.tags)
        #expect(new.summary.created == old.summary.created && new.summary.modified == old.summary.modified)
        #expect(new.summary.subtitle == old.summary.subtitle)
        #expect(new.summary.marks == ItemMarks(isFavorite: true, use: .basic, source: .imported))
        #expect(new.body.password == old.body.password && new.body.notes == old.body.notes)
        #expect(new.body.fields == old.body.fields)
        let sections = new.sections.filter { $0.type != .item }
        #expect(Set(sections.map(\.type)) == [.totp, .hotp, .steam, .wifi])
        #expect(old.sections.allSatisfy { sections.contains($0) })
    }

    @Test func aPasskeyOfKeywaysIsTheSamePasskeyAfterwards() throws {
        let key = try PrivateKey.make(.es256, random: SystemRandomSource()).encoded
        let passkey = Passkey(
            identifier: Array(0..<32), relyingParty: "example.com", userHandle: [1, 2, 3], key: key,
            pseudoRandomSecret: SecretBytes(copying: [UInt8](repeating: 7, count: 32)),
            largeBlob: SecretBytes(copying: [UInt8](repeating: 9, count: 3000)))
        let (before, after, vault) = try again(
            ItemDraft(title: "example.com", userName: "ada", addresses: ["example.com"], passkey: passkey))
        let (old, new) = (try vault.summary(of: before), try vault.summary(of: after))
        #expect(new.passkey == old.passkey && new.userName == "ada" && new.addresses == ["example.com"])
        #expect(new.sections.allSatisfy { $0.type == .item })
        let stored = try vault.passkey(of: after)
        #expect(stored.key == key && stored.pseudoRandomSecret == passkey.pseudoRandomSecret)
        #expect(stored.largeBlob == passkey.largeBlob)
    }

    @Test func whatAPasskeyOfADocumentHasIsUsedAndKept() throws {
        let vault = try ExchangeVault()
        let stored = try vault.read(try document("spec-appendix-a-errata"))
        let id = try #require(try stored.first { try vault.vault.summary(of: $0).title == "WebAuthn.io" })
        let record = try #require(try vault.vault.summary(of: id).passkeys.first)
        let passkey = try vault.vault.passkey(record.credentialID, of: id)
        #expect(passkey.relyingParty == "webauthn.io" && passkey.pseudoRandomSecret?.count == 32)
        #expect(passkey.largeBlob?.count == 129)
        #expect(text(passkey.largeBlob)?.hasPrefix("This is an encrypted large blob") == true)
        #expect(try PrivateKey(passkey.key).encoded == passkey.key)
    }

    // MARK: - What can't be said

    @Test func whatADocumentCannotSayIsTold() throws {
        let vault = try ExchangeVault()
        let id = try vault.vault.add(
            ItemDraft(
                title: "t", password: secret("old"),
                sections: [StoredFile(name: "a.txt", content: secret("content")).section]))
        try vault.vault.edit(id, ItemChanges(password: secret("new"), isHidden: true))
        let item = try vault.item(id)
        #expect(item.losses.count == 2)
        #expect(item.item.credentials.map(\.type) == [.basicAuthentication, .file])
    }

    @Test func twoItemsNeverShareAnIdentifier() throws {
        let vault = try ExchangeVault()
        let ids = try vault.read(try document("spec-appendix-a-errata"))
        let kept = try vault.item(ids[0]).item.id
        #expect(kept == "9OF-QjVDQo2Wp2xWPw6ZhA")
        #expect(try vault.item(ids[0], taken: [kept]).item.id != kept)
    }

    @Test func collectionsBecomeTags() throws {
        let vault = try ExchangeVault()
        let tags = try vault.read(try document("generated-all-types")).flatMap {
            try vault.vault.summary(of: $0).tags
        }
        #expect(tags.contains("Work") && tags.contains("Work/Infra"))
    }

    @Test func aFolderBecomesATag() throws {
        let item = try read(
            """
            {"id": "AA", "title": "t", "tags": ["x"], "credentials": [],
             "extensions": [{"name": "keyway.org/import", "place": "line 2", "folder": ["A", "B"], "http": true}]}
            """)
        #expect(item.draft.tags == ["x", "A/B"] && item.draft.marks.use == .basic)
        #expect(!item.draft.sections.flatMap(\.members).contains { $0.name == "extensions" })
    }
}
