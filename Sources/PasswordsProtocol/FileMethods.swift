import AutoFillProtocol
package import AutoFillWire

/// What is in a file that is attached to an item: a secret like its password.
package enum ReadFile: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Which item.
        package let item: ItemName
        /// Which file: its name, or the number of its section.
        package let file: String

        /// Asks for a file of `item`.
        package init(item: ItemName, file: String) {
            self.item = item
            self.file = file
        }
    }

    package struct Result: Codable, Sendable {
        /// Which item.
        package let item: ItemSummary
        /// Which file.
        package let section: SectionSummary
        /// What is in it: a sealed memory file of at most 64 MiB.
        package let content: Attachment

        /// A file by its parts.
        package init(item: ItemSummary, section: SectionSummary, content: Attachment) {
            self.item = item
            self.section = section
            self.content = content
        }
    }

    package static let name = "items.readFile"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Attaches a file to an item.
package enum AttachFile: RemoteMethod {
    /// The most bytes of a file: 64 MiB.
    package static let longest = 64 << 20

    package struct Parameters: Codable, Sendable {
        /// Which item.
        package let item: ItemName
        /// What the file is called: a label of 1 to 255 bytes, which no other file of the item has.
        package let name: String
        /// What is in it: a sealed memory file of at most 64 MiB.
        package let content: Attachment

        /// Attaches `content` to `item`.
        package init(item: ItemName, name: String, content: Attachment) {
            self.item = item
            self.name = name
            self.content = content
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The item, as it is now.
        package let item: ItemSummary
        /// The file.
        package let section: SectionSummary

        /// A file that was attached.
        package init(item: ItemSummary, section: SectionSummary) {
            self.item = item
            self.section = section
        }
    }

    package static let name = "items.attachFile"
    package static let callers: Set<Role> = [.serviceClient]
}
