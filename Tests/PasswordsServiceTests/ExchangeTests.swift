import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import Glibc
import KeywaySystem
import PasswordsProtocol
import Synchronization
import Testing

@testable import PasswordsService

/// Documents of CXF that are imported, how that is taken back, and the vault as a document.
@Suite struct ExchangeTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    // MARK: - Documents

    private func passkey(_ site: String, id: String = "AQID") -> String {
        """
        {"id": "p\(id)", "title": "\(site)", "credentials": [{"type": "passkey", "credentialId": "\(id)",
         "rpId": "\(site)", "username": "ada", "userDisplayName": "", "userHandle": "AQ", "key":
         "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgARu_0sCt20EpgVxb4Puq3Ga5VVLpuTY75ngvZlyq3X6hRANCAASmdk1xLsK0oOlhxIPp\
        0d1ZuS0sT9nf6BZtSelhqvLBW0fOL33l_bXgsr_STUHjCLn8l6gcRJwe7OQvbQubZ1dY"}]}
        """
    }

    private func compare(_ client: Connection, _ items: String...) async throws -> (ImportCounts, [ImportFinding]) {
        let result = try await client.call(CompareDocument.self, .init(document: try document(items)))
        return (result.counts, try ImportFindings(result.findings).list)
    }

    @discardableResult
    private func take(
        _ client: Connection, _ choice: ConflictChoice = .keepBoth, _ items: String...
    ) async throws -> (result: ImportDocument.Result, findings: [ImportFinding]) {
        let result = try await client.call(
            ImportDocument.self, .init(document: try document(items), conflicts: choice))
        return (result, try ImportFindings(result.findings).list)
    }

    private func undo(_ client: Connection) async throws -> UndoImport.Result {
        try await client.call(UndoImport.self, Nothing())
    }

    private func export(
        _ client: Connection, _ password: String = TestService.masterPassword
    ) async throws -> (text: String, result: ExportDocument.Result) {
        let result = try await client.call(ExportDocument.self, .init(masterPassword: try sealed(password)))
        let text = try SealedDocument(received: result.document.descriptor).withUnsafeBytes {
            (bytes) throws(ProtocolError) in String(decoding: bytes, as: UTF8.self)
        }
        return (text, result)
    }

    // MARK: - Importing

    @Test func whatIsNewIsStoredWithItsDates() async throws {
        let terminal = try await harness.withVault()
        let item = login("One", "ada", "pw1", notes: "remember")
        let compared = try await compare(terminal, item)
        #expect(compared.0 == ImportCounts(new: 1) && compared.1.isEmpty)
        #expect(try await terminal.search().isEmpty, "comparing stores nothing")
        let taken = try await take(terminal, .keepBoth, item)
        #expect(taken.result.added == 1 && taken.result.undoable == 1 && taken.findings.isEmpty)
        let shown = try await terminal.show(ItemName("One"), [.password, .notes])
        #expect(try opened(shown.password) == "pw1" && opened(shown.notes) == "remember")
        #expect(shown.summary.user == "ada" && shown.summary.addresses == ["https://example.com"])
        #expect(shown.summary.created == 1_600_000_000 && shown.summary.modified == 1_700_000_000)
    }

    @Test func theIdentityStoreHearsOfAllOfItAtOnce() async throws {
        let terminal = try await harness.withVault()
        let before = harness.jobs.all.count
        try await take(terminal, .keepBoth, login("One", "ada", "1"), login("Two", "bob", "2"))
        #expect(harness.jobs.all.count == before + 1)
        guard case .change(let change) = harness.jobs.all.last else {
            Issue.record("no change was told")
            return
        }
        #expect(change.saved.count == 2 && change.removed.isEmpty)
        let many = (0..<300).map { login("Item \($0)", "user \($0)", "pw") }
        _ = try await terminal.call(ImportDocument.self, .init(document: try document(many), conflicts: .skip))
        #expect(harness.jobs.all.count == before + 2)
        guard case .bringInStep = harness.jobs.all.last else {
            Issue.record("each of many was told")
            return
        }
    }

    @Test func aFaultInTheMiddleLeavesNothing() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Before")
        let bytes = FileManager.default.contents(atPath: harness.vaultPath)
        // The second item is found to be damaged when the first one is written already.
        let twice = #"{"id": "B", "title": "a", "title": "b", "credentials": []}"#
        #expect(await code { try await take(terminal, .keepBoth, login("One", "ada", "1"), twice) } == .damaged)
        #expect(try await terminal.search() == ["Before"])
        #expect(FileManager.default.contents(atPath: harness.vaultPath) == bytes)
        #expect(await code { _ = try await undo(terminal) } == .notFound)
        try await terminal.add("After")
        #expect(try await terminal.search() == ["After", "Before"])
    }

    @Test(arguments: ["", "[]", "{", #"{"version": {"major": 9}, "accounts": []}"#, "\u{0}"])
    func whatIsNoDocumentIsRefused(text: String) async throws {
        let terminal = try await harness.withVault()
        let failure = await code {
            _ = try await terminal.call(CompareDocument.self, .init(document: try file(text)))
        }
        #expect([.damaged, .refused].contains(failure))
    }

    @Test func whatCannotBeTakenBackIsNotStored() async throws {
        let terminal = try await harness.withVault()
        try FileManager.default.createDirectory(
            atPath: harness.folder + "/import.new/full", withIntermediateDirectories: true)
        #expect(await code { try await take(terminal, .keepBoth, login("One", "ada", "1")) } == .system)
        #expect(try await terminal.search().isEmpty)
    }

    @Test func aLockedVaultTakesNothing() async throws {
        let terminal = try await harness.withVault()
        try await terminal.lock()
        #expect(await code { try await take(terminal, .keepBoth, login("One", "ada", "1")) } == .locked)
        #expect(await code { _ = try await compare(terminal, login("One", "ada", "1")) } == .locked)
        #expect(await code { _ = try await undo(terminal) } == .locked)
        #expect(await code { _ = try await export(terminal) } == .locked)
    }

    @Test func filesAndTheUndoOfAnImportAreForTerminalsAlone() async throws {
        _ = try await harness.withVault()
        for client in [ServiceClient.providerExtension, .extensionForTerminal(TestService.session(100))] {
            let other = try harness.connect(client)
            #expect(await code { _ = try await undo(other) } == .refused)
            #expect(await code { _ = try await export(other) } == .refused)
        }
    }

    // MARK: - The app

    @Test func theAppTakesDocumentsOverAndHandsThemOver() async throws {
        let terminal = try await harness.withVault()
        let app = try harness.connect(.extensionForTerminal(TestService.session(100)))
        try await take(app, .keepBoth, login("One", "ada", "1", notes: "n"), passkey("example.com"))
        #expect(try await terminal.search().count == 2)
        let (text, result) = try await handOver(app)
        #expect(result.items == 2 && result.lossCount == 0)
        let compared = try await app.call(CompareDocument.self, .init(document: try file(text)))
        #expect(compared.counts == ImportCounts(duplicates: 2))
    }

    @Test func whatIsHandedOverAsksForTheMasterPasswordThoughTheVaultIsOpen() async throws {
        _ = try await harness.withVault()
        let app = try harness.connect(.extensionForTerminal(TestService.session(100)))
        #expect(await code { _ = try await handOver(app, "wrong") } == .wrongPassword)
        harness.clock.advance(by: .seconds(1))
        #expect(await code { _ = try await handOver(app, "") } == .wrongPassword)
    }

    @Test func aTerminalIsHandedNothingOver() async throws {
        let terminal = try await harness.withVault()
        #expect(await code { _ = try await handOver(terminal) } == .refused)
    }

    @Test func theAppOfAnotherTerminalTakesAndGetsNothing() async throws {
        _ = try await harness.withVault()
        let app = try harness.connect(.extensionForTerminal(TestService.session(200)))
        #expect(await code { try await take(app, .keepBoth, login("One", "ada", "1")) } == .locked)
        #expect(await code { _ = try await handOver(app) } == .locked)
    }

    @Test func whatOtherManagersCanNotReadIsToldWhenItIsHandedOver() async throws {
        let terminal = try await harness.withVault()
        let app = try harness.connect(.extensionForTerminal(TestService.session(100)))
        try await take(
            terminal, .keepBoth,
            #"{"id": "not base64!", "title": "Hologram", "credentials": [{"type": "hologram", "shape": "x"}]}"#)
        let (text, result) = try await handOver(app)
        #expect(result.items == 1 && result.losses.map(\.title) == ["Hologram"])
        #expect(!text.contains("hologram") && !text.contains("not base64!"))
    }

    private func handOver(
        _ client: Connection, _ password: String = TestService.masterPassword
    ) async throws -> (text: String, result: ExportDocument.Result) {
        let result = try await client.call(HandOverDocument.self, .init(masterPassword: try sealed(password)))
        let text = try SealedDocument(received: result.document.descriptor).withUnsafeBytes {
            (bytes) throws(ProtocolError) in String(decoding: bytes, as: UTF8.self)
        }
        return (text, result)
    }

    @Test func whatIsTooLargeIsLeftOutAndTheOthersAreStored() async throws {
        let terminal = try await harness.withVault()
        let large = login("Large", "ada", String(repeating: "x", count: 20_000))
        let taken = try await take(terminal, .keepBoth, login("One", "ada", "1"), large, login("Two", "bob", "2"))
        #expect(taken.result.counts == ImportCounts(new: 2, refused: 1) && taken.result.leftOut == 1)
        #expect(taken.findings.map(\.item) == [1] && taken.findings.first?.outcome == .leftOut)
        #expect(try await terminal.search() == ["One", "Two"])
    }

    // MARK: - What is there already

    @Test func duplicatesAreLeftOut() async throws {
        let terminal = try await harness.withVault()
        let item = login("One", "ada", "pw1", notes: "n")
        try await take(terminal, .keepBoth, item)
        let again = try await take(
            terminal, .keepBoth, item, login("Other title", "ada", "pw1", at: "https://www.example.com/login"))
        #expect(again.result.counts == ImportCounts(duplicates: 2) && again.result.added == 0)
        #expect(again.findings.map(\.stored?.title) == ["One", "One"])
        #expect(try await terminal.search() == ["One"])
    }

    @Test func theSameItemTwiceInADocumentIsStoredOnce() async throws {
        let terminal = try await harness.withVault()
        let item = login("One", "ada", "pw1")
        let taken = try await take(terminal, .keepBoth, item, login("Two", "bob", "pw2"), item)
        #expect(taken.result.added == 2 && taken.findings.map(\.sameAs) == [0])
    }

    @Test func anotherAccountAtTheSiteIsNew() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "pw1"))
        let compared = try await compare(
            terminal, login("One", "bob", "pw1"), login("One", "ada", "pw1", at: "https://example.org"),
            login("One", "ada", "pw1", at: "https://example.com:8443"))
        #expect(compared.0 == ImportCounts(new: 3))
    }

    @Test func aSecondCodeOrNoteIsNoDuplicate() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "pw1"))
        let second =
            #", {"type": "totp", "secret": "JBSWY3DPEHPK3PXP", "period": 30, "digits": 6, "algorithm": "sha1"}"#
        let compared = try await compare(
            terminal, login("One", "ada", "pw1", more: second), login("One", "ada", "pw1", notes: "new"))
        #expect(compared.0 == ImportCounts(conflicts: 2))
    }

    @Test func ofAConflictBothAreKept() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "old"))
        let taken = try await take(terminal, .keepBoth, login("Uno", "ada", "new"))
        #expect(taken.result.counts == ImportCounts(conflicts: 1) && taken.result.added == 1)
        #expect(taken.findings.first?.stored?.title == "One" && taken.findings.first?.outcome == .added)
        #expect(try await terminal.search() == ["One", "Uno"])
    }

    @Test func aConflictIsLeftOutWhereThePersonWantsThat() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "old"))
        let taken = try await take(terminal, .skip, login("Uno", "ada", "new"), login("Two", "bob", "2"))
        #expect(taken.result.added == 1 && taken.result.leftOut == 1)
        #expect(try opened(try await terminal.show(ItemName("One"), [.password]).password) == "old")
    }

    @Test func whatIsReplacedLosesNothing() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "old", notes: "first"))
        let second =
            #", {"type": "totp", "secret": "JBSWY3DPEHPK3PXP", "period": 30, "digits": 6, "algorithm": "sha1"}"#
        let item = login("Uno", "ada", "new", more: second, notes: "second")
        let taken = try await take(terminal, .replace, item)
        #expect(taken.result.replaced == 1 && taken.result.added == 0 && taken.result.undoable == 1)
        let shown = try await terminal.show(ItemName("One"), [.password, .notes, .history])
        #expect(try opened(shown.password) == "new" && opened(shown.notes) == "first")
        #expect(try shown.history.map { try opened($0.password) } == ["old"])
        #expect(shown.summary.sections?.map(\.type) == ["note", "totp"])
        #expect(try await compare(terminal, item).0 == ImportCounts(duplicates: 1))
    }

    @Test func aSiteThatTheVaultLacksIsNotLost() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "pw"))
        let item = login("One", "ada", "pw", at: #"https://www.example.com/login", "https://other.example"#)
        #expect(try await compare(terminal, item).0 == ImportCounts(conflicts: 1))
        try await take(terminal, .replace, item)
        let addresses = try await terminal.show(ItemName("One")).summary.addresses
        #expect(addresses == ["https://example.com", "https://other.example"])
        #expect(try await compare(terminal, item).0 == ImportCounts(duplicates: 1))
        _ = try await undo(terminal)
        #expect(try await terminal.show(ItemName("One")).summary.addresses == ["https://example.com"])
    }

    @Test func twoThatWouldReplaceTheSameAreBothKept() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "old"))
        let taken = try await take(terminal, .replace, login("Uno", "ada", "new"), login("Eins", "ada", "newer"))
        #expect(taken.result.replaced == 1 && taken.result.added == 1)
        #expect(try await terminal.search() == ["Eins", "One"])
    }

    // MARK: - Passkeys

    @Test(arguments: ["com", "co.uk", "192.0.2.1"])
    func aPasskeyForWhatIsNoSiteIsRefused(site: String) async throws {
        let terminal = try await harness.withVault()
        let taken = try await take(terminal, .keepBoth, passkey(site), login("One", "ada", "1"))
        #expect(taken.result.counts == ImportCounts(new: 1, refused: 1))
        #expect(try await terminal.search() == ["One"])
    }

    @Test func aPasskeyThatIsThereIsNotStoredTwice() async throws {
        let terminal = try await harness.withVault()
        let taken = try await take(terminal, .keepBoth, passkey("example.com"), passkey("login.example.com"))
        #expect(taken.result.counts == ImportCounts(new: 1, refused: 1))
        let again = try await take(terminal, .replace, passkey("example.com"))
        #expect(again.result.counts == ImportCounts(duplicates: 1) && again.findings.first?.stored?.user == "ada")
        #expect(try await terminal.search() == ["example.com"])
    }

    @Test func aPasskeyIsStoredWhereTheItemBeforeThatHasItWasLeftOut() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "old"))
        let alone = passkey("example.com")
        let credential = try #require(alone.split(separator: "[", maxSplits: 1).last).dropLast(2)
        let conflict = login("Uno", "ada", "new", more: ", " + credential)
        let taken = try await take(terminal, .skip, conflict, alone)
        #expect(taken.result.counts == ImportCounts(new: 1, conflicts: 1) && taken.result.added == 1)
        #expect(try await terminal.search().sorted() == ["One", "example.com"])
    }

    // MARK: - Taking it back

    @Test func anImportIsTakenBackWhoseNoteWasOnlyPrepared() async throws {
        let terminal = try await harness.withVault()
        let path = harness.folder + "/import"
        try await take(terminal, .keepBoth, login("One", "ada", "1"))
        let former = try #require(FileManager.default.contents(atPath: path))
        try await take(terminal, .keepBoth, login("Two", "bob", "2"))
        // As if the service had been ended right after the vault had it.
        #expect(rename(path, path + ".new") == 0)
        try former.write(to: URL(filePath: path))
        #expect(try await undo(terminal).removed == 1)
        #expect(try await terminal.search() == ["One"])
    }

    @Test func aNoteOfAnImportThatNeverCameAboutTakesNothingBack() async throws {
        let terminal = try await harness.withVault()
        let path = harness.folder + "/import"
        try await take(terminal, .keepBoth, login("One", "ada", "1"))
        let former = try #require(FileManager.default.contents(atPath: path))
        try await take(terminal, .keepBoth, login("Two", "bob", "2"))
        _ = try await terminal.call(RemoveItem.self, .init(item: ItemName("Two")))
        #expect(rename(path, path + ".new") == 0)
        try former.write(to: URL(filePath: path))
        #expect(try await undo(terminal).removed == 1)
        #expect(try await terminal.search().isEmpty)
    }

    @Test func anImportIsTakenBackAsOneStep() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Mine")
        try await take(terminal, .keepBoth, login("One", "ada", "old"))
        let before = try await terminal.show(ItemName("One"))
        let second =
            #", {"type": "totp", "secret": "JBSWY3DPEHPK3PXP", "period": 30, "digits": 6, "algorithm": "sha1"}"#
        try await take(
            terminal, .replace, login("x", "ada", "new", more: second, notes: "added"), login("Two", "bob", "2"))
        #expect(try await undo(terminal) == .init(removed: 1, restored: 1, kept: [], keptCount: 0))
        let after = try await terminal.show(ItemName("One"), [.password, .notes, .history])
        #expect(try opened(after.password) == "old" && after.notes == nil && after.history.isEmpty)
        #expect(after.summary == before.summary)
        #expect(try await terminal.search() == ["Mine", "One"])
        #expect(await code { _ = try await undo(terminal) } == .notFound)
    }

    @Test func whatWasChangedSinceStays() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("Old", "ada", "old"))
        try await take(
            terminal, .replace, login("x", "ada", "new"), login("Two", "bob", "2"), login("Three", "eve", "3"))
        _ = try await terminal.edit(ItemName("Two")) { $0.tags = ["mine"] }
        _ = try await terminal.edit(ItemName("Old")) { $0.password = try sealed("newest") }
        let undone = try await undo(terminal)
        #expect(undone.removed == 1 && undone.restored == 0 && undone.keptCount == 2)
        #expect(undone.kept.map(\.title).sorted() == ["Old", "Two"])
        #expect(try opened(try await terminal.show(ItemName("Old"), [.password]).password) == "newest")
    }

    @Test func anImportIsTakenBackAfterTheServiceStartedAgain() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "1"), login("Two", "bob", "2"))
        let next = try harness.connectToNextService()
        try await next.unlock()
        #expect(try await undo(next).removed == 2)
        #expect(try await next.search().isEmpty)
    }

    @Test func anImportIsTakenBackUnderANewMasterPassword() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "1"))
        _ = try await terminal.call(
            ChangeMasterPassword.self,
            .init(old: try sealed(TestService.masterPassword), new: try sealed("another"), derivation: nil))
        #expect(try await undo(terminal).removed == 1)
    }

    @Test func aNoteThatTheVaultDidNotSealTakesNothingBack() async throws {
        let terminal = try await harness.withVault()
        try await take(terminal, .keepBoth, login("One", "ada", "1"))
        let path = harness.folder + "/import"
        var bytes = try #require(FileManager.default.contents(atPath: path))
        #expect(bytes.firstRange(of: Data("added".utf8)) == nil)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path))
        #expect(await code { _ = try await undo(terminal) } == .notFound)
        #expect(try await terminal.search() == ["One"])
    }

    // MARK: - Exporting

    @Test func anExportAsksForTheMasterPasswordThoughTheVaultIsOpen() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One")
        #expect(await code { _ = try await export(terminal, "wrong") } == .wrongPassword)
        harness.clock.advance(by: .seconds(1))
        #expect(await code { _ = try await export(terminal, "") } == .wrongPassword)
        harness.clock.advance(by: .seconds(2))
        let (text, result) = try await export(terminal)
        #expect(result.items == 1 && text.contains("pw of One"))
    }

    @Test func aWrongPasswordForAnExportCountsAsOne() async throws {
        let terminal = try await harness.withVault()
        #expect(await code { _ = try await export(terminal, "wrong") } == .wrongPassword)
        try await terminal.lock()
        #expect(try await terminal.call(VaultStatus.self, Nothing()).attemptWait > 0)
    }

    @Test func theBrokerIsAskedBeforeAnythingIsExported() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One")
        let asked = Mutex<[PermitService.Purpose]>([])
        let gate = HandoutGate { (purpose) throws(ProtocolError) in
            asked.withLock { $0.append(purpose) }
            if purpose == .export { throw ProtocolError(.interactionRequired, "not in the background") }
        }
        let parameters = ExportDocument.Parameters(masterPassword: try sealed(TestService.masterPassword))
        let failure = await code {
            _ = try await harness.service.export(parameters, for: TestService.terminal, gate)
        }
        #expect(failure == .interactionRequired && asked.withLock { $0 } == [.use, .export])
    }

    @Test func whatIsExportedIsADuplicateOfWhatIsThere() async throws {
        let terminal = try await harness.withVault()
        let second =
            #", {"type": "totp", "secret": "JBSWY3DPEHPK3PXP", "period": 30, "digits": 6, "algorithm": "sha1"}"#
        try await take(
            terminal, .keepBoth, login("One", "ada", "1", more: second, notes: "n"), passkey("example.com"),
            #"{"id": "c", "title": "Card", "credentials": [{"type": "credit-card", "number": "#
                + #"{"fieldType": "concealed-string", "value": "4111"}}]}"#)
        let (text, result) = try await export(terminal)
        #expect(result.items == 3 && result.lossCount == 0)
        let compared = try await terminal.call(CompareDocument.self, .init(document: try file(text)))
        #expect(compared.counts == ImportCounts(duplicates: 3))
        _ = try await undo(terminal)
        let taken = try await terminal.call(
            ImportDocument.self, .init(document: try file(text), conflicts: .keepBoth))
        #expect(taken.added == 3)
        #expect(try await export(terminal).text.count == text.count)
    }

    @Test func whatADocumentCannotSayIsTold() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("One") { $0.user = "ada" }
        _ = try await terminal.edit(ItemName("One")) { $0.password = try sealed("new") }
        let result = try await export(terminal).result
        #expect(result.lossCount == 1 && result.losses.map(\.title) == ["One"])
    }
}
