package import AutoFillProtocol
import BrokerBase
import KeywaySQLite
package import KeywaySystem
import Synchronization

/// What changes the identities of one provider. Each write is one transaction, whole or not at all.
package actor IdentityWriter {
    /// How long a write may wait for its next part.
    package static let patience = Duration.seconds(60)
    /// The most writes that may be open at one time.
    package static let maximumOpenWrites = 8
    /// The most identities of one provider.
    package static let maximumIdentities = 4_000_000
    /// From this many identities on a write gets a larger page cache while it runs.
    private static let largeWrite = 10_000
    private static let (cache, largeCache) = (2048, 16384)

    private let folder: String
    private var table: IdentityTable?
    private var openWrites: [Int: StagedWrite] = [:]
    private var lastWrite = 0
    private let isEnding = Atomic(false)
    private let executor: QueueExecutor

    nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Takes over a table that ``IdentityDatabase`` opened; parts of open writes lie in `folder`.
    init(_ table: sending IdentityTable, folder: String) {
        self.folder = folder
        self.table = table
        executor = QueueExecutor(label: "org.keyway.identities")
    }

    /// Tells a write that runs to give up; it then leaves everything as it was.
    nonisolated func interrupt() {
        isEnding.store(true, ordering: .relaxed)
    }

    /// Closes the file and forgets its keys and the parts of open writes; whoever comes later is told `locked`.
    func close() {
        openWrites = [:]
        table = nil
    }

    /// Takes one part of a write from the connection `owner`.
    ///
    /// - Throws: ``ProtocolError``: `invalidParameters`, `notFound` for a write that was dropped, `busy`, `locked`, or
    ///   what ``ProtocolError/init(_:)`` makes of the store's error.
    package func write(
        _ parameters: WriteIdentities.Parameters, owner: ObjectIdentifier, now: MonotonicTime
    ) throws -> WriteIdentities.Result {
        try IdentityBounds.check(parameters)
        let table = try opened()
        openWrites = openWrites.filter { now.since($0.value.touched) <= Self.patience }
        if parameters.write == nil && parameters.isLast {
            try apply(parameters.operation, parameters.identities.count, to: table) { body in
                try body(parameters.identities)
            }
            return WriteIdentities.Result(write: nil)
        }
        let number = try continuedWrite(parameters, owner, now)
        guard let write = openWrites[number] else { return WriteIdentities.Result(write: nil) }
        do {
            try write.append(parameters.identities, at: now)
            guard parameters.isLast else { return WriteIdentities.Result(write: number) }
            openWrites[number] = nil
            try apply(write.operation, write.count, to: table, write.forEachPart)
        } catch {
            dropWrites(of: owner)
            throw error
        }
        return WriteIdentities.Result(write: nil)
    }

    /// Forgets the parts of writes that the connection `owner` did not end.
    package func dropWrites(of owner: ObjectIdentifier) {
        openWrites = openWrites.filter { $0.value.owner != owner }
    }

    /// Remembers that an identity was used at `time`, in milliseconds since 1970, or right after the newest use when
    /// the clock was set back. It orders a list: a power cut may have it forgotten, so nothing waits for the disk.
    package func remember(_ identity: CredentialIdentity, usedAt time: Int64) throws {
        let table = try opened()
        try table.database.setSynchronous(.normal)
        defer { try? table.database.setSynchronous(.full) }
        try table.transaction { () throws(SQLiteError) in
            guard let row = try table.find(table.keys.name(of: identity)) else { return }
            let time = max(time, try table.newestUse() + 1)
            try table.put(IdentityRecord(row.record.identity, used: time), instead: row)
            try table.setNewestUse(time)
        }
    }

    /// Takes away one identity that its provider no longer has.
    package func remove(_ identity: CredentialIdentity) throws {
        let table = try opened()
        try table.transaction { () throws(SQLiteError) in _ = try table.remove(identity) }
    }

    private func opened() throws(ProtocolError) -> IdentityTable {
        guard let table else { throw ProtocolError(.locked, "The identity store was closed; try again.") }
        return table
    }
}

// MARK: - Parts

extension IdentityWriter {
    private func continuedWrite(
        _ parameters: WriteIdentities.Parameters, _ owner: ObjectIdentifier, _ now: MonotonicTime
    ) throws(ProtocolError) -> Int {
        if let number = parameters.write {
            guard let write = openWrites[number], write.owner == owner, write.operation == parameters.operation else {
                throw ProtocolError(.notFound, "There is no such write: it ended, was dropped, or took too long.")
            }
            return number
        }
        guard openWrites.count < Self.maximumOpenWrites else {
            throw ProtocolError(.busy, "Too many writes are open: end one first.")
        }
        lastWrite += 1
        openWrites[lastWrite] = try StagedWrite(parameters.operation, owner: owner, at: now, folder: folder)
        return lastWrite
    }

    /// Does what the parts say in one transaction. What was used last stays known of every identity that stays.
    private func apply(
        _ operation: WriteIdentities.Operation, _ count: Int, to table: IdentityTable,
        _ forEachPart: (([CredentialIdentity]) throws -> Void) throws -> Void
    ) throws {
        guard operation == .remove || (operation == .save ? table.count : 0) + count <= Self.maximumIdentities else {
            throw ProtocolError(.invalidParameters, "A store holds \(Self.maximumIdentities) identities at most.")
        }
        let isLarge = count + (operation == .replace ? table.count : 0) >= Self.largeWrite
        let isNew = table.count == 0
        if isLarge { try table.database.setCache(kibibytes: Self.largeCache) }
        defer { if isLarge { try? table.database.setCache(kibibytes: Self.cache) } }
        try table.begin()
        do {
            var kept = RowSet()
            try forEachPart { identities in
                for identity in identities {
                    guard !isEnding.load(ordering: .relaxed) else {
                        throw ProtocolError(.busy, "The identity store is being closed; try again.")
                    }
                    switch operation {
                    case .remove: try table.remove(identity)
                    case .save: try table.save(identity)
                    case .replace: kept.insert(try table.save(identity).row)
                    }
                }
            }
            if operation == .replace { try table.removeAll(but: kept) }
            if operation == .replace && !isNew { try table.rebuildIndexes() }
            try table.commit()
        } catch {
            table.rollback()
            throw error
        }
    }
}
