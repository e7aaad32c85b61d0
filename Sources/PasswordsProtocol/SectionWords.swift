/// What people call sections of items and what stands in them: every type that CXF 1.0 knows, and those of Keyway's own.
/// Of others only their own names are known.
package enum SectionWords {
    /// What a section of that type is called, in the middle of a sentence; nil for a type that isn't known.
    package static func kind(_ type: String) -> String? { kinds[type] }

    /// What a member is called.
    ///
    /// - Parameters:
    ///   - name: its name in CXF, such as `fullName`.
    ///   - type: the type of its section.
    ///   - label: what the person, or the program that it comes from, calls it.
    package static func member(_ name: String, of type: String, label: String? = nil) -> String {
        if let label, !label.isEmpty { return label }
        return members[type]?[name] ?? common[name] ?? name
    }

    /// How large a file is, in words: `812 bytes`, `12 KiB`, `3.4 MiB`.
    package static func size(_ bytes: Int) -> String {
        switch bytes {
        case 1: return "1 byte"
        case ..<1024: return "\(bytes) bytes"
        case ..<(1 << 20): return "\((bytes + 512) >> 10) KiB"
        default:
            let tenths = (bytes * 10 + 1 << 19) >> 20
            return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
        }
    }

    /// Whether members of a type are for programs alone, not for people.
    package static func isForPrograms(_ type: String) -> Bool { ["item", "unread"].contains(type) }

    private static let kinds = [
        "basic-auth": "user name and password", "passkey": "passkey", "totp": "one-time code",
        "hotp": "counter-based one-time code", "steam": "Steam code", "generated-password": "generated password",
        "note": "note", "api-key": "API key", "ssh-key": "SSH key", "wifi": "Wi-Fi network", "credit-card": "card",
        "address": "address", "person-name": "name", "drivers-license": "driver's license",
        "identity-document": "identity document", "passport": "passport", "item-reference": "link to another item",
        "file": "file", "custom-fields": "custom fields", "item": "imported details",
        "unread": "part that is kept for export",
    ]

    private static let common = [
        "username": "User name", "password": "Password", "birthDate": "Date of birth", "birthPlace": "Place of birth",
        "issueDate": "Issued on", "expiryDate": "Expires", "validFrom": "Valid from", "country": "Country",
        "territory": "State or region", "issuingAuthority": "Issued by", "issuingCountry": "Issuing country",
        "nationality": "Nationality", "sex": "Sex", "fullName": "Full name", "label": "Name", "fields": "Field",
        "extensions": "Extensions", "issuer": "Issuer", "period": "Seconds for each code", "digits": "Digits",
        "algorithm": "Hash", "secret": "Secret", "key": "Key",
    ]

    private static let members: [String: [String: String]] = [
        "passkey": [
            "rpId": "Site", "credentialId": "Credential ID", "userHandle": "User handle",
            "userDisplayName": "Display name", "flags": "Flags", "largeBlob": "What the site stored",
            "credWithUV": "Secret for encryption", "credWithoutUV": "Secret for encryption, unverified",
            "fido2Extensions": "Extensions",
        ],
        "hotp": ["counter": "Counter"],
        "note": ["content": "Note"],
        "api-key": ["key": "API key", "keyType": "Kind of key", "url": "Address", "expiryDate": "Expires"],
        "ssh-key": [
            "keyType": "Kind of key", "privateKey": "Private key", "keyComment": "Comment", "creationDate": "Made on",
            "keyGenerationSource": "Made by",
        ],
        "wifi": [
            "ssid": "Network", "networkSecurityType": "Security", "passphrase": "Wi-Fi password",
            "hidden": "Hidden network",
        ],
        "credit-card": [
            "number": "Card number", "fullName": "Name on the card", "cardType": "Kind of card",
            "verificationNumber": "Security code", "pin": "PIN",
        ],
        "address": [
            "streetAddress": "Street", "postalCode": "Postal code", "city": "City", "tel": "Phone",
        ],
        "person-name": [
            "title": "Title", "given": "First name", "givenInformal": "Called", "given2": "Middle name",
            "surnamePrefix": "Before the last name", "surname": "Last name", "surname2": "Second last name",
            "credentials": "After the name", "generation": "Generation",
        ],
        "drivers-license": ["licenseNumber": "License number", "licenseClass": "Class"],
        "identity-document": [
            "documentNumber": "Document number", "identificationNumber": "Identification number",
        ],
        "passport": [
            "passportType": "Kind of passport", "passportNumber": "Passport number",
            "nationalIdentificationNumber": "National identification number",
        ],
        "item-reference": ["reference": "Item"],
        "file": [
            "id": "Identifier", "name": "File name", "mediaType": "Kind of file", "decryptedSize": "Bytes",
            "content": "Content", "integrityHash": "Checksum",
        ],
        "custom-fields": ["id": "Identifier"],
    ]
}
