import AutoFillProtocol
import KeywaySQLite

/// What changes the identities of one provider. Each write is one transaction, whole or not at all.
package actor IdentityWriter {
    /// A write whose last part has not come.
    private struct OpenWrite {
        let operation: WriteIdentities.Operation
        let owner: ObjectIdentifier
        let started: MonotonicTime
    }

    /// How long a write may take from its first part to its last.
    package static let patience = Duration.seconds(60)
    /// The most writes that may be open at one time.
    package static let maximumOpenWrites = 8

    private let suffixes: PublicSuffixes
    private var database: Database?
    private var openWrites: [Int64: OpenWrite] = [:]
    private var lastWrite: Int64 = 0
    private let executor: QueueExecutor

    nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the file at `path`, or makes it.
    ///
    /// - Throws: ``SQLiteError``.
    init(path: String, suffixes: PublicSuffixes) throws(SQLiteError) {
        self.suffixes = suffixes
        database = try IdentityDatabase.open(path: path, suffixes: suffixes)
        executor = QueueExecutor(label: "org.keyway.identities")
    }

    /// Closes the file; whoever comes later is told `disabled`.
    func close() {
        database = nil
    }

    /// Takes one part of a write from the connection `owner`.
    ///
    /// - Throws: ``ProtocolError``: `invalidParameters`, `notFound` for a write that was dropped, `disabled`, or what
    ///   ``ProtocolError/init(_:)`` makes of the store's error.
    func write(
        _ parameters: WriteIdentities.Parameters, owner: ObjectIdentifier, now: MonotonicTime
    ) throws -> WriteIdentities.Result {
        try IdentityBounds.check(parameters)
        let database = try opened()
        dropWrites { now.since($0.started) > Self.patience }
        let number = try continuedWrite(parameters, owner, now)
        do {
            try database.transaction { () throws(SQLiteError) in
                try stage(parameters.identities, number, database)
                if parameters.isLast { try apply(parameters.operation, number, database) }
            }
        } catch {
            dropWrites { $0.owner == owner }
            throw error
        }
        guard parameters.isLast else { return WriteIdentities.Result(write: Int(number)) }
        openWrites[number] = nil
        return WriteIdentities.Result(write: nil)
    }

    /// Forgets the parts of writes that the connection `owner` did not end.
    func dropWrites(of owner: ObjectIdentifier) {
        dropWrites { $0.owner == owner }
    }

    /// Remembers that an identity was used at `time`, in milliseconds since 1970, or right after the newest use when
    /// the clock was set back.
    func remember(_ identity: CredentialIdentity, usedAt time: Int64) throws {
        let database = try opened()
        try database.transaction { () throws(SQLiteError) in
            let newest = try database.integer("SELECT MAX(used) FROM identities WHERE used > 0") ?? 0
            let update = try database.prepare("UPDATE identities SET used = ?7 WHERE " + IdentityDatabase.key(first: 1))
            try IdentityDatabase.bindKey(identity, update, first: 1)
            try update.bind(7, max(time, newest + 1))
            try update.run()
        }
    }

    /// Takes away one identity that its provider no longer has.
    func remove(_ identity: CredentialIdentity) throws {
        let delete = try opened().prepare("DELETE FROM identities WHERE " + IdentityDatabase.key(first: 1))
        try IdentityDatabase.bindKey(identity, delete, first: 1)
        try delete.run()
    }

    private func opened() throws(ProtocolError) -> Database {
        guard let database else { throw ProtocolError(.disabled, "The provider is not enabled, so it has no store.") }
        return database
    }
}

// MARK: - Parts

extension IdentityWriter {
    private func continuedWrite(
        _ parameters: WriteIdentities.Parameters, _ owner: ObjectIdentifier, _ now: MonotonicTime
    ) throws(ProtocolError) -> Int64 {
        if let number = parameters.write.map(Int64.init) {
            guard let write = openWrites[number], write.owner == owner, write.operation == parameters.operation else {
                throw ProtocolError(.notFound, "There is no such write: it ended, was dropped, or took too long.")
            }
            return number
        }
        guard openWrites.count < Self.maximumOpenWrites else {
            throw ProtocolError(.busy, "Too many writes are open: end one first.")
        }
        lastWrite += 1
        if !parameters.isLast {
            openWrites[lastWrite] = OpenWrite(operation: parameters.operation, owner: owner, started: now)
        }
        return lastWrite
    }

    private func dropWrites(_ isDropped: (OpenWrite) -> Bool) {
        for (number, write) in openWrites where isDropped(write) {
            openWrites[number] = nil
            // Left-over parts are harmless, and gone when the file is opened next time.
            try? database?.run("DELETE FROM staged WHERE write = ?1", .integer(number))
        }
    }

    private func stage(_ identities: [CredentialIdentity], _ write: Int64, _ database: Database) throws(SQLiteError) {
        let insert = try database.prepare(
            "INSERT OR REPLACE INTO staged VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")
        for identity in identities {
            let address = ServiceAddress(identity.service, suffixes: suffixes)
            try insert.bind(1, write)
            try IdentityDatabase.bindKey(identity, insert, first: 2)
            try insert.bind(8, Int64(identity.rank))
            if let passkey = identity.passkey {
                try insert.bind(9, [UInt8](passkey.userHandle))
            } else {
                try insert.bindNull(9)
            }
            try insert.bind(10, address?.host.text)
            try insert.bind(11, address.map { Int64($0.port) })
            try insert.bind(12, address.map { $0.scheme == .https ? 1 : 0 })
            try insert.bind(13, address?.site)
            try insert.run()
        }
    }

    /// What was used last stays known of every identity that stays.
    private func apply(
        _ operation: WriteIdentities.Operation, _ write: Int64, _ database: Database
    ) throws(SQLiteError) {
        let same =
            "s.kind = identities.kind AND s.service_kind = identities.service_kind "
            + "AND s.service = identities.service AND s.user = identities.user AND s.record = identities.record "
            + "AND s.credential = identities.credential"
        let staged = "SELECT 1 FROM staged s WHERE s.write = ?1 AND \(same)"
        switch operation {
        case .remove: try database.run("DELETE FROM identities WHERE EXISTS (\(staged))", .integer(write))
        case .replace: try database.run("DELETE FROM identities WHERE NOT EXISTS (\(staged))", .integer(write))
        case .save: break
        }
        if operation != .remove {
            let columns = IdentityDatabase.columns + ", host, port, secure, site"
            try database.run(
                """
                INSERT INTO identities(\(columns)) SELECT \(columns) FROM staged WHERE write = ?1
                ON CONFLICT DO UPDATE SET rank = excluded.rank, handle = excluded.handle, host = excluded.host, port = excluded.port,
                secure = excluded.secure, site = excluded.site
                WHERE rank <> excluded.rank OR handle IS NOT excluded.handle OR host IS NOT excluded.host OR port IS NOT excluded.port
                OR secure IS NOT excluded.secure OR site IS NOT excluded.site
                """, .integer(write))
        }
        try database.run("DELETE FROM staged WHERE write = ?1", .integer(write))
    }
}

extension Statement {
    fileprivate func bind(_ index: Int32, _ value: String?) throws(SQLiteError) {
        if let value { try bind(index, value) } else { try bindNull(index) }
    }

    fileprivate func bind(_ index: Int32, _ value: Int64?) throws(SQLiteError) {
        if let value { try bind(index, value) } else { try bindNull(index) }
    }
}

/// How long the parts of an identity may be.
enum IdentityBounds {
    private static let longestText = 2048

    static func check(_ parameters: WriteIdentities.Parameters) throws(ProtocolError) {
        guard parameters.identities.count <= WriteIdentities.Parameters.maximumPart else {
            throw ProtocolError(
                .invalidParameters,
                "A part holds \(WriteIdentities.Parameters.maximumPart) identities at most: send more parts.")
        }
        for identity in parameters.identities {
            let texts = [identity.service.identifier, identity.user, identity.recordIdentifier ?? ""]
            guard texts.allSatisfy({ $0.utf8.count <= longestText && !$0.utf8.contains(0) }) else {
                throw ProtocolError(
                    .invalidParameters,
                    "Service, user and record identifier hold \(longestText) bytes at most, and no zero.")
            }
            try check(identity.passkey, of: identity.kind)
        }
    }

    /// Credential IDs hold 1023 bytes at most (WebAuthn Level 3, section 5.8.3), user handles 64 (section 5.4.3); a
    /// little more is taken as it comes.
    private static func check(_ passkey: PasskeyReference?, of kind: CredentialKind) throws(ProtocolError) {
        guard (passkey != nil) == (kind == .passkey) else {
            throw ProtocolError(.invalidParameters, "A passkey's identity, and no other, names its passkey.")
        }
        guard let passkey else { return }
        guard (1...1023).contains(passkey.credentialID.count), passkey.userHandle.count <= 256 else {
            throw ProtocolError(.invalidParameters, "Credential ID or user handle is empty or too long.")
        }
    }
}
