import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import PasswordsProtocol
import Synchronization
import Testing

@testable import PasswordsService

/// An older vault put back together with, or without, what the state folder says (T26): the broker's register knows.
@Suite struct RegisteredVersionTests {
    let harness: TestService
    /// What the register of the broker holds.
    private let register = TestRegister()

    init() throws { harness = try TestService() }

    private func broker() throws -> TestBroker { try TestBroker(harness, register: register) }

    /// A vault with one item, and a copy of the file without it; the service has ended.
    private func vaultAndOlderCopy() async throws -> Data {
        let broker = try broker()
        let terminal = try await broker.attach(TestService.terminal)
        try await terminal.create(TestService.masterPassword)
        let older = try #require(FileManager.default.contents(atPath: harness.vaultPath))
        try await terminal.add("New")
        let register = register
        try await harness.until { register.noted.withLock { $0.values.max() == 2 } }
        broker.connection.close()
        await broker.serving.value
        return older
    }

    @Test func aNoteThatWasTakenAwayHidesNoOlderCopy() async throws {
        let older = try await vaultAndOlderCopy()
        try older.write(to: URL(filePath: harness.vaultPath))
        try FileManager.default.removeItem(atPath: harness.folder + "/epochs")
        let broker = try broker()
        let terminal = try await broker.attach(TestService.terminal)
        #expect(await code { try await terminal.unlock() } == .refused)
        try await terminal.unlock(acceptsOlderCopy: true)
        #expect(try await terminal.search().isEmpty)
        // It went on from after both: what was refused once is the newest state now, there too.
        let register = register
        try await harness.until { register.noted.withLock { $0.values.max() == 3 } }
        broker.connection.close()
        await broker.serving.value
    }

    @Test func aNoteThatCannotBeReadDoesNotMakeTheRegisterForgotten() async throws {
        let older = try await vaultAndOlderCopy()
        try older.write(to: URL(filePath: harness.vaultPath))
        let notes = harness.folder + "/epochs"
        for name in try FileManager.default.contentsOfDirectory(atPath: notes) {
            try Data("nonsense".utf8).write(to: URL(filePath: "\(notes)/\(name)"))
        }
        let broker = try broker()
        let terminal = try await broker.attach(TestService.terminal)
        #expect(await code { try await terminal.unlock() } == .refused)
        try await terminal.unlock(acceptsOlderCopy: true)
        try await terminal.lock()
        try await terminal.unlock()
        broker.connection.close()
        await broker.serving.value
    }

    @Test func aRegisterThatIsLostLocksNobodyOutAndIsTold() async throws {
        _ = try await vaultAndOlderCopy()
        register.noted.withLock { $0 = [:] }
        register.isLost.close()
        let broker = try broker()
        let terminal = try await broker.attach(TestService.terminal)
        try await terminal.unlock()
        #expect(harness.log.all.contains { $0.contains("register of versions is lost") })
        broker.connection.close()
        await broker.serving.value
    }

    @Test func aBrokerThatKnowsNothingOfItLocksNobodyOut() async throws {
        _ = try await vaultAndOlderCopy()
        let broker = try TestBroker(harness)
        let terminal = try await broker.attach(TestService.terminal)
        try await terminal.unlock()
        #expect(try await terminal.search() == ["New"])
        broker.connection.close()
        await broker.serving.value
    }

    @Test func aNoteKeepsNoAnswerWaiting() async throws {
        register.holdsBack.close()
        let broker = try broker()
        let terminal = try await broker.attach(TestService.terminal)
        try await terminal.create(TestService.masterPassword)
        try await terminal.add("One")
        try await terminal.add("Two")
        #expect(try await terminal.search() == ["One", "Two"])
        #expect(register.noted.withLock { $0.isEmpty })
        broker.connection.close()
        await broker.serving.value
    }
}

/// What a broker's register holds; a test can lose it, or keep it from answering.
final class TestRegister: Sendable {
    let noted = Mutex<[String: UInt64]>([:])
    let isLost = Gate()
    let holdsBack = Gate()

    /// Answers a service as the broker does.
    func add(to table: inout MethodTable) {
        table.on(ReadVersion.self) { [self] parameters, _ in
            .init(version: noted.withLock { $0[parameters.file] }, isLost: isLost.isClosed)
        }
        table.on(NoteVersion.self) { [self] parameters, _ in
            // Until the connection ends, which cancels the request.
            if holdsBack.isClosed { try await Task.sleep(for: .seconds(600)) }
            noted.withLock { $0[parameters.file] = max($0[parameters.file] ?? 0, parameters.version) }
            return Nothing()
        }
    }
}
