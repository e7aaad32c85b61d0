import AutoFillProtocol
package import AutoFillWire

/// What may be shown of a section of an item without opening a secret.
package struct SectionSummary: Codable, Hashable, Sendable {
    /// Names the section within its item.
    package let number: Int
    /// What it holds, by the name that a credential of that type has in CXF 1.0, such as `credit-card`; or a name of
    /// ours, or one that this version does not know.
    package let type: String
    /// Whether its content can be read; false for one of a newer version.
    package let isReadable: Bool
    /// What tells it from others of its type: a code's issuer, a file's name; nil where there is nothing.
    package let title: String?
    /// How many bytes are in it, where it is a file.
    package let size: Int?

    /// A section.
    package init(number: Int, type: String, isReadable: Bool, title: String?, size: Int? = nil) {
        self.size = size
        self.number = number
        self.type = type
        self.isReadable = isReadable
        self.title = title
    }
}

/// One section of an item, with what it says where that was asked for.
package enum ShowSection: RemoteMethod {
    /// One member.
    package struct Member: Codable, Sendable {
        /// The name that it has in CXF, such as `passphrase`.
        package let name: String
        /// The name that the person gave it.
        package let label: String?
        /// Whether its value is hidden where it is shown.
        package let isHidden: Bool
        /// Whether its value is text, which can be shown and inserted.
        package let isText: Bool
        /// Its value, where that is text and was asked for.
        package let value: Attachment?

        /// A member.
        package init(name: String, label: String?, isHidden: Bool, isText: Bool = true, value: Attachment?) {
            self.isText = isText
            self.name = name
            self.label = label
            self.isHidden = isHidden
            self.value = value
        }
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// Which item.
        package let item: ItemName
        /// The number of the section.
        package let section: Int
        /// Whether to open the values.
        package let opens: Bool

        /// Asks for a section of `item`.
        package init(item: ItemName, section: Int, opens: Bool) {
            self.item = item
            self.section = section
            self.opens = opens
        }
    }

    package struct Result: Codable, Sendable {
        /// Which item.
        package let item: ItemSummary
        /// Which section.
        package let section: SectionSummary
        /// Its members, 60 at most. Bytes, such as keys and files, have no value here.
        package let members: [Member]
        /// How many there are in all.
        package let total: Int

        /// A section by its parts.
        package init(item: ItemSummary, section: SectionSummary, members: [Member], total: Int) {
            self.item = item
            self.section = section
            self.members = members
            self.total = total
        }
    }

    package static let name = "items.section"
    package static let callers: Set<Role> = [.serviceClient]
}
