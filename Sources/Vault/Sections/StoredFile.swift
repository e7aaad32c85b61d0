package import KeywayCrypto

/// A file that is attached to an item.
package struct StoredFile: Sendable, Equatable {
    /// Its name; a label, never a path.
    package let name: String
    /// What it is (RFC 6838), such as `image/png`; empty where nobody said.
    package let mediaType: String
    /// What is in it.
    package let content: SecretBytes

    /// The longest file that is stored, in bytes: 4 MiB. All files of an item share its 16 MiB.
    package static let longest = 1 << 22
    /// The longest name, and the longest media type, in bytes.
    package static let longestName = 255

    /// A file.
    package init(name: String, mediaType: String = "", content: SecretBytes) {
        self.name = name
        self.mediaType = mediaType
        self.content = content
    }

    /// The file that a section is.
    ///
    /// - Throws: `invalid` for a section that is none, and for one that is too long.
    package init(_ section: ItemSection) throws(VaultError) {
        func text(_ name: String) -> String? {
            section[name]?.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        }
        guard section.type == .file, let name = text("name"), (1...Self.longestName).contains(name.utf8.count),
            let content = section["content"], content.count <= Self.longest,
            case let mediaType = text("mediaType") ?? "", mediaType.utf8.count <= Self.longestName
        else { throw VaultError(.invalid, "the file lacks a part, or has one of an impossible size") }
        self.init(name: name, mediaType: mediaType, content: content)
    }

    /// The section that holds it.
    package var section: ItemSection {
        var members = [SectionMember("name", text: name)]
        if !mediaType.isEmpty { members.append(SectionMember("mediaType", text: mediaType)) }
        members.append(SectionMember("decryptedSize", integer: UInt64(content.count)))
        members.append(SectionMember("content", .bytes, content))
        return ItemSection(.file, members)
    }
}
