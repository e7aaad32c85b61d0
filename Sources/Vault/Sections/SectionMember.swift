package import KeywayCrypto

/// What a member's value is. 1 to 31 are the field types of CXF 1.0 ("EditableField"); from 32 on values that are no
/// fields there. The set is open.
package struct MemberKind: RawRepresentable, Hashable, Sendable {
    /// `string`
    package static let text = MemberKind(rawValue: 1)
    /// `concealed-string`: interfaces hide it until asked.
    package static let concealed = MemberKind(rawValue: 2)
    /// `email`
    package static let email = MemberKind(rawValue: 3)
    /// `number`, as text
    package static let number = MemberKind(rawValue: 4)
    /// `boolean`: `true` or `false`
    package static let boolean = MemberKind(rawValue: 5)
    /// `date`: RFC 3339, full-date
    package static let date = MemberKind(rawValue: 6)
    /// `year-month`
    package static let yearMonth = MemberKind(rawValue: 7)
    /// `wifi-network-security-type`
    package static let wifiSecurity = MemberKind(rawValue: 8)
    /// `country-code`: ISO 3166-1 alpha-2
    package static let country = MemberKind(rawValue: 9)
    /// `subdivision-code`: ISO 3166-2
    package static let subdivision = MemberKind(rawValue: 10)
    /// Text that is no field: UTF-8.
    package static let plainText = MemberKind(rawValue: 32)
    /// Bytes.
    package static let bytes = MemberKind(rawValue: 33)
    /// A whole number: 8 bytes, little-endian, unsigned.
    package static let integer = MemberKind(rawValue: 34)
    /// Anything else that CXF can say: JSON (RFC 8259), UTF-8.
    package static let json = MemberKind(rawValue: 35)

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whether the value is text that a person reads.
    package var isText: Bool { (1...10).contains(rawValue) || self == .plainText }

    /// Whether the value has to be UTF-8.
    var isUTF8: Bool { isText || self == .json }
}

/// What stands beside the value of a member: `Docs/vault-format.md`, "Members". The set is open.
package struct MemberAttribute: Sendable, Equatable {
    /// The name that the person gave the field, UTF-8.
    static let label: UInt8 = 1
    /// Its identifier in CXF.
    static let identifier: UInt8 = 2
    /// Its extensions in CXF: JSON.
    static let extensions: UInt8 = 3
    /// Its field type in CXF where that is none of ``MemberKind``, UTF-8.
    static let foreignType: UInt8 = 4

    /// Which attribute.
    package let tag: UInt8
    /// What it says.
    package let bytes: [UInt8]
}

/// One member of a section: a name, and a value with its kind. Several members may have the same name: they are a list.
package struct SectionMember: Sendable, Equatable {
    /// The name that it has in CXF, such as `passphrase`.
    package let name: String
    /// What the value is.
    package let kind: MemberKind
    /// The value.
    package let value: SecretBytes
    /// What stands beside it, by ascending tags, each once.
    package private(set) var attributes: [MemberAttribute]

    /// A member.
    package init(_ name: String, _ kind: MemberKind, _ value: SecretBytes, label: String? = nil) {
        self.init(name, kind, value, attributes: [])
        self.label = label
    }

    /// A member with text that is not secret.
    package init(_ name: String, text: String, kind: MemberKind = .plainText) {
        self.init(name, kind, SecretBytes(copyingUTF8Of: text))
    }

    /// A member with a number.
    package init(_ name: String, integer: UInt64) {
        self.init(
            name, .integer,
            withUnsafeBytes(of: integer.littleEndian) { SecretBytes(copying: $0) })
    }

    init(_ name: String, _ kind: MemberKind, _ value: SecretBytes, attributes: [MemberAttribute]) {
        self.name = name
        self.kind = kind
        self.value = value
        self.attributes = attributes
    }

    /// The name that the person gave it.
    package var label: String? {
        get { text(MemberAttribute.label) }
        set { set(MemberAttribute.label, newValue.map { Array($0.utf8) }) }
    }

    /// Its identifier in CXF.
    package var identifier: [UInt8]? {
        get { attributes.first { $0.tag == MemberAttribute.identifier }?.bytes }
        set { set(MemberAttribute.identifier, newValue) }
    }

    /// Its extensions in CXF: JSON.
    package var extensions: String? {
        get { text(MemberAttribute.extensions) }
        set { set(MemberAttribute.extensions, newValue.map { Array($0.utf8) }) }
    }

    /// Its field type in CXF where that is none of ``MemberKind``.
    package var foreignType: String? {
        get { text(MemberAttribute.foreignType) }
        set { set(MemberAttribute.foreignType, newValue.map { Array($0.utf8) }) }
    }

    private func text(_ tag: UInt8) -> String? {
        attributes.first { $0.tag == tag }.flatMap { String(validating: $0.bytes, as: UTF8.self) }
    }

    private mutating func set(_ tag: UInt8, _ bytes: [UInt8]?) {
        attributes.removeAll { $0.tag == tag }
        guard let bytes else { return }
        let place = attributes.firstIndex { $0.tag > tag } ?? attributes.endIndex
        attributes.insert(MemberAttribute(tag: tag, bytes: bytes), at: place)
    }
}

// MARK: - As they are stored

/// Reads the members of a section of version 1: `length (1) | name | kind (1) | length (4) | attributes | length (4) |
/// value`, one after another.
struct MemberReader {
    /// One member, without copies.
    struct Member {
        let name: UnsafeRawBufferPointer
        let kind: MemberKind
        let attributes: UnsafeRawBufferPointer
        let value: UnsafeRawBufferPointer

        func isCalled(_ wanted: String) -> Bool {
            var wanted = wanted
            return wanted.withUTF8 { $0.count == name.count && $0.elementsEqual(name) }
        }
    }

    private var reader: ByteReader

    init(_ bytes: UnsafeRawBufferPointer) { reader = ByteReader(bytes, of: "section") }

    /// The next member, or nil after the last one.
    ///
    /// - Throws: `damaged`.
    mutating func next() throws(VaultError) -> Member? {
        guard !reader.rest.isEmpty else { return nil }
        let name = try reader.bytes(Int(try reader.number(UInt8.self)))
        guard !name.isEmpty else { throw VaultError(.damaged, "a section has a member without a name") }
        let kind = MemberKind(rawValue: try reader.number())
        let attributes = try reader.bytes(Int(try reader.number(UInt32.self)))
        let value = try reader.bytes(Int(try reader.number(UInt32.self)))
        guard kind != .integer || value.count == 8 else {
            throw VaultError(.damaged, "a section has a number of \(value.count) bytes")
        }
        return Member(name: name, kind: kind, attributes: attributes, value: value)
    }

    /// Reads all there are, and keeps nothing.
    ///
    /// - Throws: `damaged` where one is not as the format says.
    static func check(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
        var reader = MemberReader(bytes)
        while let member = try reader.next() {
            _ = try Self.text(member.name)
            if member.kind.isUTF8 { _ = try Self.text(member.value) }
            _ = try Self.attributes(member.attributes)
        }
    }

    static func attributes(_ bytes: UnsafeRawBufferPointer) throws(VaultError) -> [MemberAttribute] {
        var (reader, attributes) = (ByteReader(bytes, of: "member"), [MemberAttribute]())
        while !reader.rest.isEmpty {
            let tag = try reader.number(UInt8.self)
            guard tag > attributes.last?.tag ?? 0 else {
                throw VaultError(.damaged, "a member has attributes out of order")
            }
            attributes.append(
                MemberAttribute(tag: tag, bytes: Array(try reader.bytes(Int(try reader.number(UInt32.self))))))
        }
        return attributes
    }

    static func text(_ bytes: UnsafeRawBufferPointer) throws(VaultError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw VaultError(.damaged, "a section has text that is no UTF-8")
        }
        return text
    }
}

extension SectionMember {
    init(_ member: MemberReader.Member) throws(VaultError) {
        self.init(
            try MemberReader.text(member.name), member.kind, SecretBytes(copying: member.value),
            attributes: try MemberReader.attributes(member.attributes))
    }

    /// Refuses what cannot be stored, or could not be read again.
    ///
    /// - Throws: `invalid`.
    func check() throws(VaultError) {
        let isInForm =
            !kind.isUTF8
            || value.withUnsafeBytes { (try? UTF8Span(validating: $0.bindMemory(to: UInt8.self).span)) != nil }
        guard (1...SectionType.longestName).contains(name.utf8.count), isInForm,
            kind != .integer || value.count == 8, value.count <= SizeClass.maximum
        else { throw VaultError(.invalid, "a section has a member out of form") }
    }

    /// Writes it.
    func append(to buffer: SecretBuffer) {
        buffer.append(UInt8(name.utf8.count))
        buffer.append(utf8Of: name)
        buffer.append(kind.rawValue)
        buffer.append(number: UInt32(attributes.reduce(0) { $0 + 5 + $1.bytes.count }))
        for attribute in attributes {
            attribute.bytes.withUnsafeBytes { buffer.append(tag: attribute.tag, $0) }
        }
        buffer.append(number: UInt32(value.count))
        buffer.append(value)
    }
}
