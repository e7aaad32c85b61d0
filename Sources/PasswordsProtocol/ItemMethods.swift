package import AutoFillProtocol
package import AutoFillWire

/// A kind of item.
package enum ItemKind: String, Codable, Hashable, Sendable {
    /// Everything but passkeys.
    case password
    case passkey
}

/// Items by what stands in title, user name, addresses and tags; all of them for an empty text.
package enum SearchItems: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Words that must all occur, in any case; empty for all items.
        package let text: String
        /// The most items wanted, 1000 at most.
        package let limit: Int
        /// How many matches to pass over first.
        package let offset: Int
        /// Items of this kind only; nil for both.
        package let kind: ItemKind?
        /// Whether hidden items are left out.
        package let leavesOutHidden: Bool?
        /// For whom the items are: decides the place that each is named by, and nothing else.
        package let services: [ServiceIdentifier]?

        /// A search for `text`.
        package init(
            text: String, limit: Int = 200, offset: Int = 0, kind: ItemKind? = nil, leavesOutHidden: Bool? = nil,
            services: [ServiceIdentifier]? = nil
        ) {
            self.services = services
            self.kind = kind
            self.leavesOutHidden = leavesOutHidden
            self.text = text
            self.limit = limit
            self.offset = offset
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// This page, by title.
        package let items: [ItemSummary]
        /// How many match in all.
        package let total: Int

        /// A page of `total` matches.
        package init(items: [ItemSummary], total: Int) {
            self.items = items
            self.total = total
        }
    }

    package static let name = "items.search"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Items that sign in to one of the services, by host; the most specific service first.
package enum MatchItems: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The services, most specific first.
        package let services: [ServiceIdentifier]

        /// Asks for the items of `services`.
        package init(services: [ServiceIdentifier]) {
            self.services = services
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The items, best first.
        package let items: [ItemSummary]

        /// The items, best first.
        package init(items: [ItemSummary]) {
            self.items = items
        }
    }

    package static let name = "items.match"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Names one item: by its identifier, or by a title that only one item has.
package struct ItemName: Codable, Hashable, Sendable {
    /// The identifier or the title.
    package let text: String
    /// The user name, where several items have the title.
    package let user: String?
    /// The kind; where it is not said and several items have the title, those that are no passkeys are meant.
    package let kind: ItemKind?

    /// The item that `text` names.
    package init(_ text: String, user: String? = nil, kind: ItemKind? = nil) {
        self.kind = kind
        self.text = text
        self.user = user
    }
}

/// One item, with the secrets that were asked for.
package enum ShowItem: RemoteMethod {
    /// A part of an item that is sealed on its own.
    package enum Part: String, Codable, Hashable, Sendable {
        case password, notes, fields, history, sections
    }

    /// What a section says.
    package struct Content: Codable, Sendable {
        /// Its number in the item.
        package let section: Int
        /// Its members, with their values.
        package let members: [ShowSection.Member]

        /// What section `section` says.
        package init(section: Int, members: [ShowSection.Member]) {
            self.section = section
            self.members = members
        }
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// Which item.
        package let item: ItemName
        /// Which secrets to open.
        package let parts: Set<Part>

        /// Asks for `parts` of `item`.
        package init(item: ItemName, parts: Set<Part> = []) {
            self.item = item
            self.parts = parts
        }
    }

    package struct Result: Codable, Sendable {
        /// What may be shown.
        package let summary: ItemSummary
        /// The password, when asked for.
        package let password: Attachment?
        /// The notes, when asked for and there.
        package let notes: Attachment?
        /// The custom fields: names always, values when asked for.
        package let fields: [CustomField]
        /// The passwords before, newest first, when asked for; 10 at most.
        package let history: [FormerPassword]
        /// What its sections say, when asked for: of those that can be read, as many as fit; the others are asked for one by
        /// one (``ShowSection``).
        package var sections: [Content]?

        /// An item by its parts.
        package init(
            summary: ItemSummary, password: Attachment?, notes: Attachment?, fields: [CustomField],
            history: [FormerPassword], sections: [Content]? = nil
        ) {
            self.sections = sections
            self.summary = summary
            self.password = password
            self.notes = notes
            self.fields = fields
            self.history = history
        }
    }

    package static let name = "items.show"
    package static let callers: Set<Role> = [.serviceClient]
}

/// A new item.
package enum AddItem: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// What it holds; a title is needed.
        package let item: ItemChange

        /// Adds `item`.
        package init(item: ItemChange) {
            self.item = item
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The item as it is stored, durably.
        package let item: ItemSummary
        /// Those of its addresses that nothing is ever suggested for: they are neither a web address nor a domain name.
        package let unusableAddresses: [String]

        /// The item as it is stored.
        package init(item: ItemSummary, unusableAddresses: [String] = []) {
            self.item = item
            self.unusableAddresses = unusableAddresses
        }
    }

    package static let name = "items.add"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Changes an item.
package enum EditItem: RemoteMethod {
    package typealias Result = AddItem.Result

    package struct Parameters: Codable, Sendable {
        /// Which item.
        package let item: ItemName
        /// What becomes different.
        package let change: ItemChange

        /// Applies `change` to `item`.
        package init(item: ItemName, change: ItemChange) {
            self.item = item
            self.change = change
        }
    }

    package static let name = "items.edit"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Removes an item.
package enum RemoveItem: RemoteMethod {
    package typealias Result = AddItem.Result

    package struct Parameters: Codable, Hashable, Sendable {
        /// Which item.
        package let item: ItemName

        /// Removes `item`.
        package init(item: ItemName) {
            self.item = item
        }
    }

    package static let name = "items.remove"
    package static let callers: Set<Role> = [.serviceClient]
}

/// A new random password; nothing is stored.
package enum GeneratePassword: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Characters.
        package let length: Int
        /// Whether digits may occur.
        package let digits: Bool
        /// Whether other signs may occur.
        package let symbols: Bool

        /// A password of `length` characters.
        package init(length: Int = 20, digits: Bool = true, symbols: Bool = true) {
            self.length = length
            self.digits = digits
            self.symbols = symbols
        }
    }

    package struct Result: Codable, Sendable {
        /// The password.
        package let password: Attachment

        /// A password.
        package init(password: Attachment) {
            self.password = password
        }
    }

    package static let name = "passwords.generate"
    package static let callers: Set<Role> = [.serviceClient]
}
