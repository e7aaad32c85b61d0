import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol
import Synchronization
import Testing

@testable import AutoFillWire
@testable import PasswordsService

/// Nothing is handed out to a terminal, and nothing of the open vault is used, before the broker says so.
@Suite struct HandoutGateTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    /// What the vault asked for, and what it was answered.
    private final class Asked: Sendable {
        private struct State {
            var purposes: [PermitService.Purpose] = []
            var (refuses, refusesComparisons) = (false, false)
        }

        private let state = Mutex(State())

        var purposes: [PermitService.Purpose] { state.withLock { $0.purposes } }
        func refuse(onlyComparisons: Bool = false) {
            state.withLock { state in
                if onlyComparisons { state.refusesComparisons = true } else { state.refuses = true }
            }
        }
        func clear() { state.withLock { $0.purposes = [] } }

        var gate: HandoutGate {
            HandoutGate { (purpose) throws(ProtocolError) in
                let refuses = self.state.withLock { state in
                    state.purposes.append(purpose)
                    if case .comparison = purpose, state.refusesComparisons { return true }
                    return state.refuses
                }
                if refuses { throw ProtocolError(.notVerified, "not you") }
            }
        }
    }

    private func connect(
        _ asked: Asked, _ client: ServiceClient = TestService.terminal
    ) throws -> Connection {
        let (ours, theirs) = try LocalSocket.pair()
        Connection(
            descriptor: theirs, peer: .known(.serviceClient),
            methods: harness.service.methods(for: client, gate: asked.gate)
        ).start()
        let connection = Connection(descriptor: ours, peer: .known(.providerService))
        connection.start()
        return connection
    }

    private func stage() async throws -> (Asked, Connection) {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.user = "ada" }
        let asked = Asked()
        return (asked, try connect(asked))
    }

    @Test(arguments: HandoutRequests.guarded.indices) func whatTheBrokerRefusesIsNotAnswered(
        index: Int
    ) async throws {
        let (asked, terminal) = try await stage()
        let item = try await terminal.show(ItemName("Example")).summary.id
        let (question, request) = HandoutRequests.guarded[index]
        let client = try connect(asked, request.client)
        asked.clear()
        asked.refuse()
        let said = await message { try await request.send(client, item) }
        #expect(said == "not you", "\(request.label)")
        #expect(asked.purposes.count == 1, "\(request.label)")
        #expect(HandoutRequests.Question(asked.purposes.first) == question, "\(request.label)")
        #expect(try await harness.connect().search() == ["Example"])
    }

    @Test(arguments: HandoutRequests.ofTheExtension.indices) func whatIsForTheExtensionNoTerminalIsAnswered(
        index: Int
    ) async throws {
        let (_, terminal) = try await stage()
        let item = try await terminal.show(ItemName("Example")).summary.id
        let request = HandoutRequests.ofTheExtension[index]
        #expect(await code { try await request.send(terminal, item) } == .refused, "\(request.label)")
        #expect(try await terminal.search() == ["Example"])
    }

    @Test func eachMethodOfTheServiceAsksOrSaysWhyNot() {
        let methods = harness.service.methods(for: TestService.terminal).methods.keys
        let asking = Set(HandoutRequests.guarded.map(\.1.method))
        let ofTheExtension = Set(HandoutRequests.ofTheExtension.map(\.method))
        let known = Array(asking) + Array(ofTheExtension) + Array(HandoutRequests.exempt.keys)
        #expect(known.sorted() == methods.sorted())
    }

    @Test func secretsAreAskedForByTheirAccountAndNamesAsSuch() async throws {
        let (asked, terminal) = try await stage()
        let shown = try await terminal.show(ItemName("Example"), [.password])
        guard case .account(let account) = asked.purposes.first else {
            Issue.record("\(asked.purposes)")
            return
        }
        #expect(asked.purposes.count == 1)
        #expect(account.record == shown.summary.id && account.user == "ada" && account.kind == .password)
        asked.clear()
        // What is in a file, too, before anybody hears whether it is there.
        _ = await code { _ = try await terminal.call(ReadFile.self, .init(item: ItemName("Example"), file: "a")) }
        #expect(asked.purposes == [.account(account)])
        asked.clear()
        _ = try await terminal.show(ItemName("Example"))
        _ = try await terminal.search()
        #expect(asked.purposes == [.names, .names])
    }

    // MARK: - Guesses

    private func login(_ title: String, _ user: String, _ password: String) -> String {
        """
        {"id": "\(title)", "title": "\(title)", "credentials": [{"type": "basic-auth",
         "username": {"fieldType": "string", "value": "\(user)"},
         "password": {"fieldType": "concealed-string", "value": "\(password)"}}]}
        """
    }

    private func document(_ items: String...) throws -> Attachment {
        let text = """
            {"version": {"major": 1, "minor": 0}, "exporterRpId": "a", "exporterDisplayName": "a", "timestamp": 1,
             "accounts": [{"id": "AA", "username": "", "email": "", "collections": [],
             "items": [\(items.joined(separator: ","))]}]}
            """
        let document = try SealedDocument { (write) throws(ProtocolError) in
            var outcome = Result<Void, ProtocolError>.success(())
            Array(text.utf8).withUnsafeBytes { bytes in
                outcome = Result { () throws(ProtocolError) in try write(bytes) }
            }
            try outcome.get()
        }
        return Attachment(document.descriptor)
    }

    private func stageWithPassword() async throws -> (Asked, Connection) {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") {
            $0.user = "ada"
            $0.password = try? sealed("right")
        }
        let asked = Asked()
        return (asked, try connect(asked))
    }

    @Test func aGuessIsAskedForAsTheSecretItself() async throws {
        let (asked, terminal) = try await stageWithPassword()
        let guess = try document(login("Example", "ada", "wrong"), login("Example", "ada", "right"))
        let counts = try await terminal.call(CompareDocument.self, .init(document: guess)).counts
        #expect(counts.duplicates == 1 && counts.conflicts == 1)
        guard asked.purposes.count == 2, case .comparison(let accounts) = asked.purposes.last else {
            Issue.record("\(asked.purposes)")
            return
        }
        #expect(accounts.count == 1)
        #expect(accounts.records == [try await terminal.show(ItemName("Example")).summary.id])
        asked.refuse(onlyComparisons: true)
        #expect(
            await message { _ = try await terminal.call(CompareDocument.self, .init(document: guess)) } == "not you")
        #expect(
            await message {
                _ = try await terminal.call(
                    ImportDocument.self, .init(document: try document(login("Example", "ada", "x")), conflicts: .skip))
            } == "not you")
    }

    @Test func whatIsNewIsComparedWithNothing() async throws {
        let (asked, terminal) = try await stageWithPassword()
        let other = try document(login("Example", "eve", "right"), login("Other", "ada", "right"))
        let result = try await terminal.call(ImportDocument.self, .init(document: other, conflicts: .keepBoth))
        #expect(result.added == 2)
        #expect(!asked.purposes.contains { if case .comparison = $0 { true } else { false } })
    }

    @Test func whatAnImportComparesIsAskedForOnce() async throws {
        let (asked, terminal) = try await stageWithPassword()
        let guess = try document(login("Example", "ada", "right"))
        func comparisons() -> Int { asked.purposes.count { if case .comparison = $0 { true } else { false } } }
        let result = try await terminal.call(ImportDocument.self, .init(document: guess, conflicts: .skip))
        #expect(result.counts.duplicates == 1 && comparisons() == 1)
        _ = try await terminal.call(ImportDocument.self, .init(document: guess, conflicts: .skip))
        #expect(comparisons() == 1, "the same document again says nothing new")
        let another = try document(login("Example", "ada", "right"))
        _ = try await terminal.call(CompareDocument.self, .init(document: another))
        _ = try await terminal.call(ImportDocument.self, .init(document: another, conflicts: .skip))
        #expect(comparisons() == 2)
    }

    @Test func anAccountThatCameLaterIsNotCompared() async throws {
        let (_, terminal) = try await stageWithPassword()
        let guess = try document(login("Example", "ada", "right"), login("Later", "ada", "guess"))
        _ = try await terminal.call(CompareDocument.self, .init(document: guess))
        try await terminal.add("Later") {
            $0.user = "ada"
            $0.password = try? sealed("guess")
        }
        let result = try await terminal.call(ImportDocument.self, .init(document: guess, conflicts: .skip))
        #expect(result.counts.duplicates == 1 && result.counts.conflicts == 1)
    }

    @Test func whatNeedsNoOpenVaultIsAskedOfNobody() async throws {
        let (asked, terminal) = try await stage()
        asked.refuse()
        #expect(try await terminal.access() == .open)
        _ = try await terminal.call(GeneratePassword.self, .init(length: 20, digits: true, symbols: true))
        try await terminal.lock()
        try await terminal.unlock()
        #expect(asked.purposes.isEmpty)
    }

    @Test func aVaultThatIsLockedWhileThePersonIsAskedGivesNothing() async throws {
        _ = try await stage()
        let gate = HandoutGate { [service = harness.service] (_) throws(ProtocolError) in await service.lock("test") }
        let (ours, theirs) = try LocalSocket.pair()
        Connection(
            descriptor: theirs, peer: .known(.serviceClient),
            methods: harness.service.methods(for: TestService.terminal, gate: gate)
        ).start()
        let terminal = Connection(descriptor: ours, peer: .known(.providerService))
        terminal.start()
        #expect(await code { _ = try await terminal.show(ItemName("Example"), [.password]) } == .locked)
    }
}
