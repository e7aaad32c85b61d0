import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import ClockTestSupport
import Foundation
import PasswordRules
import KeywaySystem
import Synchronization

@testable import AutoFillBroker
@testable import BrokerBase

/// A broker in a folder of its own, with one bundle, a clock that stands still, and clients over socket pairs.
final class BrokerFixture: Sendable {
    static let provider = "test.vault"
    static let page = TestIdentity.page
    /// What is known of sites in public, as it ships.
    static let quirks =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Packaging/share/quirks"

    let folder: TemporaryFolder
    let clock = ManualClock()
    let bundles: FakeBundles
    let broker: Broker
    let storeKey = ScriptedStoreKey()
    /// Who lets programs ask and turns providers on.
    let person: ScriptedPerson
    let lines = Mutex<[String]>([])

    init(
        _ bundles: FakeBundles, information: [String: Any] = ["KeywayService": "service"], hasTerminal: Bool = true,
        person: ScriptedPerson = ScriptedPerson(), verifier: (any PersonVerifier)? = nil, sheets: FakeSheets? = nil,
        policy: PolicyFiles = .none,
        isInBackground: @escaping @Sendable (Connection) -> Bool = { _ in false }
    ) throws {
        self.bundles = bundles
        self.person = person
        folder = try TemporaryFolder()
        try TestBundle.install(in: folder, information)
        let environment = [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path + "/run", "XDG_DATA_DIRS": folder.path + "/system",
        ]
        let lines = Mutex<[String]>([])
        _ = lines
        broker = try Broker(
            paths: try KeywayPaths(environment: environment), launcher: bundles, storeKey: storeKey,
            clock: clock, log: EventLog { _ in }, policy: policy,
            sheets: sheets.map { [clock] in
                SheetWindows(
                    session: FakeSession(display: ":1"), launcher: $0, clock: clock, log: EventLog { _ in })
            }, consent: ConsentQuestions(sheets: person, verifier: verifier),
            quirks: SiteQuirks(folder: Self.quirks),
            hasTerminal: { _ in hasTerminal }, isInBackground: isInBackground)
    }

    /// A greeted client.
    func client(_ role: Role = .browser, _ methods: MethodTable = MethodTable()) async throws -> Connection {
        let (ours, theirs) = try LocalSocket.pair()
        broker.serve(theirs)
        let connection = Connection(descriptor: ours, peer: .known(.broker), methods: methods)
        connection.start()
        try await connection.greet(as: role, name: "test")
        return connection
    }

    /// Enables the provider and puts identities into its store, as its service would.
    func provide(_ identities: [CredentialIdentity]) async throws {
        let terminal = try await client(.terminal)
        _ = try await terminal.call(SetProviderEnabled.self, .init(identifier: Self.provider, isEnabled: true))
        if !identities.isEmpty { try await write(.save, identities) }
        terminal.close()
    }

    func write(_ operation: WriteIdentities.Operation, _ identities: [CredentialIdentity]) async throws {
        let now = clock.now
        _ = try await broker.stores.use(Self.provider) {
            try await $0.writer.write(
                .init(operation: operation, identities: identities), owner: ObjectIdentifier(self), now: now)
        }
    }

    static func identity(
        _ user: String = "ada", at service: String = "https://a.example", record: String? = "r1", rank: Int = 0
    ) -> CredentialIdentity {
        TestIdentity.password(user, at: service, record: record, rank: rank)
    }
}

extension Connection {
    func suggestions(_ page: ServiceIdentifier = BrokerFixture.page) async throws -> [Suggestion] {
        try await call(Suggest.self, .init(services: [page])).suggestions
    }

    func fill(
        _ handle: String, presents: Bool = false, isPrivate: Bool? = nil, willSend: (Int) -> Void = { _ in }
    ) async throws -> Fill.Result {
        try await call(
            Fill.self,
            .init(
                target: .suggestion(handle: handle), services: [BrokerFixture.page], presents: presents,
                isPrivate: isPrivate), willSend: willSend)
    }
}

extension Attachment {
    var text: String {
        get throws { try sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }
}
