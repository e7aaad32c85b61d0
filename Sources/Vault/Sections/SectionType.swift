/// What a section of an item holds, by the name that a CXF credential of that type has (Credential Exchange Format 1.0,
/// "Credential"); for what CXF lacks, by a name of our own.
///
/// The set is open: a name that is not listed here is a type of a newer version or of somebody else, and what is in its
/// sections is carried along byte for byte.
package struct SectionType: RawRepresentable, Hashable, Sendable {
    package static let basicAuthentication = SectionType(rawValue: "basic-auth")
    package static let passkey = SectionType(rawValue: "passkey")
    package static let totp = SectionType(rawValue: "totp")
    /// A one-time code by counter (RFC 4226); CXF has no type for it.
    package static let hotp = SectionType(rawValue: "hotp")
    /// A one-time code of Steam; CXF has no type for it.
    package static let steam = SectionType(rawValue: "steam")
    package static let generatedPassword = SectionType(rawValue: "generated-password")
    package static let note = SectionType(rawValue: "note")
    package static let apiKey = SectionType(rawValue: "api-key")
    package static let sshKey = SectionType(rawValue: "ssh-key")
    package static let wifi = SectionType(rawValue: "wifi")
    package static let creditCard = SectionType(rawValue: "credit-card")
    package static let address = SectionType(rawValue: "address")
    package static let personName = SectionType(rawValue: "person-name")
    package static let driversLicense = SectionType(rawValue: "drivers-license")
    package static let identityDocument = SectionType(rawValue: "identity-document")
    package static let passport = SectionType(rawValue: "passport")
    package static let itemReference = SectionType(rawValue: "item-reference")
    package static let file = SectionType(rawValue: "file")
    package static let customFields = SectionType(rawValue: "custom-fields")
    /// What CXF says of an item as a whole and the vault has no field for: the apps it is for, extensions.
    package static let item = SectionType(rawValue: "item")
    /// A credential of CXF that Keyway can't use, as it is: of a known type, and not as that type has to be.
    package static let unread = SectionType(rawValue: "unread")

    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Whether sections of this type make one-time codes.
    package var isCode: Bool { self == .totp || self == .hotp || self == .steam }

    /// The version of its sections that this program reads and writes.
    package static let version: UInt16 = 1

    /// The longest name of a type or of a member, in bytes.
    package static let longestName = 255

    /// The members that lie in the summary: what an item is found and named by, and no secret. All others lie in the
    /// body, also those of types that are not known.
    var summaryMembers: Set<String> { Self.summaryMembers[self] ?? [] }

    /// Every type that this version knows, with its members that lie in the summary.
    private static let summaryMembers: [SectionType: Set<String>] = [
        .basicAuthentication: ["username"],
        .passkey: ["rpId", "credentialId", "userHandle", "username", "userDisplayName", "flags"],
        .totp: ["period", "digits", "algorithm", "username", "issuer"],
        .hotp: ["counter", "digits", "algorithm", "username", "issuer"],
        .steam: ["username", "issuer"],
        .generatedPassword: [],
        .note: [],
        .apiKey: ["username", "keyType", "url"],
        .sshKey: ["keyType", "keyComment"],
        .wifi: ["ssid"],
        .creditCard: ["cardType"],
        .address: [],
        .personName: [],
        .driversLicense: [],
        .identityDocument: [],
        .passport: [],
        .itemReference: [],
        .file: ["id", "name", "mediaType", "decryptedSize", FileHead.seedMember],
        .customFields: ["label"],
        .item: [],
        .unread: ["label"],
    ]

    /// The types that this version knows.
    package static var known: Set<SectionType> { Set(summaryMembers.keys) }
}
