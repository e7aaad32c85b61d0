package import AutoFillProtocol
import Glibc
import KeywaySQLite

/// One provider's store while it is open.
package struct IdentityStore: Sendable {
    /// What changes it.
    package let writer: IdentityWriter
    /// What reads it.
    package let reader: IdentityReader
}

/// The identity stores of all providers: one file each, `IDENTIFIER.sqlite`, in one folder.
package actor IdentityStores {
    private let folder: String
    private let suffixes: PublicSuffixes
    private let log: EventLog
    private var enabled: Set<String> = []
    private var open: [String: IdentityStore] = [:]
    private var closing: [String: Task<Void, Never>] = [:]

    /// The stores in `folder`, which is made and checked.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` or `system` when the folder is not ours alone.
    package init(folder: String, suffixes: PublicSuffixes, log: EventLog) throws(ProtocolError) {
        try PrivateFolder.prepare(folder)
        self.folder = folder
        self.suffixes = suffixes
        self.log = log
    }

    /// The store of an enabled provider; made when there is none, and made anew when it is damaged.
    ///
    /// - Throws: ``ProtocolError`` with the code `disabled`, `system` or `busy`.
    package func store(of identifier: String) async throws(ProtocolError) -> IdentityStore {
        await settle(identifier)
        guard enabled.contains(identifier) else {
            throw ProtocolError(.disabled, "The provider is not enabled, so it has no store.")
        }
        if let store = open[identifier] { return store }
        let path = path(of: identifier)
        do {
            let store = try openFile(path)
            open[identifier] = store
            return store
        } catch  where error.code == .damaged || error.code == .notADatabase {
            log("identity store of \(identifier) cannot be read and was emptied; the provider sends everything again")
            IdentityDatabase.remove(path: path)
        } catch {
            throw ProtocolError(error)
        }
        do {
            let store = try openFile(path)
            open[identifier] = store
            return store
        } catch {
            throw ProtocolError(error)
        }
    }

    /// Runs `body` on a store; one that turns out damaged is emptied, so that the next call succeeds.
    ///
    /// - Throws: ``ProtocolError``.
    package func use<Result: Sendable>(
        _ identifier: String, _ body: @Sendable (IdentityStore) async throws -> Result
    ) async throws(ProtocolError) -> Result {
        let store = try await store(of: identifier)
        do {
            return try await body(store)
        } catch let error as SQLiteError {
            if error.code == .damaged || error.code == .notADatabase, open[identifier]?.writer === store.writer {
                log("identity store of \(identifier) is damaged and was emptied; the provider sends everything again")
                await wipe(identifier)
            }
            throw ProtocolError(error)
        } catch {
            throw error as? ProtocolError ?? ProtocolError(.internalError, "The identity store failed.")
        }
    }

    /// Closes a store and removes its file: nothing of it is left.
    package func wipe(_ identifier: String) async {
        await settle(identifier)
        let store = open.removeValue(forKey: identifier)
        let path = path(of: identifier)
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

    /// Closes all stores; their files stay.
    package func close() async {
        for store in open.values {
            await store.reader.close()
            await store.writer.close()
        }
        open = [:]
    }

    /// Waits until nobody closes that store any more.
    private func settle(_ identifier: String) async {
        while let task = closing[identifier] {
            await task.value
            if closing[identifier] == task { closing[identifier] = nil }
        }
    }

    private func path(of identifier: String) -> String { "\(folder)/\(identifier).sqlite" }

    private func openFile(_ path: String) throws(SQLiteError) -> IdentityStore {
        let writer = try IdentityWriter(path: path, suffixes: suffixes)
        return IdentityStore(writer: writer, reader: try IdentityReader(path: path))
    }
}

/// The names in a folder.
enum Folder {
    /// All but `.` and `..`, sorted; none where the folder cannot be read.
    static func entries(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
