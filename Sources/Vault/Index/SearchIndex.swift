import Glibc
import KeywayCrypto

/// The summaries of an unlocked vault, in memory, compact: what is needed to list, find and search without the file.
///
/// Two texts per item: the fields as they were written, and the folded text that search walks through. Both lie in
/// ``TextArena``s, which wipe themselves.
final class SearchIndex {
    /// One item; not in use when the version is zero.
    struct Entry {
        var id: ItemID
        var version: UInt64
        var fields: UnsafeMutableRawBufferPointer
        var folded: UnsafeMutableRawBufferPointer

        var isUsed: Bool { version != 0 }
    }

    /// Stands after each field of a folded text; no folded text has it inside.
    static let separator: UInt8 = 0x1f
    private static let unused = ItemID(zero: ())

    private(set) var entries: [Entry] = []
    private(set) var foldedTexts = TextArena(keepsOwners: true)
    private var fields = TextArena(keepsOwners: false)
    private var free: [UInt32] = []
    /// The entries that are a passkey or have one, those that are nothing else, those with one-time codes, and those that
    /// are hidden: few, compared with all.
    private(set) var passkeys: Set<Int> = []
    private(set) var purePasskeys: Set<Int> = []
    private(set) var codes: Set<Int> = []
    private(set) var hidden: Set<Int> = []
    private var table: ItemTable
    private var scratch: [UInt8] = []
    /// How many items there are.
    private(set) var count = 0
    /// The parts of files, which are no items, each with the version of its record.
    private(set) var parts: [ItemID: UInt64] = [:]

    /// - Parameter capacity: how many items to expect.
    init(capacity: Int) {
        entries.reserveCapacity(capacity)
        table = ItemTable(capacity: capacity)
        scratch.reserveCapacity(1024)
    }

    deinit {
        scratch.withUnsafeMutableBytes { wipe($0) }
    }

    // MARK: - Changing

    /// Adds an item, or replaces what is known of it, with its opened summary, padded or not.
    ///
    /// - Throws: `damaged`, `unsupported`.
    func put(_ id: ItemID, version: UInt64, summary: UnsafeRawBufferPointer) throws(VaultError) {
        let parts = try SummaryParts(summary)
        remove(id)
        try add(id, version, parts)
    }

    /// Adds an item that is not there yet.
    ///
    /// - Throws: `damaged`, also when it is there; `unsupported`.
    func add(_ id: ItemID, version: UInt64, summary: UnsafeRawBufferPointer) throws(VaultError) {
        guard number(of: id) == nil, parts[id] == nil else {
            throw VaultError(.damaged, "item \(id) is there twice")
        }
        try add(id, version, SummaryParts(summary))
    }

    /// Adds a part of a file.
    ///
    /// - Throws: `damaged` when there is a record of that name.
    func addPart(_ id: ItemID, version: UInt64) throws(VaultError) {
        guard number(of: id) == nil, parts.updateValue(version, forKey: id) == nil else {
            throw VaultError(.damaged, "item \(id) is there twice")
        }
    }

    /// Forgets a part of a file.
    func removePart(_ id: ItemID) { parts[id] = nil }

    private func add(_ id: ItemID, _ version: UInt64, _ parts: SummaryParts) throws(VaultError) {
        let number = free.popLast() ?? UInt32(entries.count)
        try fold(parts)
        let entry = Entry(
            id: id, version: version, fields: fields.append(parts.content, owner: number),
            folded: scratch.withUnsafeBytes { foldedTexts.append($0, owner: number) })
        if number == entries.count { entries.append(entry) } else { entries[Int(number)] = entry }
        table.insert(id, number) { entries[Int($0)].id }
        if parts.passkey != nil {
            passkeys.insert(Int(number))
            purePasskeys.insert(Int(number))
        }
        try parts.forEachSection { (section) throws(VaultError) in
            guard section.version == SectionType.version else { return }
            if section.isCalled(.passkey) { passkeys.insert(Int(number)) }
            if section.isCalled(.totp) || section.isCalled(.hotp) || section.isCalled(.steam) {
                codes.insert(Int(number))
            }
        }
        if parts.hidden != nil { hidden.insert(Int(number)) }
        count += 1
    }

    /// Forgets an item, and wipes its texts.
    func remove(_ id: ItemID) {
        guard let number = number(of: id) else { return }
        table.remove(id) { entries[Int($0)].id }
        fields.remove(entries[number].fields)
        foldedTexts.remove(entries[number].folded)
        entries[number].version = 0
        entries[number].id = Self.unused
        passkeys.remove(number)
        purePasskeys.remove(number)
        codes.remove(number)
        hidden.remove(number)
        free.append(UInt32(number))
        count -= 1
        compact()
    }

    // MARK: - Reading

    /// The version of an item that is known, or nil.
    func version(of id: ItemID) -> UInt64? {
        number(of: id).map { entries[$0].version }
    }

    /// The version of a record that is known, of an item or a part of a file, or nil.
    func recordVersion(of id: ItemID) -> UInt64? { version(of: id) ?? parts[id] }

    /// How many records there are: items, and parts of their files.
    var recordCount: Int { count + parts.count }

    /// The summary of an item, or nil.
    func summary(of id: ItemID) throws(VaultError) -> ItemSummary? {
        guard let number = number(of: id) else { return nil }
        return try summary(number)
    }

    /// The summary of an entry that is in use.
    func summary(_ number: Int) throws(VaultError) -> ItemSummary {
        try ItemSummary(id: entries[number].id, decoding: UnsafeRawBufferPointer(entries[number].fields))
    }

    /// What is known of the sections of an item, by ascending numbers; none where it is not there.
    func sections(of id: ItemID) throws(VaultError) -> [SectionHead] {
        guard let number = number(of: id) else { return [] }
        var heads: [SectionHead] = []
        try SummaryParts(UnsafeRawBufferPointer(entries[number].fields)).forEachSection {
            (parts) throws(VaultError) in heads.append(try SectionHead(parts))
        }
        return heads
    }

    /// The entries whose title, folded, is exactly this text, folded.
    func entries(titled title: String) -> [Int] {
        let wanted = TextFolding.fold(title) + [Self.separator]
        return wanted.withUnsafeBytes { wanted in
            entries.indices.filter { number in
                let text = entries[number].folded
                guard entries[number].isUsed, text.count >= wanted.count,
                    let start = text.baseAddress, let other = wanted.baseAddress
                else { return false }
                return memcmp(start, other, wanted.count) == 0
            }
        }
    }

    /// The entries that are or have passkeys of this relying party, in no order.
    func entries(ofPasskeysOf relyingParty: String) throws(VaultError) -> [Int] {
        let wanted = Array(relyingParty.utf8)
        var found: [Int] = []
        for number in passkeys {
            let parts = try SummaryParts(UnsafeRawBufferPointer(entries[number].fields))
            var isOfParty =
                try parts.passkey.map { (bytes) throws(VaultError) in
                    try PasskeyRecord.Parts(bytes).relyingParty.elementsEqual(wanted)
                } ?? false
            try parts.forEachSection { (section) throws(VaultError) in
                guard !isOfParty, section.isCalled(.passkey) else { return }
                isOfParty = PasskeyRecord(try SectionHead(section))?.relyingParty == relyingParty
            }
            if isOfParty { found.append(number) }
        }
        return found
    }

    /// Whether an entry is of one of these kinds.
    func isEntry(_ number: Int, of kinds: ItemKinds) -> Bool {
        if !kinds.contains(.hidden), hidden.contains(number) { return false }
        if kinds.contains(.passkeys), passkeys.contains(number) { return true }
        if kinds.contains(.codes), codes.contains(number) { return true }
        return kinds.contains(.passwords) && !purePasskeys.contains(number)
    }

    private func number(of id: ItemID) -> Int? {
        table.find(id) { entries[Int($0)].id }.map(Int.init)
    }

    /// Title, user name, addresses and tags, each folded and followed by the separator; then subtitle and what stands in
    /// the summary's halves of sections, alike; then a zero.
    private func fold(_ parts: SummaryParts) throws(VaultError) {
        var folded = scratch
        scratch = []
        folded.removeAll(keepingCapacity: true)
        var reader = TaggedFieldReader(parts.content, of: "summary")
        // The fields stand in this order.
        while let field = try reader.next(), field.tag <= SummaryTag.tag {
            TextFolding.fold(field.bytes, into: &folded)
            folded.append(Self.separator)
        }
        if let subtitle = parts.subtitle { Self.fold(subtitle, into: &folded) }
        try parts.forEachSection { (section) throws(VaultError) in
            guard section.version == SectionType.version else { return }
            var reader = MemberReader(section.content)
            while let member = try reader.next() {
                if member.kind.isText { Self.fold(member.value, into: &folded) }
            }
        }
        folded.append(0)
        scratch = folded
    }

    private static func fold(_ text: UnsafeRawBufferPointer, into folded: inout [UInt8]) {
        TextFolding.fold(text, into: &folded)
        folded.append(separator)
    }

    /// Moves the texts to new arenas once more than half of the room is lost, so that edits do not grow memory forever.
    private func compact() {
        let used = foldedTexts.chunks.reduce(0) { $0 + $1.used }
        guard foldedTexts.wasted > 1 << 18, foldedTexts.wasted * 2 > used else { return }
        let (newFields, newFolded) = (TextArena(keepsOwners: false), TextArena(keepsOwners: true))
        for number in entries.indices where entries[number].isUsed {
            let entry = entries[number]
            entries[number].fields = newFields.append(UnsafeRawBufferPointer(entry.fields), owner: UInt32(number))
            entries[number].folded = newFolded.append(UnsafeRawBufferPointer(entry.folded), owner: UInt32(number))
        }
        (fields, foldedTexts) = (newFields, newFolded)
    }
}

extension ItemID {
    /// What an entry without an item carries; no item has it, since it is no version 4 UUID.
    fileprivate init(zero: Void) {
        self = [UInt8](repeating: 0, count: 16).withUnsafeBytes { ItemID(sixteen: $0) }
    }
}
