package import AutoFillProtocol
package import AutoFillWire

/// The items that make one-time codes: those for some services, and all that hold the words; no secret is opened.
package enum FindCodes: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The services, most specific first.
        package let services: [ServiceIdentifier]
        /// Words that must all occur in the other items, in any case; empty for all.
        package let text: String
        /// The most other items wanted, 1000 at most.
        package let limit: Int

        /// Asks for the codes of `services`, and for all that `text` finds.
        package init(services: [ServiceIdentifier], text: String = "", limit: Int = 200) {
            self.services = services
            self.text = text
            self.limit = limit
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Those of the services, best first.
        package let matches: [ItemSummary]
        /// Those that hold the words, by title.
        package let items: [ItemSummary]
        /// How many of these there are in all.
        package let total: Int

        /// An answer by its parts.
        package init(matches: [ItemSummary], items: [ItemSummary], total: Int) {
            self.matches = matches
            self.items = items
            self.total = total
        }
    }

    package static let name = "codes.find"
    package static let callers: Set<Role> = [.serviceClient]
}

/// A one-time code of an item. The secret that it is made of stays in the service; a counter has moved on, durably, before
/// the code is answered.
package enum MakeCode: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The identifier of the item.
        package let item: String

        /// Asks for the code of `item`: of several, the first.
        package init(item: String) {
            self.item = item
        }
    }

    package struct Result: Codable, Sendable {
        /// The code.
        package let code: Attachment
        /// When the next one takes its place, in seconds since 1970; nil for a counter's.
        package let validUntil: Double?
        /// The item.
        package let item: ItemSummary

        /// A code of `item`.
        package init(code: Attachment, validUntil: Double?, item: ItemSummary) {
            self.code = code
            self.validUntil = validUntil
            self.item = item
        }
    }

    package static let name = "codes.make"
    package static let callers: Set<Role> = [.serviceClient]
}

/// The `otpauth:` link that sets the codes of an item up elsewhere: whoever has it makes all of them.
package enum ShowCodeLink: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Which item.
        package let item: ItemName

        /// Asks for the link of `item`: of several codes, that of the first.
        package init(item: ItemName) {
            self.item = item
        }
    }

    package struct Result: Codable, Sendable {
        /// The link.
        package let link: Attachment
        /// The item.
        package let item: ItemSummary

        /// A link of `item`.
        package init(link: Attachment, item: ItemSummary) {
            self.link = link
            self.item = item
        }
    }

    package static let name = "codes.link"
    package static let callers: Set<Role> = [.serviceClient]
}
