import AutoFillProtocol
import AutoFillWire
import Benchmarking
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// A session whose vault holds the sample items, and whose provider is turned on.
final class Fixture: Sendable {
    let session: Session
    let items: SampleItems

    /// Makes the vault; afterwards nothing runs.
    ///
    /// - Parameters:
    ///   - isShared: whether a second provider is on, with an account for each address too.
    ///   - derivation: how the master password becomes a key.
    init(
        _ items: SampleItems, in session: Session, isShared: Bool = false, derivation: PasswordDerivation = .floor
    ) async throws {
        self.items = items
        self.session = session
        do {
            let broker = try await session.connect(as: .terminal)
            _ = try await broker.call(
                SetProviderEnabled.self, .init(identifier: PasswordsProvider.identifier, isEnabled: true))
            let status = try await session.connectToService().call(VaultStatus.self, Nothing())
            if isShared {
                try IdentityFixture.install(in: session)
                let app = try await IdentityFixture.turnOn(in: session)
                try await IdentityFixture.replace(by: items, through: app)
                app.close()
            }
            try session.stopBroker()
            try items.makeVault(at: status.path, derivation: derivation)
        } catch {
            session.close()
            throw error
        }
    }

    /// A conversation with the service, with the vault open to this process and its extension, and the identity store
    /// complete.
    func open() async throws -> Connection {
        let service = try await session.connectToService()
        let status = try await service.call(VaultStatus.self, Nothing())
        if status.access != .open {
            _ = try await service.call(
                UnlockVault.self, .init(masterPassword: Attachment(try SampleItems.secret(SampleItems.master))))
        }
        try await waitForIdentities()
        return service
    }

    /// Sees that the person can be verified, and is not asked for what is measured.
    func letThePersonBeVerified() async throws {
        let broker = try await session.connect(as: .terminal)
        defer { broker.close() }
        let state = try await broker.call(VerificationState.self, Nothing())
        guard !state.methods.contains(where: \.isAvailable) else { return }
        _ = try await broker.call(
            ChangeVerification.self, .init(settings: VerificationSettings(rule: .never, grace: 0)))
        _ = try await broker.call(ChangePIN.self, .init(pin: Attachment(try SampleItems.secret("271828"))))
    }

    private func waitForIdentities() async throws {
        let broker = try await session.connect(as: .terminal)
        let started = MonotonicTime.now
        while true {
            let list = try await broker.call(ListProviders.self, Nothing())
            let held = list.providers.first { $0.reference.identifier == PasswordsProvider.identifier }?.identities ?? 0
            if held >= items.count { return broker.close() }
            guard MonotonicTime.now.since(started) < .seconds(120) else {
                throw BenchmarkFailure("the identity store holds \(held) of \(items.count)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// The fixtures that rows share: making one with 100,000 items takes a while.
actor Fixtures {
    private struct Key: Hashable {
        let count: Int
        let layout: SampleItems.Layout
        var isShared = false
        var derivation = PasswordDerivation.floor
    }

    private var stores: [Key: IdentityFixture] = [:]
    /// What the rows of smaller sizes measured.
    private var rows: [String: [Int: BenchmarkRow]] = [:]

    private let stage: String
    private var sessions: [Session] = []
    private var made: [Key: Fixture] = [:]

    init(stage: String) {
        self.stage = stage
    }

    /// A new session, which is known from the start: whoever interrupts while it is filled leaves nothing behind.
    private func session() throws -> Session {
        let session = try Session(stage: stage)
        sessions.append(session)
        return session
    }

    /// The fixture with that many items. Rows run one after the other, so nobody else makes it meanwhile.
    func fixture(
        _ count: Int, _ layout: SampleItems.Layout = .ownSites, isShared: Bool = false,
        derivation: PasswordDerivation = .floor
    ) async throws -> Fixture {
        let key = Key(count: count, layout: layout, isShared: isShared, derivation: derivation)
        if let fixture = made[key] { return fixture }
        let fixture = try await Fixture(
            SampleItems(count, layout), in: session(), isShared: isShared, derivation: derivation)
        made[key] = fixture
        return fixture
    }

    /// A fixture that nobody else gets, for what changes it; it is gone when `body` has ended.
    func once<Result: Sendable>(
        _ items: SampleItems, _ body: @Sendable (Fixture) async throws -> Result
    ) async throws -> Result {
        let session = try session()
        let fixture = try await Fixture(items, in: session)
        let result = try await body(fixture)
        ended += session.cpuSeconds
        session.close()
        sessions.removeAll { $0 === session }
        return result
    }

    /// Whether it takes no longer than another row of its size, where that was measured.
    func pace(of row: BenchmarkRow, beside other: String) -> [BenchmarkRow.Goal] {
        rows[row.name, default: [:]][row.size] = row
        guard row.name != other, let other = rows[other]?[row.size] else { return [] }
        // A twentieth is what runs of the same differ by.
        return [.init("no slower than \(other.name)", row.samples.median <= other.samples.median * 1.05)]
    }

    /// The fixture with that many identities and no vault.
    func identities(_ count: Int, _ layout: SampleItems.Layout = .ownSites) async throws -> IdentityFixture {
        let key = Key(count: count, layout: layout)
        if let fixture = stores[key] { return fixture }
        let fixture = try await IdentityFixture(SampleItems(count, layout), in: session())
        stores[key] = fixture
        return fixture
    }

    /// Whether a million takes little more memory than a tenth of it did, where that was measured too.
    func memory(of row: BenchmarkRow) -> [BenchmarkRow.Goal] {
        rows[row.name, default: [:]][row.size] = row
        guard let smaller = rows[row.name]?[row.size / 10]?.peakMiB, let peak = row.peakMiB, row.size >= 1_000_000
        else { return [] }
        return [.init("memory <= 1.2 times that at \(row.size / 10)", peak <= smaller * 1.2)]
    }

    /// Whether the time is not that of the smallest size many times over.
    func flatness(of row: BenchmarkRow) -> [BenchmarkRow.Goal] {
        rows[row.name, default: [:]][row.size] = row
        guard let (size, least) = rows[row.name]?.min(by: { $0.key < $1.key }), size < row.size else { return [] }
        return [.init("median <= 2 times that at \(size)", row.samples.median <= least.samples.median * 2)]
    }

    /// What the processors worked for all of them so far, in seconds.
    var cpuSeconds: Double { sessions.reduce(ended) { $0 + $1.cpuSeconds } }
    /// The same for sessions that are gone.
    private var ended = 0.0

    /// Ends what runs in any of them; the vaults stay.
    func stop() throws {
        for fixture in made.values { try fixture.session.stopBroker() }
        for fixture in stores.values { try fixture.session.stopBroker() }
    }

    /// Ends and removes all of them.
    func close() {
        for session in sessions { session.close() }
        (sessions, made, stores) = ([], [:], [:])
    }
}
