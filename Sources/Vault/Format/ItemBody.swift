import FoundationEssentials
package import KeywayCrypto

/// The fields of a sealed body (`Docs/vault-format.md`, "Body").
enum BodyTag {
    static let password: UInt8 = 1
    static let notes: UInt8 = 2
    static let field: UInt8 = 3
    static let past: UInt8 = 4
    static let privateKey: UInt8 = 5
    static let pseudoRandomSecret: UInt8 = 6
    static let largeBlob: UInt8 = 7
    static let section: UInt8 = 8
    /// The only field of the body of a part of a file: what is in it.
    static let part: UInt8 = 9
}

/// The secrets of one item, opened: one region of secret memory, wiped when the value goes away.
///
/// Each property copies its part into secret memory of its own, so that a caller can keep one secret and drop the rest.
package struct ItemBody: Sendable {
    private let content: SecretBytes

    /// Takes the opened fields, and checks them against the format.
    ///
    /// - Throws: `damaged` or `unsupported`.
    init(_ content: SecretBytes) throws(VaultError) {
        self.content = content
        var seen: Set<UInt8> = []
        var section: UInt16 = 0
        try forEachField { (field) throws(VaultError) in
            switch field.tag {
            case BodyTag.password, BodyTag.notes, BodyTag.privateKey, BodyTag.pseudoRandomSecret, BodyTag.largeBlob:
                guard seen.insert(field.tag).inserted else {
                    throw VaultError(.damaged, "the body has a field of kind \(field.tag) too many")
                }
            case BodyTag.field: _ = try Self.customField(field.bytes)
            case BodyTag.past: _ = try Self.pastPassword(field.bytes)
            case BodyTag.section:
                let number = try Self.sectionNumber(field.bytes)
                guard number > section else { throw VaultError(.damaged, "the body has sections out of order") }
                section = number
            default: try TaggedFieldReader.unknown(field.tag, in: "body")
            }
        }
    }

    /// The password, UTF-8; nil when the item has none.
    package var password: SecretBytes? { first(BodyTag.password) }

    /// The notes, UTF-8; nil when there are none.
    package var notes: SecretBytes? { first(BodyTag.notes) }

    /// The fields that the person added, in their order.
    package var fields: [CustomField] { all(BodyTag.field, Self.customField) }

    /// The passwords it had before, the newest first.
    package var history: [PastPassword] { all(BodyTag.past, Self.pastPassword) }

    /// The private key of a passkey, PKCS #8 in DER; nil for an item that is none.
    package var privateKey: SecretBytes? { first(BodyTag.privateKey) }

    /// What the outputs of `prf` of a passkey are computed with; nil when it has none.
    package var pseudoRandomSecret: SecretBytes? { first(BodyTag.pseudoRandomSecret) }

    /// What the relying party stored with a passkey; nil when nothing is there.
    package var largeBlob: SecretBytes? { first(BodyTag.largeBlob) }

    /// The numbers of the sections of which something lies here, ascending.
    var sectionNumbers: [UInt16] { all(BodyTag.section, Self.sectionNumber) }

    /// The half of a section that lies here, as it is stored; nil where nothing of it does.
    func section(_ number: UInt16) -> SecretBytes? {
        var found: SecretBytes?
        try? forEachField { (field) throws(VaultError) in
            guard field.tag == BodyTag.section, try Self.sectionNumber(field.bytes) == number else { return }
            found = SecretBytes(copying: UnsafeRawBufferPointer(rebasing: field.bytes.dropFirst(2)))
        }
        return found
    }

    /// Refuses a body with sections that its summary does not have, and one in which a section of a version that is known
    /// cannot be read.
    ///
    /// - Throws: `damaged`.
    func check(_ heads: [SectionHead]) throws(VaultError) {
        var heads = heads[...]
        try forEachField { (field) throws(VaultError) in
            guard field.tag == BodyTag.section else { return }
            let number = try Self.sectionNumber(field.bytes)
            heads = heads.drop { $0.number < number }
            guard let head = heads.first, head.number == number else {
                throw VaultError(.damaged, "the body has a section \(number) that the summary lacks")
            }
            if head.isReadable { try MemberReader.check(UnsafeRawBufferPointer(rebasing: field.bytes.dropFirst(2))) }
        }
    }

    // MARK: - Writing

    /// How many passwords of the past are kept; older ones are dropped.
    static let historyLimit = 100

    /// Writes the fields of a new item, without padding.
    static func encode(_ draft: ItemDraft, _ plan: SectionPlan = SectionPlan(), into buffer: SecretBuffer) {
        append(BodyTag.password, draft.password, to: buffer)
        append(BodyTag.notes, draft.notes, to: buffer)
        for field in draft.fields { append(field, to: buffer) }
        append(draft.passkey?.key, draft.passkey?.pseudoRandomSecret, draft.passkey?.largeBlob, to: buffer)
        append(plan, keeping: nil, to: buffer)
    }

    /// Writes these fields with changes, without padding; what this version does not know is passed through.
    func encode(_ changes: ItemChanges, _ plan: SectionPlan, at date: Date, into buffer: SecretBuffer) {
        let current = password
        var past = history
        switch changes.takesBackPassword {
        case .former: Self.append(BodyTag.password, past.isEmpty ? nil : past.removeFirst().password, to: buffer)
        case ItemChanges.PasswordReturn.none?: break
        case nil:
            Self.append(BodyTag.password, changes.password ?? current, to: buffer)
            if let new = changes.password, let current, new != current {
                past.insert(PastPassword(password: current, replaced: date), at: 0)
            }
        }
        Self.append(BodyTag.notes, changes.notes ?? notes, to: buffer)
        for field in changes.fields ?? fields { Self.append(field, to: buffer) }
        for entry in past.prefix(Self.historyLimit) { Self.append(entry, to: buffer) }
        Self.append(privateKey, pseudoRandomSecret, changes.largeBlob ?? largeBlob, to: buffer)
        Self.append(plan, keeping: self, to: buffer)
        passThroughForeignFields(to: buffer)
    }

    private static func append(_ tag: UInt8, _ secret: SecretBytes?, to buffer: SecretBuffer) {
        guard let secret, !secret.isEmpty else { return }
        secret.withUnsafeBytes { buffer.append(tag: tag, $0) }
    }

    /// The parts of a passkey; a blob may be empty, and is there all the same.
    private static func append(
        _ key: SecretBytes?, _ secret: SecretBytes?, _ blob: SecretBytes?, to buffer: SecretBuffer
    ) {
        append(BodyTag.privateKey, key, to: buffer)
        append(BodyTag.pseudoRandomSecret, secret, to: buffer)
        blob?.withUnsafeBytes { buffer.append(tag: BodyTag.largeBlob, $0) }
    }

    /// The sections: those that are written anew, and of the others what `body` has, byte for byte.
    private static func append(_ plan: SectionPlan, keeping body: ItemBody?, to buffer: SecretBuffer) {
        guard !plan.heads.isEmpty else { return }
        let part = SecretBuffer()
        for head in plan.heads {
            part.removeAll()
            if let section = plan.written[head.number] {
                section.appendBody(to: part)
            } else if let kept = body?.section(head.number) {
                part.append(kept)
            }
            guard part.count > 0 else { continue }
            buffer.append(BodyTag.section)
            buffer.append(number: UInt32(2 + part.count))
            buffer.append(number: head.number)
            part.withUnsafeBytes { buffer.append($0) }
        }
    }

    private static func append(_ field: CustomField, to buffer: SecretBuffer) {
        let name = Array(field.name.utf8)
        buffer.append(BodyTag.field)
        buffer.append(number: UInt32(1 + 2 + name.count + field.value.count))
        buffer.append(field.isHidden ? 1 : 0)
        buffer.append(number: UInt16(name.count))
        name.withUnsafeBytes { buffer.append($0) }
        buffer.append(field.value)
    }

    private static func append(_ entry: PastPassword, to buffer: SecretBuffer) {
        buffer.append(BodyTag.past)
        buffer.append(number: UInt32(8 + entry.password.count))
        buffer.append(number: StoredDate.milliseconds(entry.replaced))
        buffer.append(entry.password)
    }

    private func passThroughForeignFields(to buffer: SecretBuffer) {
        try? forEachField { (field) throws(VaultError) in
            if field.tag >= 128 { buffer.append(tag: field.tag, field.bytes) }
        }
    }

    // MARK: - Reading

    private func forEachField(_ body: (TaggedField) throws(VaultError) -> Void) throws(VaultError) {
        try content.withUnsafeBytes { (bytes) throws(VaultError) in
            var reader = TaggedFieldReader(bytes, of: "body")
            while let field = try reader.next() { try body(field) }
        }
    }

    private func first(_ tag: UInt8) -> SecretBytes? {
        all(tag) { SecretBytes(copying: $0) }.first
    }

    /// All fields of one kind; `init` has proved that each can be read.
    private func all<Value>(_ tag: UInt8, _ read: (UnsafeRawBufferPointer) throws(VaultError) -> Value) -> [Value] {
        var values: [Value] = []
        try? forEachField { (field) throws(VaultError) in
            if field.tag == tag { values.append(try read(field.bytes)) }
        }
        return values
    }

    private static func sectionNumber(_ bytes: UnsafeRawBufferPointer) throws(VaultError) -> UInt16 {
        var reader = ByteReader(bytes, of: "section")
        let number = try reader.number(UInt16.self)
        // What has nothing here is not written here.
        guard number > 0, !reader.rest.isEmpty else { throw VaultError(.damaged, "a section of the body is empty") }
        return number
    }

    private static func customField(_ bytes: UnsafeRawBufferPointer) throws(VaultError) -> CustomField {
        var reader = ByteReader(bytes, of: "custom field")
        let flags = try reader.number(UInt8.self)
        guard flags <= 1 else { throw VaultError(.unsupported, "the custom field has the flags \(flags)") }
        let count = try reader.number(UInt16.self)
        guard let name = String(validating: try reader.bytes(Int(count)), as: UTF8.self) else {
            throw VaultError(.damaged, "the custom field has a name that is no UTF-8")
        }
        return CustomField(name: name, value: SecretBytes(copying: reader.rest), isHidden: flags == 1)
    }

    private static func pastPassword(_ bytes: UnsafeRawBufferPointer) throws(VaultError) -> PastPassword {
        var reader = ByteReader(bytes, of: "past password")
        let replaced = try reader.number(Int64.self)
        return PastPassword(password: SecretBytes(copying: reader.rest), replaced: StoredDate.date(replaced))
    }
}
