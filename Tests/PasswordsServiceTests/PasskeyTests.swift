import Authenticator
import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import PasswordsProtocol
import Testing
import WebAuthnValues

@testable import PasswordsService

/// Passkeys through the whole service.
@Suite struct PasskeyTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    /// A terminal and the extension, to both of which a new vault is open.
    private func open() async throws -> (terminal: Connection, pages: Connection) {
        (try await harness.withVault(), try harness.connect(.providerExtension))
    }

    // MARK: - Making and signing

    @Test(arguments: [-7, -8, -257]) func signsWithTheKeyThatWasRegistered(algorithm: Int) async throws {
        let (_, pages) = try await open()
        let made = try await pages.makePasskey(algorithms: [-999, algorithm])
        let item = try #require(try await pages.passkeys().first)
        let signed = try await pages.sign(item.id)
        #expect(try signed.isSigned(by: made))
        #expect(signed.credentialID == made.credentialID && signed.userHandle == Data([1]))
        #expect(signed.clientDataHash == Connection.clientDataHash && signed.relyingParty == "example.com")
    }

    @Test func keepsPasskeysThroughLockAndUnlock() async throws {
        let (terminal, pages) = try await open()
        let made = try await pages.makePasskey()
        try await terminal.lock()
        try await terminal.unlock()
        let item = try #require(try await pages.passkeys().first)
        #expect(try await pages.sign(item.id).isSigned(by: made))
    }

    @Test func keepsSeveralOfOneSiteAndOfOneUser() async throws {
        let (_, pages) = try await open()
        var made: [Data] = []
        for (user, handle) in [("grace", 2), ("ada", 1), ("ada", 1)] as [(String, UInt8)] {
            made.append(try await pages.makePasskey(user, handle: [handle]).credentialID)
        }
        try await pages.makePasskey("ada", at: "example.org")
        let found = try await pages.passkeys()
        #expect(found.map(\.user) == ["ada", "ada", "grace"])
        #expect(Set(found.compactMap(\.passkey?.credentialID)) == Set(made) && Set(made).count == 3)
        #expect(try await pages.passkeys(allowed: [made[0], Data([7])]).map(\.user) == ["grace"])
        #expect(try await pages.passkeys(at: "login.example.com").isEmpty)
    }

    @Test func theItemIsShownWithoutAnySecret() async throws {
        let (terminal, pages) = try await open()
        let made = try await pages.makePasskey("Ada\nLovelace")
        let shown = try await terminal.show(ItemName("example.com"), [.password, .notes, .fields, .history])
        #expect(shown.summary.passkey?.credentialID == made.credentialID)
        #expect(shown.summary.user == "Ada Lovelace" && !shown.summary.hasPassword)
        #expect(shown.password == nil && shown.notes == nil && shown.fields.isEmpty && shown.history.isEmpty)
    }

    @Test(arguments: [ServiceClient.providerExtension, .extensionForTerminal(TestService.session(100))])
    func theExtensionMayUseThem(client: ServiceClient) async throws {
        _ = try await harness.withVault()
        try await harness.connect(client).makePasskey()
    }

    @Test func noTerminalUsesThem() async throws {
        let (terminal, pages) = try await open()
        try await pages.makePasskey()
        let item = try #require(try await terminal.passkeys().first)
        #expect(await code { _ = try await terminal.sign(item.id) } == .refused)
        #expect(await code { try await terminal.makePasskey("grace") } == .refused)
        #expect(
            await code {
                try await terminal.report(
                    .passkeysAccepted(relyingParty: "example.com", userHandle: Data([1]), credentialIDs: []))
            } == .refused)
        #expect(try await pages.passkeys().count == 1)
    }

    @Test func aLockedVaultDoesNothing() async throws {
        let (terminal, pages) = try await open()
        try await pages.makePasskey()
        let item = try #require(try await pages.passkeys().first)
        try await terminal.lock()
        #expect(await code { _ = try await pages.sign(item.id) } == .locked)
        #expect(await code { try await pages.makePasskey("grace") } == .locked)
        #expect(await code { _ = try await pages.passkeys() } == .locked)
    }

    // MARK: - For whom

    @Test func signsForItsRelyingPartyAlone() async throws {
        let (_, pages) = try await open()
        try await pages.makePasskey()
        let item = try #require(try await pages.passkeys().first)
        for party in ["example.org", "login.example.com", "com", "EXAMPLE.COM"] {
            #expect(await code { _ = try await pages.sign(item.id, at: party) } == .notFound)
        }
    }

    @Test func signsOnlyWithWhatIsAllowed() async throws {
        let (_, pages) = try await open()
        let made = try await pages.makePasskey()
        let item = try #require(try await pages.passkeys().first)
        #expect(await code { _ = try await pages.sign(item.id, allowed: [Data([9])]) } == .notFound)
        _ = try await pages.sign(item.id, allowed: [Data([9]), made.credentialID])
    }

    @Test(arguments: ["", "example.com", "0b9d1a52-6c1e-4a53-9a5e-3f0c7c3b6a11"])
    func knowsPasskeysByTheirIdentifierAlone(name: String) async throws {
        let (_, pages) = try await open()
        try await pages.makePasskey()
        #expect(await code { _ = try await pages.sign(name) } == .notFound)
    }

    @Test func aPasswordSignsNothing() async throws {
        let (terminal, pages) = try await open()
        let item = try await terminal.add("example.com") { $0.addresses = ["example.com"] }
        #expect(await code { _ = try await pages.sign(item.id) } == .notFound)
    }

    @Test func anExcludedOneIsToldAfterThePersonWasThere() async throws {
        let (_, pages) = try await open()
        let made = try await pages.makePasskey()
        #expect(await code { try await pages.makePasskey(excluded: [Data([9]), made.credentialID]) } == .exists)
        #expect(
            await code {
                try await pages.makePasskey(isVerified: false, verification: .required, excluded: [made.credentialID])
            } == .notVerified)
        try await pages.makePasskey(at: "example.org", excluded: [made.credentialID])
        #expect(try await pages.passkeys().count == 1)
    }

    // MARK: - What is said of the person

    @Test(
        arguments: [UserVerificationPreference.required, .preferred, .discouraged], [true, false, nil] as [Bool?])
    func verifiedIsSaidOnlyWhereItHappened(
        preference: UserVerificationPreference, isVerified: Bool?
    ) async throws {
        let (_, pages) = try await open()
        let made = try await pages.makePasskey()
        #expect(try made.data.flags == [.userPresent, .userVerified, .backupEligible, .attestedCredential])
        let item = try #require(try await pages.passkeys().first)
        let outcome = await code {
            let signed = try await pages.sign(item.id, isVerified: isVerified, verification: preference)
            let flags = try signed.data.flags
            #expect(flags.contains(.userPresent) && flags.contains(.backupEligible) && !flags.contains(.backedUp))
            #expect(flags.contains(.userVerified) == (isVerified == true))
        }
        #expect(outcome == (preference == .required && isVerified != true ? .notVerified : nil))
    }

    @Test func aNewPasskeySaysWhetherThePersonWasVerified() async throws {
        let (_, pages) = try await open()
        #expect(
            try await pages.makePasskey(isVerified: false).data.flags
                == [.userPresent, .backupEligible, .attestedCredential])
        #expect(
            await code { try await pages.makePasskey(isVerified: false, verification: .required) } == .notVerified)
        #expect(try await pages.passkeys().count == 1)
    }

    // MARK: - Extensions

    private func text(_ key: AutoFillWire.Attachment?) throws -> [UInt8]? {
        try key?.sealedMemory().withUnsafeBytes { Array($0) }
    }

    private func prf(_ first: String, _ second: String? = nil) -> PRFValues {
        PRFValues(first: Data(first.utf8), second: second.map { Data($0.utf8) })
    }

    @Test func derivesTheSameKeysEachTime() async throws {
        let (terminal, pages) = try await open()
        let made = try await pages.makePasskey(extensions: .init(prf: .init(values: prf("a", "b"))))
        let first = made.extensions?.prf?.values
        let item = try #require(try await pages.passkeys().first)
        func signed(_ values: PRFValues) async throws -> PRFOutputs<AutoFillWire.Attachment>? {
            try await pages.sign(item.id, extensions: .init(prf: .init(values: values))).extensions?.prf
        }
        let again = try await signed(prf("a", "b"))
        #expect(try text(first?.first)?.count == 32 && text(first?.first) == text(again?.first))
        #expect(try text(first?.second) == text(again?.second) && text(first?.second) != text(first?.first))
        try await terminal.lock()
        try await terminal.unlock()
        let later = try await signed(prf("b"))
        #expect(try text(later?.first) == text(first?.second) && later?.second == nil)
    }

    @Test func derivesKeysForNobodyWhoIsNotVerified() async throws {
        let (_, pages) = try await open()
        let made = try await pages.makePasskey(
            isVerified: false, extensions: .init(prf: .init(values: prf("a"))))
        #expect(made.extensions?.prf?.isSupported == true && made.extensions?.prf?.values == nil)
        let item = try #require(try await pages.passkeys().first)
        let input = AssertionInputs<AutoFillWire.Attachment>(prf: .init(values: prf("a")))
        #expect(await code { _ = try await pages.sign(item.id, isVerified: false, extensions: input) } == .notVerified)
    }

    @Test func theInputsOfOnePasskeyComeBeforeThoseOfAny() async throws {
        let (_, pages) = try await open()
        let made = try await pages.makePasskey()
        let item = try #require(try await pages.passkeys().first)
        let special = PRFCredentialValues(credentialID: made.credentialID, values: prf("special"))
        func output(_ input: PRFAssertionInput) async throws -> [UInt8]? {
            let signed = try await pages.sign(item.id, allowed: [made.credentialID], extensions: .init(prf: input))
            return try text(signed.extensions?.prf?.first)
        }
        let wanted = try await output(.init(values: prf("special")))
        #expect(try await output(.init(values: prf("any"), byCredential: [special])) == wanted)
        #expect(try await output(.init(values: prf("any"))) != wanted)
    }

    @Test func keepsABlob() async throws {
        let (terminal, pages) = try await open()
        let made = try await pages.makePasskey(extensions: .init(largeBlob: .required))
        #expect(made.extensions?.isLargeBlobSupported == true)
        let item = try #require(try await pages.passkeys().first)
        func blob(_ input: AssertionInputs<AutoFillWire.Attachment>.LargeBlob) async throws -> AssertionOutputs<
            AutoFillWire.Attachment
        >.LargeBlob? {
            try await pages.sign(item.id, allowed: [made.credentialID], extensions: .init(largeBlob: input))
                .extensions?.largeBlob
        }
        #expect(try await blob(.read) == .read(nil))
        #expect(try await blob(.write(try sealed("the blob"))) == .wrote(true))
        try await terminal.lock()
        try await terminal.unlock()
        guard case .read(let stored?)? = try await blob(.read) else {
            Issue.record("nothing is stored")
            return
        }
        #expect(try opened(stored) == "the blob")
        #expect(try await blob(.write(try sealed(String(repeating: "x", count: 16_385)))) == .wrote(false))
        guard case .read(let kept?)? = try await blob(.read) else { return }
        #expect(try opened(kept) == "the blob")
    }

    // MARK: - The automatic upgrade

    private func withPassword(_ fill: (inout ItemChange) throws -> Void = { _ in }) async throws -> Connection {
        let (terminal, pages) = try await open()
        try await terminal.add("Example") {
            $0.user = "ada"
            $0.addresses = ["https://www.example.com/login"]
            try fill(&$0)
        }
        return pages
    }

    @Test func aPasswordBecomesAPasskeyAndStays() async throws {
        let pages = try await withPassword()
        let made = try await pages.makePasskey(isVerified: false, isConditional: true)
        #expect(try made.data.flags == [.backupEligible, .attestedCredential], "nobody was asked")
        #expect(try await pages.search().sorted() == ["Example", "example.com"])
    }

    @Test func ofAConditionalOneNobodyIsSaidToBeVerified() async throws {
        let pages = try await withPassword()
        let made = try await pages.makePasskey(isVerified: true, isConditional: true)
        #expect(try made.data.flags == [.backupEligible, .attestedCredential])
    }

    @Test(arguments: [
        ("grace", "example.com"), ("Ada", "example.com"), ("", "example.com"), ("ada", "example.org"),
        ("ada", "login.example.com"),
    ])
    func onlyTheAccountWithThePasswordIsUpgraded(user: String, party: String) async throws {
        let pages = try await withPassword()
        #expect(await code { try await pages.makePasskey(user, at: party, isConditional: true) } == .refused)
        #expect(try await pages.passkeys(at: party).isEmpty)
    }

    @Test func anItemWithoutAPasswordIsNotUpgraded() async throws {
        let pages = try await withPassword { $0.password = nil }
        #expect(await code { try await pages.makePasskey(isConditional: true) } == .refused)
    }

    @Test func aHiddenPasswordIsNotUpgraded() async throws {
        let pages = try await withPassword()
        try await pages.report(.passwordUnused(domain: "example.com", userName: "ada"))
        #expect(try await pages.hidden() == ["ada"])
        #expect(await code { try await pages.makePasskey(isConditional: true) } == .refused)
    }

    @Test(arguments: [true, false]) func anAccountWithAHiddenPasskeyIsNotUpgraded(isUnknown: Bool) async throws {
        let pages = try await withPassword()
        let made = try await pages.makePasskey(handle: [1], isConditional: true).credentialID
        try await pages.report(
            isUnknown
                ? .passkeyUnknown(relyingParty: "example.com", credentialID: made)
                : .passkeysAccepted(relyingParty: "example.com", userHandle: Data([1]), credentialIDs: []))
        #expect(try await pages.passkeys().isEmpty)
        // By its handle, and by its name.
        #expect(await code { try await pages.makePasskey("ada", handle: [1], isConditional: true) } == .refused)
        #expect(await code { try await pages.makePasskey("ada", handle: [2], isConditional: true) } == .refused)
        #expect(try await pages.search().count == 2)
        // One that the person is asked for is theirs to decide about.
        try await pages.makePasskey(handle: [1])
        #expect(try await pages.search().count == 3)
    }

    @Test func anAccountWithAPasskeyIsNotUpgraded() async throws {
        let pages = try await withPassword()
        try await pages.makePasskey("ada of old", handle: [1])
        #expect(await code { try await pages.makePasskey(handle: [1], isConditional: true) } == .refused)
        try await pages.makePasskey(handle: [2], isConditional: true)
        #expect(await code { try await pages.makePasskey(handle: [3], isConditional: true) } == .refused, "same name")
    }
}
