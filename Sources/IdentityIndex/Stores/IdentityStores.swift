package import BrokerBase
import Glibc
import KeywayCrypto
import KeywaySQLite
package import KeywaySystem
package import ServiceMatching

/// One provider's store while it is open.
package struct IdentityStore: Sendable {
    /// What changes it.
    package let writer: IdentityWriter
    /// What reads it.
    package let reader: IdentityReader
}

/// The identity stores of all providers: one file each, `IDENTIFIER.sqlite`, in one folder.
package actor IdentityStores {
    /// Told to programs that make backups, by the specification of cache folders (bford.info/cachedir).
    private static let cacheTag = """
        Signature: 8a477f597d28d172789f06886806bc55
        # What providers told Keyway to suggest. They send it again, so it belongs into no backup.

        """

    private let folder: String
    private let suffixes: PublicSuffixes
    let source: any StoreKeySource
    let clock: any TimeSource
    let log: EventLog
    /// What else holds opened identities.
    package nonisolated let opened = OpenedIdentities()
    /// Where settings get the key from that stands behind their codes.
    package nonisolated let settings: SettingsSeal
    private var enabled: Set<String> = []
    private var open: [String: IdentityStore] = [:]
    private var closing: [String: Task<Void, Never>] = [:]

    /// The key, while it is open.
    var key: SecretKey?
    /// What the source said last.
    var state: StoreKeyAnswer?
    var fetching: Task<Void, Never>?
    var lastFailure: MonotonicTime?
    /// Set while the login session is locked; when that was looked at last.
    var lockedSince: MonotonicTime?
    var lockCount = 0
    /// Asks whether the login session is locked; nil for nobody to ask.
    var isSessionLocked: (@Sendable () async -> Bool)?

    /// The stores in `folder`, which is made and checked.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` or `system` when the folder is not ours alone.
    package init(
        folder: String, suffixes: PublicSuffixes, key source: any StoreKeySource, clock: any TimeSource, log: EventLog
    ) throws(ProtocolError) {
        try PrivateFolder.prepare(folder)
        let tag = folder + "/CACHEDIR.TAG"
        // A full disk keeps the broker from nothing else.
        if access(tag, F_OK) != 0 { try? FileContents.replace(tag, with: Array(Self.cacheTag.utf8)) }
        self.folder = folder
        self.suffixes = suffixes
        self.source = source
        self.clock = clock
        self.log = log
        settings = SettingsSeal(log: log)
    }

    /// The store of an enabled provider; made when there is none, and made anew when it is damaged.
    ///
    /// - Throws: ``ProtocolError`` with the code `disabled`, `locked`, `system` or `busy`.
    package func store(of identifier: String) async throws(ProtocolError) -> IdentityStore {
        while true {
            await settle(identifier)
            guard enabled.contains(identifier) else {
                throw ProtocolError(.disabled, "The provider is not turned on, so it has no store.")
            }
            if let store = open[identifier] { return store }
            let key = try await openKey()
            // Anything may have happened meanwhile.
            guard self.key != nil, enabled.contains(identifier), closing[identifier] == nil else { continue }
            if let store = open[identifier] { return store }
            do {
                return try openFile(identifier, key)
            } catch  where error.isDamage {
                log("identity store of \(identifier) cannot be opened and was emptied; the provider sends all again")
                IdentityDatabase.remove(path: path(of: identifier))
            } catch {
                throw ProtocolError(error)
            }
            do {
                return try openFile(identifier, key)
            } catch {
                throw ProtocolError(error)
            }
        }
    }

    /// Runs `body` on a store; one that turns out damaged is emptied, so that the next call succeeds.
    ///
    /// - Throws: ``ProtocolError``.
    package func use<Result: Sendable>(
        _ identifier: String, _ body: @Sendable (IdentityStore) async throws -> Result
    ) async throws(ProtocolError) -> Result {
        while true {
            let store = try await store(of: identifier)
            do {
                return try await body(store)
            } catch let error as SQLiteError {
                if error.isDamage, open[identifier]?.writer === store.writer {
                    log("identity store of \(identifier) is damaged and was emptied; the provider sends all again")
                    await wipe(identifier)
                }
                throw ProtocolError(error)
            } catch let error as ProtocolError {
                // It was closed just then: what was asked for did not happen, and another may be opened.
                guard error.code == .locked, open[identifier]?.writer !== store.writer else { throw error }
            } catch {
                throw ProtocolError(.internalError, "The identity store failed.")
            }
        }
    }

    /// Wipes a provider's store: whatever is asked of it next finds an empty one.
    package func wipe(_ identifier: String) async {
        await settle(identifier)
        let store = open.removeValue(forKey: identifier)
        let path = path(of: identifier)
        store?.writer.interrupt()
        let task = Task {
            await store?.reader.close()
            await store?.writer.close()
            IdentityDatabase.remove(path: path)
        }
        closing[identifier] = task
        await settle(identifier)
    }

    /// From now on these providers have a store; every other store is wiped.
    package func keepOnly(_ identifiers: Set<String>) async {
        enabled = identifiers
        var found = Set(open.keys)
        for name in Folder.entries(folder) where name.hasSuffix(".sqlite") { found.insert(String(name.dropLast(7))) }
        for identifier in found.subtracting(identifiers) {
            log("identity store of \(identifier) wiped: the provider is gone or disabled")
            await wipe(identifier)
        }
    }

    /// Closes all stores; their files stay. Writes that run are given up.
    package func close() async {
        for (identifier, store) in open {
            store.writer.interrupt()
            let before = closing[identifier]
            closing[identifier] = Task {
                await before?.value
                await store.reader.close()
                await store.writer.close()
            }
        }
        open = [:]
        for identifier in closing.keys { await settle(identifier) }
    }

    /// Waits until nobody closes that store any more.
    private func settle(_ identifier: String) async {
        while let task = closing[identifier] {
            await task.value
            if closing[identifier] == task { closing[identifier] = nil }
        }
    }

    private func path(of identifier: String) -> String { "\(folder)/\(identifier).sqlite" }

    private func openFile(_ identifier: String, _ key: SecretKey) throws(SQLiteError) -> IdentityStore {
        let path = path(of: identifier)
        let table = try IdentityDatabase.open(path: path, provider: identifier, key: key, suffixes: suffixes)
        let keys = table.keys
        let reader = try IdentityReader(path: path, keys: keys, suffixes: suffixes)
        let store = IdentityStore(writer: IdentityWriter(table, folder: folder), reader: reader)
        open[identifier] = store
        return store
    }
}
