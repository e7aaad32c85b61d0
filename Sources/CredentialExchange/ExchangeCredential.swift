package import KeywayCrypto
package import SecretDocuments

/// A type of credentials, by its name in CXF 1.0. The set is open.
package struct ExchangeCredentialType: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let basicAuthentication = Self(rawValue: "basic-auth")
    package static let passkey = Self(rawValue: "passkey")
    package static let totp = Self(rawValue: "totp")
    package static let generatedPassword = Self(rawValue: "generated-password")
    package static let note = Self(rawValue: "note")
    package static let apiKey = Self(rawValue: "api-key")
    package static let sshKey = Self(rawValue: "ssh-key")
    package static let wifi = Self(rawValue: "wifi")
    package static let creditCard = Self(rawValue: "credit-card")
    package static let address = Self(rawValue: "address")
    package static let personName = Self(rawValue: "person-name")
    package static let driversLicense = Self(rawValue: "drivers-license")
    package static let identityDocument = Self(rawValue: "identity-document")
    package static let passport = Self(rawValue: "passport")
    package static let itemReference = Self(rawValue: "item-reference")
    package static let file = Self(rawValue: "file")
    package static let customFields = Self(rawValue: "custom-fields")

    /// The type that a name stands for: names of older drafts are those of today.
    init(name: String) {
        let today =
            switch name {
            case "driver-license": "drivers-license"
            case "public-key", "Passkey": "passkey"
            case "BasicAuth": "basic-auth"
            case "Totp": "totp"
            case "Note": "note"
            case "CreditCard": "credit-card"
            default: name
            }
        self.init(rawValue: today)
    }
}

/// The type of a field, by its name in CXF 1.0. The set is open.
package struct ExchangeFieldType: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let string = Self(rawValue: "string")
    package static let concealed = Self(rawValue: "concealed-string")
    package static let email = Self(rawValue: "email")
    package static let number = Self(rawValue: "number")
    package static let boolean = Self(rawValue: "boolean")
    package static let date = Self(rawValue: "date")
    package static let yearMonth = Self(rawValue: "year-month")
    package static let wifiSecurity = Self(rawValue: "wifi-network-security-type")
    package static let country = Self(rawValue: "country-code")
    package static let subdivision = Self(rawValue: "subdivision-code")

    /// The types of CXF 1.0.
    package static let known: Set<ExchangeFieldType> = [
        string, concealed, email, number, boolean, date, yearMonth, wifiSecurity, country, subdivision,
    ]
}

/// A field that people may edit (CXF 1.0, "EditableField").
package struct ExchangeField: ExchangeStructure {
    package var object: JSONObject

    package init(_ object: JSONObject) { self.object = object }

    /// A field of ours.
    package init(_ type: ExchangeFieldType, _ value: SecretText, label: String? = nil) {
        object = JSONObject([.init("fieldType", .text(type.rawValue)), .init("value", .string(value))])
        if let label { object["label"] = .text(label) }
    }

    /// What it holds.
    package var type: ExchangeFieldType { ExchangeFieldType(rawValue: text("fieldType") ?? "string") }
    /// Its value: text, always.
    package var value: SecretText? {
        switch object["value"] {
        case .string(let text): text
        // Written so by those who have not read that it is text.
        case .number(let number): SecretText(copyingUTF8Of: number)
        case .boolean(let isTrue): SecretText(copyingUTF8Of: isTrue ? "true" : "false")
        default: nil
        }
    }
    /// Its name for people, where the name of the member doesn't say it.
    package var label: String? { text("label").flatMap { $0.isEmpty ? nil : $0 } }
    /// Whether interfaces hide the value until asked: also of a type that isn't known.
    package var isHidden: Bool { type == .concealed || !ExchangeFieldType.known.contains(type) }
}

/// A credential (CXF 1.0, "Credential") of any type, also of one that this version doesn't know.
package struct ExchangeCredential: ExchangeStructure {
    package var object: JSONObject

    package init(_ object: JSONObject) { self.object = object }

    /// A credential of ours; members without a value are left out.
    package init(_ type: ExchangeCredentialType, _ members: [(String, JSONValue?)]) {
        object = JSONObject(
            [.init("type", .text(type.rawValue))]
                + members.compactMap { name, value in value.map { JSONObject.Member(name, $0) } })
    }

    /// What it is.
    package var type: ExchangeCredentialType { ExchangeCredentialType(name: text("type") ?? "") }

    /// A field by the name of its member; nil where there is none, or an empty one. A bare string counts as one: drafts of
    /// 2024 had no fields.
    package func field(_ name: String) -> ExchangeField? {
        switch object[name] {
        case .object(let object):
            let field = ExchangeField(object)
            return field.value?.isEmpty == false ? field : nil
        case .string(let text) where !text.isEmpty: return ExchangeField(.string, text)
        default: return nil
        }
    }

    /// The fields of `custom-fields`.
    package var fields: [ExchangeField] { list("fields", ExchangeField.self) }

    /// Bytes, which the document has in base64url, with or without padding; nil for what is none.
    package func bytes(_ name: String) -> SecretBytes? {
        object.text(name).flatMap { SecretBytes(base64: $0.secret) }
    }

    /// Refuses a credential of a known type that lacks what it needs, or has it in another form than the schema says.
    ///
    /// - Throws: ``ExchangeError``: `invalidCredential`.
    package func check() throws(ExchangeError) {
        for (name, form) in ExchangeSchema.members[type] ?? [:] {
            guard let value = object[name], !value.isNull else {
                guard !form.isRequired else { throw Self.invalid("has no “\(name)”") }
                continue
            }
            guard form.allows(value) else { throw Self.invalid("has a “\(name)” of another form than CXF gives it") }
        }
    }

    static func invalid(_ detail: String) -> ExchangeError { ExchangeError(.invalidCredential, detail) }
}
