import FoundationEssentials
import KeywayCrypto

/// The fields of a sealed summary (`Docs/vault-format.md`, "Summary").
enum SummaryTag {
    static let title: UInt8 = 1
    static let userName: UInt8 = 2
    static let address: UInt8 = 3
    static let tag: UInt8 = 4
    static let dates: UInt8 = 5
    static let hasNoPassword: UInt8 = 6
    static let passkey: UInt8 = 7
    static let hidden: UInt8 = 8
    static let formerName: UInt8 = 9
    static let marks: UInt8 = 10
    static let subtitle: UInt8 = 11
    static let section: UInt8 = 12
    /// The only field of the summary of a part of a file; see ``PartSummary``.
    static let part: UInt8 = 13
}

extension ItemSummary {
    /// Writes the fields, without padding; fields that a newer version added are passed through.
    func encode(into buffer: SecretBuffer, keeping foreign: [(tag: UInt8, bytes: [UInt8])] = []) {
        buffer.append(tag: SummaryTag.title, title)
        buffer.append(tag: SummaryTag.userName, userName)
        for address in addresses { buffer.append(tag: SummaryTag.address, address) }
        for tag in tags { buffer.append(tag: SummaryTag.tag, tag) }
        var dates: [UInt8] = []
        dates.append(number: StoredDate.milliseconds(created))
        dates.append(number: StoredDate.milliseconds(modified))
        dates.withUnsafeBytes { buffer.append(tag: SummaryTag.dates, $0) }
        if !hasPassword { buffer.append(tag: SummaryTag.hasNoPassword, "") }
        passkey?.bytes.withUnsafeBytes { buffer.append(tag: SummaryTag.passkey, $0) }
        if let hidden {
            buffer.append(SummaryTag.hidden)
            buffer.append(number: UInt32(MemoryLayout<Int64>.size))
            buffer.append(number: StoredDate.milliseconds(hidden))
        }
        if let formerName { buffer.append(tag: SummaryTag.formerName, formerName) }
        if marks != ItemMarks() { marks.bytes.withUnsafeBytes { buffer.append(tag: SummaryTag.marks, $0) } }
        if let subtitle { buffer.append(tag: SummaryTag.subtitle, subtitle) }
        for section in sections { section.append(tag: SummaryTag.section, to: buffer) }
        for field in foreign { field.bytes.withUnsafeBytes { buffer.append(tag: field.tag, $0) } }
    }

    /// Reads the fields, padded or not.
    ///
    /// - Throws: `damaged` or `unsupported`.
    init(id: ItemID, decoding bytes: UnsafeRawBufferPointer) throws(VaultError) {
        let parts = try SummaryParts(bytes)
        self.id = id
        title = try Self.text(parts.title)
        userName = try Self.text(parts.userName)
        (addresses, tags) = ([], [])
        created = StoredDate.date(parts.created)
        modified = StoredDate.date(parts.modified)
        hasPassword = parts.hasPassword
        if let bytes = parts.passkey { passkey = try PasskeyRecord(bytes) }
        hidden = parts.hidden.map(StoredDate.date)
        if let bytes = parts.formerName { formerName = try Self.text(bytes) }
        if let bytes = parts.marks { marks = try ItemMarks(bytes) }
        if let bytes = parts.subtitle { subtitle = try Self.text(bytes) }
        try parts.forEachSection { (parts) throws(VaultError) in sections.append(try SectionHead(parts)) }
        try parts.forEachAddress { (bytes) throws(VaultError) in addresses.append(try Self.text(bytes)) }
        try parts.forEachTag { (bytes) throws(VaultError) in tags.append(try Self.text(bytes)) }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(VaultError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw VaultError(.damaged, "the summary has text that is no UTF-8")
        }
        return text
    }
}

/// A summary split into its fields, without copies; checked against the format.
struct SummaryParts {
    let title: UnsafeRawBufferPointer
    let userName: UnsafeRawBufferPointer
    let created: Int64
    let modified: Int64
    let hasPassword: Bool
    let passkey: UnsafeRawBufferPointer?
    let hidden: Int64?
    let formerName: UnsafeRawBufferPointer?
    let marks: UnsafeRawBufferPointer?
    let subtitle: UnsafeRawBufferPointer?
    /// Whether there are sections.
    let hasSections: Bool
    /// All fields without the padding.
    let content: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
        var (title, userName): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
        var dates: (created: Int64, modified: Int64)?
        var hasPassword = true
        var passkey: UnsafeRawBufferPointer?
        var hidden: Int64?
        var formerName: UnsafeRawBufferPointer?
        var (marks, subtitle): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
        var section: UInt16 = 0
        var end = 0
        var reader = TaggedFieldReader(bytes, of: "summary")
        while let field = try reader.next() {
            switch field.tag {
            case SummaryTag.title where title == nil: title = field.bytes
            case SummaryTag.userName where userName == nil: userName = field.bytes
            case SummaryTag.address, SummaryTag.tag: break
            case SummaryTag.dates where dates == nil && field.bytes.count == 16:
                var reader = ByteReader(field.bytes, of: "summary")
                dates = (try reader.number(), try reader.number())
            case SummaryTag.hasNoPassword where hasPassword && field.bytes.isEmpty: hasPassword = false
            case SummaryTag.passkey where passkey == nil:
                passkey = field.bytes
                _ = try PasskeyRecord.Parts(field.bytes)
            case SummaryTag.hidden where hidden == nil && field.bytes.count == 8:
                var reader = ByteReader(field.bytes, of: "summary")
                hidden = try reader.number()
            case SummaryTag.formerName where formerName == nil: formerName = field.bytes
            case SummaryTag.marks where marks == nil:
                marks = field.bytes
                // What says nothing is not written.
                guard try ItemMarks(field.bytes) != ItemMarks() else {
                    throw VaultError(.damaged, "the summary has marks that say nothing")
                }
            case SummaryTag.subtitle where subtitle == nil: subtitle = field.bytes
            case SummaryTag.section:
                let parts = try SectionHead.Parts(field.bytes)
                guard parts.number > section else {
                    throw VaultError(.damaged, "the summary has sections out of order")
                }
                section = parts.number
            case 1...11:
                throw VaultError(.damaged, "the summary has a field of kind \(field.tag) too many or out of form")
            default: try TaggedFieldReader.unknown(field.tag, in: "summary")
            }
            end += 5 + field.bytes.count
        }
        guard let title, let userName, let dates else { throw VaultError(.damaged, "the summary lacks a field") }
        (self.title, self.userName) = (title, userName)
        self.hasPassword = hasPassword
        (self.passkey, self.hidden, self.formerName) = (passkey, hidden, formerName)
        (self.marks, self.subtitle, hasSections) = (marks, subtitle, section > 0)
        (created, modified) = dates
        content = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    }

    /// Lends every address in order.
    func forEachAddress(_ body: (UnsafeRawBufferPointer) throws(VaultError) -> Void) throws(VaultError) {
        try forEach(SummaryTag.address, body)
    }

    /// Lends every tag in order.
    func forEachTag(_ body: (UnsafeRawBufferPointer) throws(VaultError) -> Void) throws(VaultError) {
        try forEach(SummaryTag.tag, body)
    }

    /// Lends every section's half in the summary, by ascending numbers.
    func forEachSection(_ body: (SectionHead.Parts) throws(VaultError) -> Void) throws(VaultError) {
        guard hasSections else { return }
        try forEach(SummaryTag.section) { (bytes) throws(VaultError) in try body(try SectionHead.Parts(bytes)) }
    }

    /// The fields that this version does not know, to be written back as they are.
    func foreignFields() throws(VaultError) -> [(tag: UInt8, bytes: [UInt8])] {
        var fields: [(tag: UInt8, bytes: [UInt8])] = []
        var reader = TaggedFieldReader(content, of: "summary")
        while let field = try reader.next() {
            if field.tag >= 128 { fields.append((field.tag, Array(field.bytes))) }
        }
        return fields
    }

    private func forEach(
        _ tag: UInt8, _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Void
    ) throws(VaultError) {
        var reader = TaggedFieldReader(content, of: "summary")
        while let field = try reader.next(), field.tag <= tag {
            if field.tag == tag { try body(field.bytes) }
        }
    }
}
