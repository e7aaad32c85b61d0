package import AutoFillWire
package import FoundationEssentials

/// What may be shown of a passkey.
package struct PasskeySummary: Codable, Hashable, Sendable {
    /// The relying party ID.
    package let relyingParty: String
    /// The credential ID.
    package let credentialID: Data
    /// What the relying party calls the account.
    package let userHandle: Data

    /// A passkey by its parts.
    package init(relyingParty: String, credentialID: Data, userHandle: Data) {
        self.relyingParty = relyingParty
        self.credentialID = credentialID
        self.userHandle = userHandle
    }
}

/// Where the password of an item is offered.
package enum ItemUse: String, Codable, CaseIterable, Hashable, Sendable {
    /// Wherever its addresses fit.
    case everywhere
    /// In forms of pages alone.
    case forms
    /// Where a server asks by HTTP itself (Basic, Digest), alone.
    case basic
}

/// What may be shown of an item without opening a secret.
package struct ItemSummary: Codable, Hashable, Sendable {
    /// The item's identifier: also the record identifier of its identities.
    package let id: String
    /// What the person calls it.
    package let title: String
    /// The user name; empty when there is none.
    package let user: String
    /// Where it signs in to: URLs or domain names.
    package let addresses: [String]
    /// Words that it is filed under.
    package let tags: [String]
    /// When it was made, in seconds since 1970.
    package let created: Double
    /// When it was changed last, in seconds since 1970.
    package let modified: Double
    /// Whether it has a password to fill.
    package let hasPassword: Bool
    /// Which passkey it is; nil for an item that is none.
    package let passkey: PasskeySummary?
    /// Since when it is hidden, in seconds since 1970; nil for an item that is offered.
    package let hidden: Double?
    /// The user name of the passkey before its site gave it another one; nil where it did not.
    package let formerUser: String?
    /// Of its addresses the one that is closest to the services that asked, as the system compares it: a domain or an
    /// origin; the first of them where none asked, nil without one.
    package let place: String?
    /// What it holds beside password, notes, custom fields and the passkey that it is; nil where there is nothing.
    package let sections: [SectionSummary]?
    /// Where its password is offered; nil for everywhere.
    package let use: ItemUse?
    /// Of an item with several one-time codes: the number of the section of the one that it stands for in a list of
    /// codes, where ``user`` is what that code is called.
    package let code: Int?

    /// A summary by its parts.
    package init(
        id: String, title: String, user: String, addresses: [String], tags: [String], created: Double, modified: Double,
        hasPassword: Bool = true, passkey: PasskeySummary? = nil, hidden: Double? = nil,
        formerUser: String? = nil, place: String? = nil, sections: [SectionSummary]? = nil, code: Int? = nil,
        use: ItemUse? = nil
    ) {
        self.code = code
        self.use = use
        self.sections = sections
        self.id = id
        self.title = title
        self.user = user
        self.addresses = addresses
        self.tags = tags
        self.created = created
        self.modified = modified
        self.hasPassword = hasPassword
        self.passkey = passkey
        self.hidden = hidden
        self.formerUser = formerUser
        self.place = place
    }
}

/// A field that the person added to an item.
package struct CustomField: Codable, Sendable {
    /// Its name.
    package let name: String
    /// Whether its value is hidden where it is shown.
    package let isHidden: Bool
    /// Its value; nil where only the name was asked for.
    package let value: Attachment?

    /// A field called `name`.
    package init(name: String, isHidden: Bool, value: Attachment?) {
        self.name = name
        self.isHidden = isHidden
        self.value = value
    }
}

/// One password that an item had before.
package struct FormerPassword: Codable, Sendable {
    /// When it was replaced, in seconds since 1970.
    package let replaced: Double
    /// What it was.
    package let password: Attachment

    /// A password that was replaced at `replaced`.
    package init(replaced: Double, password: Attachment) {
        self.replaced = replaced
        self.password = password
    }
}

/// What an item is made of or changed to: what is nil stays as it is.
package struct ItemChange: Codable, Sendable {
    /// The new title.
    package var title: String?
    /// The new user name.
    package var user: String?
    /// The new password; the old one goes into the history.
    package var password: Attachment?
    /// The new addresses.
    package var addresses: [String]?
    /// The new notes.
    package var notes: Attachment?
    /// The new tags.
    package var tags: [String]?
    /// The new custom fields, all of them.
    package var fields: [CustomField]?
    /// Where its password is offered from now on.
    package var use: ItemUse?
    /// The numbers of the sections that go; of an item that is new, none.
    package var removedSections: [Int]?
    /// What its one-time codes are made of, in the place of what they were: a link for codes, or a secret in Base32.
    package var code: Attachment?
    /// Whether ``code`` is one more, beside those that there are.
    package var addsCode: Bool?

    /// No change.
    package init() {}
}
