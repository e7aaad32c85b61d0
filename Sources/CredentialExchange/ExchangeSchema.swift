import SecretDocuments

/// What the members of each type of credentials are (CXF 1.0, "Credential types").
package enum ExchangeSchema {
    /// The form of a member's value.
    package enum Form: Sendable, Equatable {
        /// A field that people may edit, of this type.
        case field(ExchangeFieldType)
        /// Text.
        case text
        /// Bytes in base64url.
        case bytes
        /// A whole number.
        case integer
        /// Several fields.
        case fields
        /// An object: a link, extensions.
        case structure
    }

    /// A member by its form, and whether a credential needs it.
    package struct Member: Sendable, Equatable {
        /// The form of its value.
        package let form: Form
        /// Whether the credential is none without it.
        package let isRequired: Bool

        /// Whether a value has that form.
        func allows(_ value: JSONValue) -> Bool {
            switch form {
            // Drafts of 2024 wrote fields as bare text.
            case .field: value.object.map { ExchangeField($0).value != nil } ?? (value.string != nil)
            case .text: value.string != nil
            case .bytes: value.string.map(Self.isBase64) ?? false
            case .integer: value.integer.map { $0 >= 0 } ?? false
            case .fields: value.elements != nil
            case .structure: value.object != nil
            }
        }

        private static func isBase64(_ text: SecretText) -> Bool {
            text.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while rest.last == UInt8(ascii: "=") { rest = rest.dropLast() }
                return rest.count % 4 != 1
                    && rest.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                            UInt8(ascii: "+"), UInt8(ascii: "/"):
                            true
                        default: false
                        }
                    }
            }
        }
    }

    /// Every type of CXF 1.0 with its members; what else stands in a credential is kept, and not looked at.
    package static let members: [ExchangeCredentialType: [String: Member]] = [
        .basicAuthentication: all(["username": .field(.string), "password": .field(.concealed)]),
        .passkey: all(
            ["fido2Extensions": .structure],
            required: [
                "credentialId": .bytes, "rpId": .text, "username": .text, "userDisplayName": .text,
                "userHandle": .bytes, "key": .bytes,
            ]),
        // Without period, digits and algorithm it is one of the usual kind; some exporters leave them out.
        .totp: all(
            ["period": .integer, "digits": .integer, "algorithm": .text, "username": .text, "issuer": .text],
            required: ["secret": .text]),
        .generatedPassword: all([:], required: ["password": .text]),
        .note: all([:], required: ["content": .field(.string)]),
        .apiKey: all([
            "key": .field(.concealed), "username": .field(.string), "keyType": .field(.string), "url": .field(.string),
            "validFrom": .field(.date), "expiryDate": .field(.date),
        ]),
        .sshKey: all(
            [
                "keyComment": .text, "creationDate": .field(.date), "expiryDate": .field(.date),
                "keyGenerationSource": .field(.string),
            ], required: ["keyType": .text, "privateKey": .bytes]),
        .wifi: all([
            "ssid": .field(.string), "networkSecurityType": .field(.wifiSecurity), "passphrase": .field(.concealed),
            "hidden": .field(.boolean),
        ]),
        .creditCard: all([
            "number": .field(.concealed), "fullName": .field(.string), "cardType": .field(.string),
            "verificationNumber": .field(.concealed), "pin": .field(.concealed), "expiryDate": .field(.yearMonth),
            "validFrom": .field(.yearMonth),
        ]),
        .address: all([
            "streetAddress": .field(.string), "postalCode": .field(.string), "city": .field(.string),
            "territory": .field(.subdivision), "country": .field(.country), "tel": .field(.string),
        ]),
        .personName: all(
            strings(
                "title", "given", "givenInformal", "given2", "surnamePrefix", "surname", "surname2", "credentials",
                "generation")),
        .driversLicense: all(
            strings("fullName", "issuingAuthority", "licenseNumber", "licenseClass").merging(dates) { $1 }
                .merging(["territory": .field(.subdivision), "country": .field(.country)]) { $1 }),
        .identityDocument: all(
            strings(
                "documentNumber", "identificationNumber", "nationality", "fullName", "birthPlace", "sex",
                "issuingAuthority"
            ).merging(dates) { $1 }.merging(["issuingCountry": .field(.country)]) { $1 }),
        .passport: all(
            strings(
                "passportType", "passportNumber", "nationalIdentificationNumber", "nationality", "fullName",
                "birthPlace", "sex", "issuingAuthority"
            ).merging(dates) { $1 }.merging(["issuingCountry": .field(.country)]) { $1 }),
        .itemReference: all([:], required: ["reference": .structure]),
        .file: all([:], required: ["id": .bytes, "name": .text, "decryptedSize": .integer, "integrityHash": .bytes]),
        .customFields: all(["id": .bytes, "label": .text], required: ["fields": .fields]),
    ]

    private static let dates: [String: Form] = [
        "birthDate": .field(.date), "issueDate": .field(.date), "expiryDate": .field(.date),
    ]

    private static func strings(_ names: String...) -> [String: Form] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, .field(.string)) })
    }

    private static func all(_ optional: [String: Form], required: [String: Form] = [:]) -> [String: Member] {
        optional.mapValues { Member(form: $0, isRequired: false) }
            .merging(required.mapValues { Member(form: $0, isRequired: true) }) { $1 }
    }
}
