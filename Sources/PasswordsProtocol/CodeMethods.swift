package import AutoFillProtocol
package import AutoFillWire

/// What one code is called as a record of its provider: by its item, and, where that has several, its section.
package struct CodeRecordName: Hashable, Sendable {
    /// The identifier of the item.
    package let item: String
    /// The number of the section; nil for an item's only code.
    package let section: Int?

    /// The code of `item` in `section`.
    package init(item: String, section: Int?) {
        self.item = item
        self.section = section
    }

    /// The code that a record stands for; nil for what is none.
    package init?(record: String) {
        let parts = record.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: self.init(item: record, section: nil)
        case 2:
            guard let section = Int(parts[1]), "\(section)" == parts[1] else { return nil }
            self.init(item: String(parts[0]), section: section)
        default: return nil
        }
    }

    /// The record.
    package var record: String { section.map { "\(item):\($0)" } ?? item }
}

/// The items that make one-time codes: those for some services, and all that hold the words; no secret is opened.
package enum FindCodes: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The services, most specific first.
        package let services: [ServiceIdentifier]
        /// Words that must all occur in the other items, in any case; empty for all.
        package let text: String
        /// The most other codes wanted, 1000 at most.
        package let limit: Int

        /// Asks for the codes of `services`, and for all that `text` finds.
        package init(services: [ServiceIdentifier], text: String = "", limit: Int = 200) {
            self.services = services
            self.text = text
            self.limit = limit
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Those of the services, best first: an item with several codes once for each (`ItemSummary.code`).
        package let matches: [ItemSummary]
        /// Those that hold the words, by title, likewise.
        package let items: [ItemSummary]
        /// How many of these there are in all, as far as that is known.
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
        /// The number of the code's section; nil for an item that has one code.
        package let section: Int?

        /// Asks for the code of `item` in `section`: without one, the first.
        package init(item: String, section: Int? = nil) {
            self.item = item
            self.section = section
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

/// Keeps what makes one-time codes: with an item, or with a new one. The person agreed, and said which.
package enum KeepCode: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// The link, for one account.
        package let link: Attachment
        /// Who asks for the codes, and the account, as the person was told; the link must say the same.
        package let issuer, account: String
        /// The identifier of the item; nil for a new one.
        package let item: String?

        /// The codes of `account` at `issuer`, kept with `item`.
        package init(link: Attachment, issuer: String, account: String, item: String?) {
            self.link = link
            self.issuer = issuer
            self.account = account
            self.item = item
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The item that keeps it.
        package let item: ItemSummary

        /// It is kept with `item`.
        package init(item: ItemSummary) {
            self.item = item
        }
    }

    package static let name = "codes.keep"
    package static let callers: Set<Role> = [.serviceClient]
}

/// The `otpauth:` link that sets the codes of an item up elsewhere: whoever has it makes all of them.
package enum ShowCodeLink: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Which item.
        package let item: ItemName
        /// The number of the code's section; nil for an item that has one code.
        package let section: Int?

        /// Asks for the link of the code of `item` in `section`. Where there are several, one has to be named.
        package init(item: ItemName, section: Int? = nil) {
            self.item = item
            self.section = section
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
