package import Authenticator
package import KeywayCrypto

extension UnlockedVault {
    /// How many items there are.
    package var count: Int {
        get throws(VaultError) { try opened().index.count }
    }

    /// The items in which every word of `text` stands somewhere in title, user name, addresses or tags, best first.
    ///
    /// Case, and the accents of Latin letters, make no difference. Titles that start with the text come first, then
    /// titles that contain it, then the rest; alphabetically in each. Text without words matches everything.
    package func search(
        _ text: String, of kinds: ItemKinds = .all, limit: Int = .max
    ) throws(VaultError) -> [ItemSummary] {
        try search(text, of: kinds, offset: 0, limit: limit).items
    }

    /// A part of what ``search(_:limit:)`` finds, without reading the rest, and how many items there are in all.
    package func search(
        _ text: String, of kinds: ItemKinds = .all, offset: Int, limit: Int
    ) throws(VaultError) -> (items: [ItemSummary], total: Int) {
        let index = try opened().index
        let end = offset.addingReportingOverflow(limit)
        let found = index.search(text, of: kinds, limit: end.overflow ? .max : end.partialValue)
        var items: [ItemSummary] = []
        for number in found.entries.dropFirst(offset) { items.append(try index.summary(number)) }
        return (items, found.total)
    }

    /// The items that are meant by `text`: the one with that identifier, or else those with exactly that title, in any
    /// case. Empty when there is none.
    package func find(_ text: String) throws(VaultError) -> [ItemSummary] {
        let index = try opened().index
        if let id = ItemID(text), let summary = try index.summary(of: id) { return [summary] }
        var found: [ItemSummary] = []
        for number in index.entries(titled: text) { found.append(try index.summary(number)) }
        return found
    }

    /// The summary of one item.
    ///
    /// - Throws: `notFound`, `locked`.
    package func summary(of item: ItemID) throws(VaultError) -> ItemSummary {
        guard let summary = try opened().index.summary(of: item) else { throw notFound(item) }
        return summary
    }

    /// Calls `body` with every summary, in no order.
    package func forEachSummary(_ body: (ItemSummary) throws(VaultError) -> Void) throws(VaultError) {
        try forEachSummary(in: 0..<entryCount, body)
    }

    /// How many places there are for items: each item has one, and some may be free.
    package var entryCount: Int {
        get throws(VaultError) { try opened().index.entries.count }
    }

    /// Calls `body` with the summaries at some of the places, for who takes a few at a time.
    package func forEachSummary(
        in places: Range<Int>, _ body: (ItemSummary) throws(VaultError) -> Void
    ) throws(VaultError) {
        let index = try opened().index
        for number in places.clamped(to: index.entries.indices) where index.entries[number].isUsed {
            try body(try index.summary(number))
        }
    }

    /// Opens the secrets of one item; they are wiped when the result, and what was taken out of it, goes away.
    ///
    /// - Throws: `notFound`, `locked`; `damaged` when summary or secrets are not as they were written.
    package func body(of item: ItemID) throws(VaultError) -> ItemBody {
        let contents = try opened()
        let record = try authenticRecord(of: item)
        do {
            let body = try ItemBody(try contents.keys.openBody(record))
            try body.check(try contents.index.sections(of: item))
            return body
        } catch {
            throw error.at(place)
        }
    }

    /// The items that are a passkey of a relying party, or have one, hidden ones too, the oldest first.
    package func passkeys(of relyingParty: String) throws(VaultError) -> [ItemSummary] {
        let index = try opened().index
        var found: [ItemSummary] = []
        for number in try index.entries(ofPasskeysOf: relyingParty) { found.append(try index.summary(number)) }
        return found.sorted { ($0.created, $0.id.description) < ($1.created, $1.id.description) }
    }

    /// Opens the passkey that an item is, with its private key.
    ///
    /// - Throws: `notFound` when the item is not there or no passkey; `damaged`, `locked`.
    package func passkey(of item: ItemID) throws(VaultError) -> Passkey {
        guard let record = try summary(of: item).passkey else {
            throw VaultError(.notFound, "the item \(item) is no passkey", place: place)
        }
        let body = try body(of: item)
        guard let key = body.privateKey else {
            throw VaultError(.damaged, "the passkey \(item) has no key", place: place)
        }
        return Passkey(
            identifier: record.credentialID, relyingParty: record.relyingParty, userHandle: record.userHandle,
            key: key, pseudoRandomSecret: body.pseudoRandomSecret, largeBlob: body.largeBlob,
            isBackupEligible: record.isBackupEligible)
    }

    /// The passkey with this credential ID that an item is, or has in a section. Errors as ``passkey(of:)-1``.
    package func passkey(_ credentialID: [UInt8], of item: ItemID) throws(VaultError) -> Passkey {
        let summary = try summary(of: item)
        if summary.passkey?.credentialID == credentialID { return try passkey(of: item) }
        for head in summary.sections where PasskeyRecord(head)?.credentialID == credentialID {
            return try section(head.number, of: item).passkey()
        }
        throw VaultError(.notFound, "the item \(item) has no such passkey", place: place)
    }

    /// A section of one item, with its secrets.
    ///
    /// - Throws: `notFound`; `unsupported` for one of a newer version; and as ``body(of:)``.
    package func section(_ number: UInt16, of item: ItemID) throws(VaultError) -> ItemSection {
        guard let head = try summary(of: item).sections.first(where: { $0.number == number }) else {
            throw VaultError(.notFound, "the item \(item) has no section \(number)", place: place)
        }
        return try ItemSection(head, try body(of: item).section(number))
    }

    /// All of one item: what is shown of it, its secrets, and those of its sections that this version can read. Errors as
    /// ``body(of:)``.
    package func contents(
        of item: ItemID
    ) throws(VaultError) -> (summary: ItemSummary, body: ItemBody, sections: [ItemSection]) {
        let (summary, body) = (try summary(of: item), try body(of: item))
        var sections: [ItemSection] = []
        for head in summary.sections where head.isReadable {
            sections.append(try ItemSection(head, body.section(head.number)))
        }
        return (summary, body, sections)
    }

    /// A one-time code of one item, with its secret: the one in this section, or the first. Errors as
    /// ``section(_:of:)``; `notFound` where there is none.
    package func code(_ section: UInt16? = nil, of item: ItemID) throws(VaultError) -> StoredCode {
        let codes = try summary(of: item).codes
        guard let number = section ?? codes.first?.section else {
            throw VaultError(.notFound, "the item \(item) has no one-time code", place: place)
        }
        return try StoredCode(try self.section(number, of: item))
    }

    /// The password of one item, or nil when it has none. Errors as ``body(of:)``.
    package func password(of item: ItemID) throws(VaultError) -> SecretBytes? { try body(of: item).password }

    /// The notes of one item, or nil when it has none. Errors as ``body(of:)``.
    package func notes(of item: ItemID) throws(VaultError) -> SecretBytes? { try body(of: item).notes }

    /// The fields that the person added to one item. Errors as ``body(of:)``.
    package func fields(of item: ItemID) throws(VaultError) -> [CustomField] { try body(of: item).fields }

    /// The passwords that one item had before, the newest first. Errors as ``body(of:)``.
    package func history(of item: ItemID) throws(VaultError) -> [PastPassword] { try body(of: item).history }

    /// Opens every item once, and throws the first error; what ``LockedVault/unlock(with:acceptingRollback:)`` leaves
    /// to the moment of use.
    package func verify() throws(VaultError) {
        let index = try opened().index
        var parts = 0
        for entry in index.entries where entry.isUsed {
            _ = try body(of: entry.id)
            for file in try index.sections(of: entry.id).compactMap({ FileHead($0) }) {
                try readFile(file.number, of: entry.id) { (_) throws(VaultError) in }
                parts += file.parts(of: entry.id).count
            }
        }
        guard parts == index.parts.count else {
            throw VaultError(.damaged, "there are parts of files that no item has", place: place)
        }
    }

    /// The stored record of an item, if it is exactly the one that the index knows.
    ///
    /// - Throws: `notFound`, `damaged`.
    func authenticRecord(of item: ItemID) throws(VaultError) -> SealedRecord {
        guard let version = try opened().index.version(of: item) else { throw notFound(item) }
        return try authenticRecord(of: item, version)
    }

    /// The stored record of an item or a part of a file, if it is exactly the one of this version.
    ///
    /// - Throws: `damaged`.
    func authenticRecord(of item: ItemID, _ version: UInt64) throws(VaultError) -> SealedRecord {
        let contents = try opened()
        guard batch?.hasWritten(item) != true else {
            throw VaultError(.conflict, "the item \(item) is just being changed", place: place)
        }
        guard let record = try store.record(of: item), record.version == version,
            SizeClass.contains(record.summary.count - SecretKey.sealOverhead),
            SizeClass.contains(record.body.count - SecretKey.sealOverhead)
        else { throw VaultError(.damaged, "the record of item \(item)", place: place) }
        let summary = SecretBuffer(capacity: record.summary.count)
        var context = contents.keys.summaryContext()
        do {
            try record.summary.lend { (sealed) throws(VaultError) in
                try summary.append(count: sealed.count - SecretKey.sealOverhead) { (room) throws(VaultError) in
                    _ = try contents.keys.openSummary(
                        sealed, of: item, version: version, context: &context, into: room)
                }
            }
        } catch {
            throw error.at(place)
        }
        return record
    }

    func notFound(_ item: ItemID) -> VaultError {
        VaultError(.notFound, "there is no item \(item)", place: place)
    }
}
