package import Authenticator
package import FoundationEssentials
package import KeywayCrypto

/// What may be shown of an item while the vault is unlocked, without opening a secret.
package struct ItemSummary: Sendable, Equatable {
    /// The item's identifier.
    package let id: ItemID
    /// What the person calls it.
    package var title: String
    /// The account's name there; may be empty.
    package var userName: String
    /// Where it is used: URLs or bare hosts, as the person wrote them.
    package var addresses: [String]
    /// Words to find it by.
    package var tags: [String]
    /// When it was added.
    package var created: Date
    /// When it was last changed; never before ``created``, also where the clock went back.
    package var modified: Date
    /// Whether it has a password. Items of vaults before this was noted count as if they had one, until they change.
    package var hasPassword = true
    /// Which passkey it is; nil for an item that is none.
    package var passkey: PasskeyRecord?
    /// Since when it is hidden: kept, and no longer offered; nil for an item that is offered.
    package var hidden: Date?
    /// The user name that the person knows the passkey by, where its site gave it another one; nil where it did not.
    package var formerName: String?
    /// What the person marked it with, and where it came from.
    package var marks = ItemMarks()
    /// A second line below the title; nil where there is none.
    package var subtitle: String?
    /// What it holds beside password, notes, plain fields and the passkey that it is, by ascending numbers.
    package var sections: [SectionHead] = []

    /// The oldest version of the format that can hold it.
    var formatVersion: UInt16 {
        if sections.contains(where: { FileHead($0)?.seed != nil }) { return 4 }
        if marks != ItemMarks() || subtitle != nil || !sections.isEmpty { return 3 }
        return passkey == nil && hidden == nil && formerName == nil ? 1 : 2
    }

    /// Its one-time codes that this version can make, each with the number of its section.
    package var codes: [(section: UInt16, code: CodeRecord)] {
        sections.compactMap { head in CodeRecord(head).map { (head.number, $0) } }
    }

    /// The files that are attached to it.
    package var files: [FileHead] { sections.compactMap { FileHead($0) } }

    /// All its passkeys: the one that it is, and those that it has in sections.
    package var passkeys: [PasskeyRecord] { (passkey.map { [$0] } ?? []) + sections.compactMap { PasskeyRecord($0) } }
}

/// What a person says of an item as a whole, and where it came from.
package struct ItemMarks: Hashable, Sendable {
    /// Where its password is offered.
    package enum Use: UInt8, Hashable, Sendable, CaseIterable {
        /// Wherever its addresses fit.
        case everywhere
        /// In forms of pages alone.
        case forms
        /// For HTTP's own sign-in alone (RFC 7235).
        case basic
    }

    /// How an item came to be. The set is open.
    package struct Source: RawRepresentable, Hashable, Sendable {
        /// Nobody noted it.
        package static let unknown = Source(rawValue: 0)
        /// The person wrote it.
        package static let person = Source(rawValue: 1)
        /// It was saved after a sign-in or sign-up.
        package static let saved = Source(rawValue: 2)
        /// Its password was generated for a form.
        package static let generated = Source(rawValue: 3)
        /// It came from another program.
        package static let imported = Source(rawValue: 4)

        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// Whether it is a favourite.
    package var isFavorite = false
    /// Where its password is offered.
    package var use = Use.everywhere
    /// How it came to be.
    package var source = Source.unknown

    /// Marks.
    package init(isFavorite: Bool = false, use: Use = .everywhere, source: Source = .unknown) {
        self.isFavorite = isFavorite
        self.use = use
        self.source = source
    }

    /// The stored form: flags (1; 1 = favourite) `|` use (1) `|` source (1).
    var bytes: [UInt8] { [isFavorite ? 1 : 0, use.rawValue, source.rawValue] }

    /// Reads the stored form.
    ///
    /// - Throws: `damaged`; `unsupported` for flags and uses that are not known: where a password must not be offered, it
    ///   must not be guessed.
    init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
        guard bytes.count == 3 else { throw VaultError(.damaged, "the marks have \(bytes.count) bytes") }
        guard bytes[0] <= 1, let use = Use(rawValue: bytes[1]) else {
            throw VaultError(.unsupported, "the marks are \(bytes[0]) and \(bytes[1])")
        }
        self.init(isFavorite: bytes[0] == 1, use: use, source: Source(rawValue: bytes[2]))
    }
}

/// Kinds of items, for a search.
package struct ItemKinds: OptionSet, Sendable {
    /// Everything but items that are a passkey and nothing else.
    package static let passwords = ItemKinds(rawValue: 1)
    /// Items that are a passkey, or have one.
    package static let passkeys = ItemKinds(rawValue: 2)
    /// Hidden items, too; without it only those that are offered.
    package static let hidden = ItemKinds(rawValue: 4)
    /// Items with a one-time code.
    package static let codes = ItemKinds(rawValue: 8)
    /// All items.
    package static let all: ItemKinds = [.passwords, .passkeys, .hidden]

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// A field that the person added to an item.
package struct CustomField: Sendable, Equatable {
    /// The name beside the field; not secret.
    package var name: String
    /// What is in it, UTF-8.
    package var value: SecretBytes
    /// Whether interfaces hide the value until asked. It is stored in the same way either way.
    package var isHidden: Bool

    /// Makes a field.
    package init(name: String, value: SecretBytes, isHidden: Bool) {
        self.name = name
        self.value = value
        self.isHidden = isHidden
    }
}

/// A password that an item had before.
package struct PastPassword: Sendable, Equatable {
    /// The password, UTF-8.
    package let password: SecretBytes
    /// When another one took its place.
    package let replaced: Date
}

/// Everything about an item that does not exist yet.
package struct ItemDraft: Sendable {
    /// What the person calls it.
    package var title: String
    /// The account's name there; may be empty.
    package var userName: String
    /// The password, UTF-8; nil when the item has none.
    package var password: SecretBytes?
    /// Where it is used: URLs or bare hosts.
    package var addresses: [String]
    /// Free text, UTF-8; nil when there is none.
    package var notes: SecretBytes?
    /// Words to find it by.
    package var tags: [String]
    /// Fields that the person added.
    package var fields: [CustomField]
    /// The passkey that it is; nil for an item that is none.
    package var passkey: Passkey?
    /// What the person marked it with, and where it came from.
    package var marks: ItemMarks
    /// A second line below the title; nil where there is none.
    package var subtitle: String?
    /// What it holds beside all that; see ``StoredCode/section`` and the like.
    package var sections: [ItemSection]
    /// What is in the files among them; see ``FileContent/section(name:mediaType:)``.
    package var contents: [FileContent]
    /// When it was made elsewhere; nil for now. Times in the future count as now.
    package var created: Date?
    /// When it was changed last elsewhere; nil for now.
    package var modified: Date?

    /// Makes a draft.
    package init(
        title: String, userName: String = "", password: SecretBytes? = nil, addresses: [String] = [],
        notes: SecretBytes? = nil, tags: [String] = [], fields: [CustomField] = [], passkey: Passkey? = nil,
        marks: ItemMarks = ItemMarks(), subtitle: String? = nil, sections: [ItemSection] = [],
        contents: [FileContent] = [], created: Date? = nil, modified: Date? = nil
    ) {
        self.contents = contents
        self.created = created
        self.modified = modified
        self.marks = marks
        self.subtitle = subtitle
        self.sections = sections
        self.title = title
        self.userName = userName
        self.password = password
        self.addresses = addresses
        self.notes = notes
        self.tags = tags
        self.fields = fields
        self.passkey = passkey
    }
}

/// What to change about an item; nil leaves it as it is.
package struct ItemChanges: Sendable {
    /// A new title.
    package var title: String?
    /// A new user name.
    package var userName: String?
    /// A new password; the one before goes into the history. An empty one means none.
    package var password: SecretBytes?
    /// New addresses, in place of all.
    package var addresses: [String]?
    /// New notes; empty ones mean none.
    package var notes: SecretBytes?
    /// New tags, in place of all.
    package var tags: [String]?
    /// New fields, in place of all.
    package var fields: [CustomField]?
    /// What the relying party stores with the passkey; may be empty.
    package var largeBlob: SecretBytes?
    /// Whether it is hidden from now on. Nothing of it is lost by that.
    package var isHidden: Bool?
    /// Whether a passkey that is hidden from now on stays so until the person offers it again.
    package var isWithheld: Bool
    /// Whether the person chose the user name of the passkey.
    package var isNamedByPerson: Bool?
    /// Whether the new user name is the word of a site: the one before is kept beside it.
    package var isRenamedBySite: Bool
    /// Whether it is a favourite.
    package var isFavorite: Bool?
    /// Where its password is offered.
    package var use: ItemMarks.Use?
    /// A second line below the title; an empty one means none.
    package var subtitle: String?
    /// What becomes of its sections, in this order; those that are not named stay byte for byte.
    package var sections: [SectionChange]
    /// What is in the files among its new sections; see ``FileContent/section(name:mediaType:)``.
    package var contents: [FileContent]
    /// Whether a change of the password is taken back: the one that it has goes, and leaves nothing in the history.
    package var takesBackPassword: PasswordReturn?
    /// When it counts as changed last; nil for now. For a change that is taken back.
    package var modified: Date?

    /// What an item has instead of a password that is taken back.
    package enum PasswordReturn: Hashable, Sendable {
        /// The newest of its history, which leaves it.
        case former
        /// None.
        case none
    }

    /// Whether it has a password after the change; nil where that stays as it is.
    var hasPassword: Bool? { takesBackPassword.map { $0 == .former } ?? password.map { !$0.isEmpty } }

    /// Makes changes that change nothing yet.
    package init(
        title: String? = nil, userName: String? = nil, password: SecretBytes? = nil, addresses: [String]? = nil,
        notes: SecretBytes? = nil, tags: [String]? = nil, fields: [CustomField]? = nil,
        largeBlob: SecretBytes? = nil, isHidden: Bool? = nil, isWithheld: Bool = false,
        isNamedByPerson: Bool? = nil, isRenamedBySite: Bool = false, isFavorite: Bool? = nil,
        use: ItemMarks.Use? = nil, subtitle: String? = nil, sections: [SectionChange] = [],
        contents: [FileContent] = []
    ) {
        self.contents = contents
        self.isFavorite = isFavorite
        self.use = use
        self.subtitle = subtitle
        self.sections = sections
        self.title = title
        self.userName = userName
        self.password = password
        self.addresses = addresses
        self.notes = notes
        self.tags = tags
        self.fields = fields
        self.largeBlob = largeBlob
        self.isHidden = isHidden
        self.isWithheld = isWithheld
        self.isNamedByPerson = isNamedByPerson
        self.isRenamedBySite = isRenamedBySite
    }
}
