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

    /// The oldest version of the format that can hold it.
    var formatVersion: UInt16 { passkey == nil && hidden == nil && formerName == nil ? 1 : 2 }
}

/// Kinds of items, for a search.
package struct ItemKinds: OptionSet, Sendable {
    /// Everything but passkeys.
    package static let passwords = ItemKinds(rawValue: 1)
    /// Passkeys.
    package static let passkeys = ItemKinds(rawValue: 2)
    /// Hidden items, too; without it only those that are offered.
    package static let hidden = ItemKinds(rawValue: 4)
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

    /// Makes a draft.
    package init(
        title: String, userName: String = "", password: SecretBytes? = nil, addresses: [String] = [],
        notes: SecretBytes? = nil, tags: [String] = [], fields: [CustomField] = [], passkey: Passkey? = nil
    ) {
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

    /// Makes changes that change nothing yet.
    package init(
        title: String? = nil, userName: String? = nil, password: SecretBytes? = nil, addresses: [String]? = nil,
        notes: SecretBytes? = nil, tags: [String]? = nil, fields: [CustomField]? = nil,
        largeBlob: SecretBytes? = nil, isHidden: Bool? = nil, isWithheld: Bool = false,
        isNamedByPerson: Bool? = nil, isRenamedBySite: Bool = false
    ) {
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
