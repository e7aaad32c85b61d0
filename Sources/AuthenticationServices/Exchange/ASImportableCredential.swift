/// A credential of one of the kinds that managers hand to each other.
///
/// As JSON it is one object of the Credential Exchange Format, whose `type` names the kind.
public enum ASImportableCredential: Codable, Hashable, Sendable {
    /// A postal address.
    case address(ASImportableCredential.Address)
    /// A key for a program's interface.
    case apiKey(ASImportableCredential.APIKey)
    /// A user name and a password.
    case basicAuthentication(ASImportableCredential.BasicAuthentication)
    /// A payment card.
    case creditCard(ASImportableCredential.CreditCard)
    /// A licence to drive.
    case driversLicense(ASImportableCredential.DriversLicense)
    /// An identity card or the like.
    case identityDocument(ASImportableCredential.IdentityDocument)
    /// A passport.
    case passport(ASImportableCredential.Passport)
    /// A name, in its parts.
    case personName(ASImportableCredential.PersonName)
    /// A wireless network.
    case wifi(ASImportableCredential.WiFi)
    /// Fields that the person made up.
    case customFields(ASImportableCredential.CustomFields)
    /// A password that belongs to no account yet.
    case generatedPassword(ASImportableCredential.GeneratedPassword)
    /// A link to another item.
    case itemReference(ASImportableCredential.ItemReference)
    /// A text.
    case note(ASImportableCredential.Note)
    /// A passkey.
    case passkey(ASImportableCredential.Passkey)
    /// A key for SSH.
    case sshKey(ASImportableCredential.SSHKey)
    /// The secret behind one-time codes.
    case totp(ASImportableCredential.TOTP)

    // MARK: Coding

    /// What `type` says.
    enum Kind: String, Codable {
        case address, note, passkey, passport, totp, wifi
        case apiKey = "api-key"
        case basicAuthentication = "basic-auth"
        case creditCard = "credit-card"
        case customFields = "custom-fields"
        case driversLicense = "drivers-license"
        case generatedPassword = "generated-password"
        case identityDocument = "identity-document"
        case itemReference = "item-reference"
        case personName = "person-name"
        case sshKey = "ssh-key"
    }

    enum CodingKeys: CodingKey {
        case type
    }

    /// Reads a credential of the exchange format; one of a kind that is not known is an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let kind = Kind(rawValue: try container.decode(String.self, forKey: .type)) else {
            throw container.corrupted(.type, "a kind of credential that is not known")
        }
        switch kind {
        case .address: self = .address(try Address(from: decoder))
        case .apiKey: self = .apiKey(try APIKey(from: decoder))
        case .basicAuthentication: self = .basicAuthentication(try BasicAuthentication(from: decoder))
        case .creditCard: self = .creditCard(try CreditCard(from: decoder))
        case .customFields: self = .customFields(try CustomFields(from: decoder))
        case .driversLicense: self = .driversLicense(try DriversLicense(from: decoder))
        case .generatedPassword: self = .generatedPassword(try GeneratedPassword(from: decoder))
        case .identityDocument: self = .identityDocument(try IdentityDocument(from: decoder))
        case .itemReference: self = .itemReference(try ItemReference(from: decoder))
        case .note: self = .note(try Note(from: decoder))
        case .passkey: self = .passkey(try Passkey(from: decoder))
        case .passport: self = .passport(try Passport(from: decoder))
        case .personName: self = .personName(try PersonName(from: decoder))
        case .sshKey: self = .sshKey(try SSHKey(from: decoder))
        case .totp: self = .totp(try TOTP(from: decoder))
        case .wifi: self = .wifi(try WiFi(from: decoder))
        }
    }

    /// Writes a credential of the exchange format.
    public func encode(to encoder: any Encoder) throws {
        let (kind, members) = parts
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .type)
        try members.encode(to: encoder)
    }

    private var parts: (Kind, any Encodable) {
        switch self {
        case .address(let members): (.address, members)
        case .apiKey(let members): (.apiKey, members)
        case .basicAuthentication(let members): (.basicAuthentication, members)
        case .creditCard(let members): (.creditCard, members)
        case .customFields(let members): (.customFields, members)
        case .driversLicense(let members): (.driversLicense, members)
        case .generatedPassword(let members): (.generatedPassword, members)
        case .identityDocument(let members): (.identityDocument, members)
        case .itemReference(let members): (.itemReference, members)
        case .note(let members): (.note, members)
        case .passkey(let members): (.passkey, members)
        case .passport(let members): (.passport, members)
        case .personName(let members): (.personName, members)
        case .sshKey(let members): (.sshKey, members)
        case .totp(let members): (.totp, members)
        case .wifi(let members): (.wifi, members)
        }
    }
}
