import Authenticator
import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import PasskeySignatures
import PasswordsProtocol
import Testing
import Vault
import WebAuthnValues

@testable import PasswordsService

/// Sections of items through the whole service: named, shown, removed; and passkeys that lie in them, which sign in.
@Suite struct SectionTests {
    private let harness: TestService

    init() throws { harness = try TestService() }

    private static func text(_ text: String) -> SecretBytes { SecretBytes(copyingUTF8Of: text) }

    /// What an import, or a newer version, left in the vault.
    private static let sections = [
        StoredCode(CodeRecord(issuer: "Example", account: "ada"), secret: text("12345678901234567890")).section,
        ItemSection(
            .wifi,
            [SectionMember("ssid", text: "Home", kind: .text), SectionMember("passphrase", .concealed, text("pass"))]),
        ItemSection(SectionType(rawValue: "vendor.example/loyalty"), [SectionMember("number", text: "7")]),
        ItemSection(
            .customFields,
            [
                SectionMember("label", text: "Questions"),
                SectionMember("fields", .email, text("me@example.com"), label: "Mail"),
            ]),
    ]

    /// A conversation with the service of a vault that has one item with these sections beside its password.
    private func terminal(_ sections: [ItemSection] = sections) async throws -> Connection {
        let environment = VaultEnvironment(epochs: EpochFolder(harness.folder + "/epochs"))
        let password = Self.text(TestService.masterPassword)
        let key = try Vault.create(
            at: harness.vaultPath, password: password, derivation: PasswordDerivation(memoryMiB: 64, passes: 3),
            environment: environment)
        let vault = try LockedVault.open(at: harness.vaultPath, environment: environment).unlock(with: key)
        try vault.add(
            ItemDraft(
                title: "Example", userName: "ada", password: Self.text("p"), addresses: ["example.com"],
                sections: sections))
        vault.lock()
        let terminal = try harness.connect()
        try await terminal.unlock()
        return terminal
    }

    private func section(_ number: Int, opens: Bool = true, _ terminal: Connection) async throws -> ShowSection.Result {
        try await terminal.call(
            ShowSection.self, .init(item: ItemName("Example"), section: number, opens: opens))
    }

    @Test func anItemNamesItsSectionsWithoutOpeningThem() async throws {
        let item = try await terminal().show(ItemName("Example"), []).summary
        let sections = try #require(item.sections)
        #expect(sections.map(\.number) == [1, 2, 3, 4])
        #expect(sections.map(\.type) == ["totp", "wifi", "vendor.example/loyalty", "custom-fields"])
        #expect(sections.map(\.title) == ["Example", "Home", nil, "Questions"])
        #expect(sections.map(\.isReadable) == [true, true, true, true])
    }

    @Test func aSectionIsShownWithItsValuesWhereTheyAreAskedFor() async throws {
        let terminal = try await terminal()
        let shown = try await section(2, terminal)
        #expect(shown.members.map(\.name) == ["ssid", "passphrase"] && shown.members.map(\.isHidden) == [false, true])
        let values = try shown.members.map { try opened($0.value) }
        #expect(values == ["Home", "pass"] && shown.total == 2)
        #expect(try await section(2, opens: false, terminal).members.allSatisfy { $0.value == nil })
        #expect(try await section(4, terminal).members.map(\.label) == [nil, "Mail"])
        #expect(await code { _ = try await section(9, terminal) } == .notFound)
    }

    @Test func keysAndSecretsOfCodesAreNeverShown() async throws {
        let terminal = try await terminal(Self.sections + [try Self.passkey([5]).section])
        let names = ["secret", "key", "credWithUV"]
        let members = try await section(1, terminal).members + section(5, terminal).members
        #expect(Set(members.map(\.name)).isSuperset(of: names))
        #expect(members.allSatisfy { !names.contains($0.name) || $0.value == nil && $0.isHidden })
    }

    @Test func everyKindOfSectionIsShownAndItsSecretsAreConcealed() async throws {
        let type = { (name: String) in SectionType(rawValue: name) }
        let terminal = try await terminal([
            ItemSection(type("generated-password"), [SectionMember("password", text: "secret")]),
            // As exporters err: a password that is said to be text.
            ItemSection(.basicAuthentication, [SectionMember("password", text: "secret", kind: .text)]),
            ItemSection(
                .sshKey,
                [SectionMember("keyType", text: "ssh-ed25519"), SectionMember("privateKey", .bytes, Self.text("key"))]),
            ItemSection(type("vendor.example/card"), [SectionMember("number", text: "secret")]),
            ItemSection(type("address"), [SectionMember("city", text: "Ulm", kind: .text)]),
            ItemSection(
                .totp,
                [
                    SectionMember("period", integer: 30), SectionMember("digits", integer: 6),
                    SectionMember("algorithm", text: "sha1"), SectionMember("secret", .bytes, Self.text("1234567890")),
                    SectionMember("keyway.written", .json, Self.text(#"{"secret": "GEZDGNBV"}"#)),
                ]),
        ])
        var hidden: [[Bool]] = []
        for number in 1...5 { hidden.append(try await section(number, terminal).members.map(\.isHidden)) }
        #expect(hidden == [[true], [true], [false, true], [true], [false]])
        #expect(
            try opened(try await section(3, terminal).members.last?.value)
                == "-----BEGIN PRIVATE KEY-----\na2V5\n-----END PRIVATE KEY-----")
        let code = try await section(6, terminal)
        #expect(code.members.map(\.name).contains("keyway.written") == false && code.total == code.members.count)
        #expect(try code.members.filter(\.isText).map { try opened($0.value) } == ["30", "6", "sha1"])
    }

    @Test func anItemIsShownWithAllOfItsSectionsAtOnce() async throws {
        let terminal = try await terminal()
        let shown = try await terminal.show(ItemName("Example"), [.sections])
        #expect(shown.sections?.map(\.section) == [1, 2, 3, 4])
        #expect(try opened(shown.sections?[1].members.last?.value) == "pass")
        #expect(try await terminal.show(ItemName("Example"), [.notes]).sections == nil)
    }

    @Test func sectionsThatDoNotFitIntoOneAnswerAreShownOneByOne() async throws {
        let many = ItemSection(
            .customFields, (0..<59).map { SectionMember("fields", .text, Self.text("\($0)"), label: "\($0)") })
        let terminal = try await terminal([many, Self.sections[1]])
        let shown = try await terminal.show(ItemName("Example"), [.sections])
        #expect(shown.sections?.map(\.section) == [2])
        #expect(try await section(1, terminal).members.count == 59)
    }

    @Test func aSectionIsRemovedAndTheRestStays() async throws {
        let terminal = try await terminal()
        func remove(_ numbers: [Int]) async throws -> PasswordsProtocol.ItemSummary {
            var change = ItemChange()
            change.removedSections = numbers
            return try await terminal.call(EditItem.self, .init(item: ItemName("Example"), change: change)).item
        }
        #expect(try await remove([1, 3]).sections?.map(\.number) == [2, 4])
        #expect(await code { _ = try await remove([3]) } == .notFound)
        #expect(await code { _ = try await remove([-1]) } == .notFound)
        #expect(await code { _ = try await remove([70_000]) } == .notFound)
        #expect(try opened(try await section(2, terminal).members.last?.value) == "pass")
        #expect(try opened(try await terminal.show(ItemName("Example"), [.password]).password) == "p")
        #expect(try await remove([2, 4]).sections == nil)
    }

    // MARK: - Passkeys beside a password

    private static func passkey(_ id: [UInt8]) throws -> (section: ItemSection, key: PublicKey) {
        let key = try PrivateKey.make(.es256, random: SystemRandomSource())
        let passkey = Passkey(
            identifier: id, relyingParty: "example.com", userHandle: id, key: key.encoded,
            pseudoRandomSecret: text("0123456789abcdef0123456789abcdef"))
        return (ItemSection(passkey, userName: "user \(id[0])"), key.publicKey)
    }

    @Test func eachPasskeyOfAnItemIsOfferedAndSignsForItself() async throws {
        let made = try [Self.passkey([5]), Self.passkey([6])]
        _ = try await terminal(made.map(\.section))
        let pages = try harness.connect(.providerExtension)
        let found = try await pages.passkeys()
        #expect(found.map(\.user) == ["user 5", "user 6"] && Set(found.map(\.id)).count == 1)
        #expect(try await pages.passkeys(allowed: [Data([6])]).map(\.user) == ["user 6"])
        for (item, made) in zip(found, made) {
            let id = try #require(item.passkey?.credentialID)
            let signed = try await pages.sign(item.id, allowed: [id])
            #expect(signed.credentialID == id && signed.userHandle == id)
            let message = Array(signed.authenticatorData + signed.clientDataHash)
            #expect(made.key.isSignature(Array(signed.signature), of: message))
        }
        #expect(await code { _ = try await pages.sign(found[0].id, allowed: [Data([9])]) } == .notFound)
        #expect(await code { _ = try await pages.sign(found[0].id, at: "example.org") } == .notFound)
    }

    @Test func whatASiteStoresWithOneOfThemLiesWithThatOne() async throws {
        _ = try await terminal([try Self.passkey([5]).section, try Self.passkey([6]).section])
        let pages = try harness.connect(.providerExtension)
        let item = try #require(try await pages.passkeys().first)
        let written = AssertionInputs<Attachment>(largeBlob: .write(try sealed("blob")))
        _ = try await pages.sign(item.id, allowed: [Data([6])], extensions: written)
        func read(_ id: UInt8) async throws -> String? {
            let inputs = AssertionInputs<Attachment>(largeBlob: .read)
            let signed = try await pages.sign(item.id, allowed: [Data([id])], extensions: inputs)
            guard case .read(let stored)? = signed.extensions?.largeBlob else { return nil }
            return try opened(stored)
        }
        #expect(try await read(6) == "blob")
        #expect(try await read(5) == nil)
    }

    @Test func anItemWithAPasswordAndPasskeysIsSuggestedForAllOfThem() throws {
        let head = { (number: UInt16) in try Self.passkey([UInt8(number)]).section }
        let vault = harness.folder + "/other.vault"
        let environment = VaultEnvironment(epochs: EpochFolder(harness.folder + "/epochs"))
        let key = try Vault.create(
            at: vault, password: Self.text("p"), derivation: PasswordDerivation(memoryMiB: 64, passes: 3),
            environment: environment)
        let opened = try LockedVault.open(at: vault, environment: environment).unlock(with: key)
        let id = try opened.add(
            ItemDraft(
                title: "t", userName: "ada", password: Self.text("p"), addresses: ["example.com"],
                sections: [try head(5), try head(6)]))
        let identities = try opened.summary(of: id).identities
        #expect(identities.map(\.kind) == [.password, .passkey, .passkey])
        #expect(identities.map(\.user) == ["ada", "user 5", "user 6"])
        #expect(identities.compactMap(\.passkey?.credentialID) == [Data([5]), Data([6])])
    }
}
