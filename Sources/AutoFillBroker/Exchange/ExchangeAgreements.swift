import AutoFillProtocol
import AutoFillWire
import BrokerBase
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import ProviderHosting
import Synchronization

/// An export, from whoever asks for it.
struct ExchangeExport: Sendable {
    /// Whose accounts.
    let exporter: ProviderBundle
    /// Who asks, as the history calls it.
    let client: String
    /// The file of the app, where it is one that the broker did not start.
    let path: String?
    /// The one provider that is wanted; nil for any.
    let only: String?
    /// Where the person sees it.
    var surface: ExchangeSurface
    /// Whether the exporter's app continues an activity itself, and so has the place where the person looks.
    let isPartOfAnother: Bool
}

/// What the person agreed to: these accounts, for that provider.
struct ExchangeAgreement: Sendable {
    var export: ExchangeExport
    let match: ExchangeMatch
    /// How they were verified for it.
    let method: VerificationMethod
}

/// The agreements whose data has not come yet. Each counts once, for the connection that asked for it, and not for long.
final class ExchangeAgreements: Sendable {
    /// How long an app may take to put its data together.
    static let life = Duration.seconds(600)
    /// The most that wait; more are refused.
    static let most = 8

    private struct Entry {
        let agreement: ExchangeAgreement
        let owner: ObjectIdentifier
        let end: Task<Void, Never>
    }

    private let clock: any TimeSource
    private let entries = Mutex<[UUID: Entry]>([:])

    init(clock: any TimeSource) {
        self.clock = clock
    }

    /// Keeps `agreement` for `connection`.
    ///
    /// - Returns: its name to ``take(_:for:)``.
    /// - Throws: ``ProtocolError`` with the code `busy` when too many wait.
    func put(_ agreement: ExchangeAgreement, for connection: Connection) throws(ProtocolError) -> String {
        let (name, owner) = (UUID(), ObjectIdentifier(connection))
        let end = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.life)) != nil else { return }
            self?.remove { key, _ in key == name }
        }
        let isKept = entries.withLock { entries in
            guard entries.count < Self.most else { return false }
            entries[name] = Entry(agreement: agreement, owner: owner, end: end)
            return true
        }
        guard isKept else {
            end.cancel()
            throw ProtocolError(.busy, "Other exports are waiting already. Try again later.")
        }
        connection.onClose { [weak self] in self?.remove { _, entry in entry.owner == owner } }
        return name.uuidString
    }

    /// The agreement called `name`, if `connection` made it; it counts no more.
    ///
    /// - Throws: ``ProtocolError`` with the code `notFound`.
    func take(_ name: String, for connection: Connection) throws(ProtocolError) -> ExchangeAgreement {
        let entry = entries.withLock { entries -> Entry? in
            guard let name = UUID(uuidString: name), entries[name]?.owner == ObjectIdentifier(connection) else {
                return nil
            }
            return entries.removeValue(forKey: name)
        }
        guard let entry else {
            throw ProtocolError(.notFound, "You didn't agree to this export, or it took too long. Start it again.")
        }
        entry.end.cancel()
        return entry.agreement
    }

    /// Forgets all of them: whoever is at the keyboard now may be somebody else.
    func removeAll() {
        remove { _, _ in true }
    }

    /// How many wait.
    var count: Int { entries.withLock { $0.count } }

    private func remove(_ isMeant: (UUID, Entry) -> Bool) {
        let gone = entries.withLock { entries in
            let gone = entries.filter { isMeant($0.key, $0.value) }
            for name in gone.keys { entries[name] = nil }
            return Array(gone.values)
        }
        for entry in gone {
            entry.end.cancel()
            entry.agreement.export.surface.finish(false)
        }
    }
}
