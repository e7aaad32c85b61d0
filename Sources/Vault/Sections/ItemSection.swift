package import KeywayCrypto

/// What may be known of a section of an item without opening a secret.
package struct SectionHead: Sendable, Equatable {
    /// Names the section within its item, from 1 on, for as long as it exists; a later one has a higher number.
    package let number: UInt16
    /// What it holds.
    package let type: SectionType
    /// The version of what it holds; of other versions than ``SectionType/version`` nothing can be read.
    package let version: UInt16
    /// The half that lies in the summary, as it is stored.
    let content: [UInt8]

    init(number: UInt16, type: SectionType, version: UInt16, content: [UInt8]) {
        self.number = number
        self.type = type
        self.version = version
        self.content = content
    }

    /// Whether its members can be read.
    package var isReadable: Bool { version == SectionType.version }

    /// The text of a member that lies in the summary, or nil.
    package func text(_ name: String) -> String? {
        value(name) { $0.kind.isText ? String(validating: $0.value, as: UTF8.self) : nil }
    }

    /// The number in a member that lies in the summary, or nil.
    package func integer(_ name: String) -> UInt64? {
        value(name) { $0.kind == .integer ? UInt64(littleEndian: $0.value.loadUnaligned(as: UInt64.self)) : nil }
    }

    /// The bytes of a member that lies in the summary, or nil.
    package func bytes(_ name: String) -> [UInt8]? {
        value(name) { $0.kind == .bytes ? Array($0.value) : nil }
    }

    private func value<Value>(_ name: String, _ read: (MemberReader.Member) -> Value?) -> Value? {
        guard isReadable else { return nil }
        return content.withUnsafeBytes { content in
            var reader = MemberReader(content)
            // Proved to be readable when the summary was read.
            while let member = (try? reader.next()) ?? nil {
                if member.isCalled(name) { return read(member) }
            }
            return nil
        }
    }

    // MARK: - As it is stored

    /// `number (2) | version (2) | length (1) | type | content`, without copies.
    struct Parts {
        let number: UInt16
        let version: UInt16
        let type: UnsafeRawBufferPointer
        let content: UnsafeRawBufferPointer

        /// - Throws: `damaged`.
        init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
            var reader = ByteReader(bytes, of: "section")
            number = try reader.number()
            version = try reader.number()
            type = try reader.bytes(Int(try reader.number(UInt8.self)))
            content = reader.rest
            guard number > 0, version > 0, !type.isEmpty else {
                throw VaultError(.damaged, "a section has no number, no version or no type")
            }
            _ = try MemberReader.text(type)
            if version == SectionType.version { try MemberReader.check(content) }
        }

        func isCalled(_ wanted: SectionType) -> Bool { type.elementsEqual(wanted.rawValue.utf8) }
    }

    init(_ parts: Parts) throws(VaultError) {
        self.init(
            number: parts.number, type: SectionType(rawValue: try MemberReader.text(parts.type)),
            version: parts.version, content: Array(parts.content))
    }

    /// Writes it.
    func append(tag: UInt8, to buffer: SecretBuffer) {
        buffer.append(tag)
        buffer.append(number: UInt32(5 + type.rawValue.utf8.count + content.count))
        buffer.append(number: number)
        buffer.append(number: version)
        buffer.append(UInt8(type.rawValue.utf8.count))
        buffer.append(utf8Of: type.rawValue)
        content.withUnsafeBytes { buffer.append($0) }
    }
}

/// A section of an item with its secrets: what one credential of CXF is, as a row of members.
package struct ItemSection: Sendable, Equatable {
    /// What it holds.
    package let type: SectionType
    /// Its members, those of the summary first.
    package var members: [SectionMember]

    /// A section.
    package init(_ type: SectionType, _ members: [SectionMember]) {
        self.type = type
        self.members = members
    }

    /// The value of the first member of that name.
    package subscript(_ name: String) -> SecretBytes? { members.first { $0.name == name }?.value }

    /// Refuses what cannot be stored.
    ///
    /// - Throws: `invalid`.
    func check() throws(VaultError) {
        guard (1...SectionType.longestName).contains(type.rawValue.utf8.count), members.count <= Self.memberLimit else {
            throw VaultError(.invalid, "a section has a type of an impossible length, or too many members")
        }
        for member in members { try member.check() }
        switch type {
        case .file where self[FileHead.seedMember] != nil: try FileContent.check(self)
        case .file: _ = try StoredFile(self)
        case .totp, .hotp, .steam: _ = try StoredCode(self)
        case .passkey: _ = try PasskeyRecord(self)
        default: break
        }
    }

    /// The half that lies in the summary.
    func head(_ number: UInt16) -> SectionHead {
        let buffer = SecretBuffer()
        for member in members where type.summaryMembers.contains(member.name) { member.append(to: buffer) }
        return SectionHead(
            number: number, type: type, version: SectionType.version, content: buffer.withUnsafeBytes { Array($0) })
    }

    /// Writes the half that lies in the body.
    func appendBody(to buffer: SecretBuffer) {
        for member in members where !type.summaryMembers.contains(member.name) { member.append(to: buffer) }
    }

    /// Puts the halves together.
    ///
    /// - Throws: `unsupported` where the version is another; `damaged`.
    init(_ head: SectionHead, _ body: SecretBytes?) throws(VaultError) {
        guard head.isReadable else {
            throw VaultError(.unsupported, "section \(head.number) is of version \(head.version)")
        }
        var members: [SectionMember] = []
        func add(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
            var reader = MemberReader(bytes)
            while let member = try reader.next() { members.append(try SectionMember(member)) }
        }
        try head.content.lend { (bytes) throws(VaultError) in try add(bytes) }
        try body?.withUnsafeBytes { (bytes) throws(VaultError) in try add(bytes) }
        self.init(head.type, members)
    }

    /// The most members of a section, and the most sections of an item, that are written.
    package static let memberLimit = 1000
}

/// What becomes of the sections of an item.
package enum SectionChange: Sendable {
    /// A new one, after the others.
    case add(ItemSection)
    /// Another in the place of one of the same type, under its number.
    case replace(UInt16, ItemSection)
    /// It goes, also where nothing can be read of it.
    case remove(UInt16)
}

/// The sections of an item while it is written: those that change, and of all others only their numbers, for what nobody
/// changes is copied as it is.
struct SectionPlan {
    /// What the summary gets, by ascending numbers.
    private(set) var heads: [SectionHead]
    /// What is written anew; the rest is copied.
    private(set) var written: [UInt16: ItemSection] = [:]

    /// Nothing changes.
    init(keeping heads: [SectionHead] = []) { self.heads = heads }

    /// - Throws: `invalid` for a section that cannot be stored, one too many, or one of another type than the one that it
    ///   replaces; `notFound`; `unsupported` where the one to replace is of a newer version.
    init(_ heads: [SectionHead], _ changes: [SectionChange]) throws(VaultError) {
        self.heads = heads
        for change in changes {
            switch change {
            case .add(let section): try add(section)
            case .replace(let number, let section): try replace(number, section)
            case .remove(let number):
                self.heads.remove(at: try index(number))
                written[number] = nil
            }
        }
        guard self.heads.count <= ItemSection.memberLimit else {
            throw VaultError(.invalid, "the item has \(self.heads.count) sections")
        }
    }

    private mutating func add(_ section: ItemSection) throws(VaultError) {
        try section.check()
        let (number, isTooHigh) = (heads.last?.number ?? 0).addingReportingOverflow(1)
        guard !isTooHigh else { throw VaultError(.invalid, "the item has had too many sections") }
        heads.append(section.head(number))
        written[number] = section
    }

    private mutating func replace(_ number: UInt16, _ section: ItemSection) throws(VaultError) {
        try section.check()
        let index = try index(number)
        guard heads[index].isReadable else {
            throw VaultError(.unsupported, "section \(number) is of version \(heads[index].version)")
        }
        // A code may become one of another kind.
        guard heads[index].type == section.type || heads[index].type.isCode && section.type.isCode else {
            throw VaultError(.invalid, "section \(number) is of another type")
        }
        heads[index] = section.head(number)
        written[number] = section
    }

    private func index(_ number: UInt16) throws(VaultError) -> Int {
        guard let index = heads.firstIndex(where: { $0.number == number }) else {
            throw VaultError(.notFound, "the item has no section \(number)")
        }
        return index
    }
}
