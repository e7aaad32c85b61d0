import CodeLinks
import CredentialExchange
import KeywayCrypto
import SecretDocuments

/// An item of a document to import, as `--preview` shows it.
struct ImportedAccount {
    /// What there is of it, for people: in the order in which it is counted.
    enum Part: Hashable, CaseIterable {
        case password, passkey, code, note, card, identity, network, key, other
    }

    /// The item.
    let item: ExchangeItem
    /// What the reader said of it.
    let origin: ImportOrigin

    init(_ item: ExchangeItem) {
        self.item = item
        origin = ImportOrigin(item)
    }

    /// What there is of it, each kind once.
    var parts: Set<Part> { Contents(item).parts }

    /// What is in it; read only where it is shown.
    private struct Contents {
        private(set) var login: ExchangeCredential?
        private(set) var notes: SecretText?
        private(set) var codes: [CodeSetup] = []
        private(set) var passkey: ExchangeCredential?
        private(set) var fields: [ExchangeField] = []
        private(set) var parts: Set<Part> = []

        init(_ item: ExchangeItem) {
            for part in item.parts { take(part) }
            if !codes.isEmpty { parts.insert(.code) }
        }

        private mutating func take(_ part: ExchangePart) {
            switch part {
            case .login(let credential):
                login = credential
                if credential.field("password") != nil { parts.insert(.password) }
            case .notes(let credential):
                notes = credential.field("content")?.value
                parts.insert(.note)
            case .code(let setup, _): codes.append(setup)
            case .codeLinks(let setups, _): codes += setups
            case .passkey(_, let credential):
                if passkey == nil { passkey = credential }
                parts.insert(.passkey)
            case .fields(let credential, let more):
                fields += credential.fields.filter { $0.codes == nil }
                codes += more
            case .other(let credential):
                if let part = Self.part(credential) { parts.insert(part) }
            case .file, .unusable: parts.insert(.other)
            case .brokenPasskey: break
            }
        }

        private static func part(_ credential: ExchangeCredential) -> Part? {
            switch credential.type {
            case .basicAuthentication, .generatedPassword: .password
            case .note: .note
            case .creditCard: .card
            case .address, .personName, .driversLicense, .identityDocument, .passport: .identity
            case .wifi: .network
            case .sshKey, .apiKey: .key
            case .customFields: nil
            default: .other
            }
        }
    }

    // MARK: - JSON

    /// Writes the account as a record; secrets only where they are `revealed`, else `null`.
    func write<Failure>(to writer: JSONWriter<Failure>, revealed: Bool) throws(Failure) {
        let contents = Contents(item)
        try writer.object { (members) throws(Failure) in
            try members.add("title", text: item.title)
            try members.add("username", .string(contents.login?.field("username")?.value ?? Self.empty))
            try members.add("password", Self.secret(contents.login?.field("password")?.value ?? Self.empty, revealed))
            let urls = item.urls + item.androidApps.map { "androidapp://\($0)" }
            try members.add("urls", each: urls) { (writer, url) throws(Failure) in try writer.text(url) }
            try members.add("notes", Self.secret(contents.notes ?? Self.empty, revealed))
            try members.add("totp") { (writer) throws(Failure) in try write(contents.codes.first, to: writer, revealed)
            }
            try members.add("folder", each: origin.folder) { (writer, name) throws(Failure) in try writer.text(name) }
            try members.add("favorite", .boolean(item.isFavorite))
            try members.add("custom", each: contents.fields) { (writer, field) throws(Failure) in
                try writer.raw("[")
                try writer.text(field.label ?? "")
                try writer.raw(",")
                let value = field.value ?? Self.empty
                try writer.value(field.isHidden ? Self.secret(value, revealed) : .string(value))
                try writer.raw(field.isHidden ? ",true]" : ",false]")
            }
            try members.add("passkey") { (writer) throws(Failure) in
                try Self.write(passkey: contents.passkey, to: writer, revealed)
            }
            try members.add("created", item.created.map { .integer($0) } ?? .null)
            try members.add("modified", item.modified.map { .integer($0) } ?? .null)
        }
    }

    private static let empty = SecretText(copyingUTF8Of: "")

    private static func secret(_ text: SecretText, _ isRevealed: Bool) -> SecretDocuments.JSONValue {
        isRevealed ? .string(text) : .null
    }

    private func write<Failure>(
        _ code: CodeSetup?, to writer: JSONWriter<Failure>, _ isRevealed: Bool
    ) throws(Failure) {
        guard let code else { return try writer.raw("null") }
        let recipe = code.recipe
        try writer.object { (members) throws(Failure) in
            let secret = SecretText(room: recipe.secret.count * 8 / 5 + 1) { buffer in
                Base32.write(recipe.secret) { buffer.append($0) }
            }
            try members.add("secret", Self.secret(secret, isRevealed))
            try members.add("issuer", text: code.issuer)
            try members.add("account", text: code.account)
            let algorithm = recipe.algorithm.rawValue.lowercased()
            if algorithm != "sha1" { try members.add("algorithm", text: algorithm) }
            if recipe.digits != 6 { try members.add("digits", number: Int64(recipe.digits)) }
            if case .time(30) = recipe.kind { return }
            if case .time(let period) = recipe.kind { try members.add("period", number: Int64(period)) }
        }
    }

    private static func write<Failure>(
        passkey: ExchangeCredential?, to writer: JSONWriter<Failure>, _ isRevealed: Bool
    ) throws(Failure) {
        guard let passkey else { return try writer.raw("null") }
        try writer.object { (members) throws(Failure) in
            for name in ["credentialId", "rpId", "username", "userDisplayName", "userHandle"] {
                try members.add(name, .string(passkey.object.text(name) ?? empty))
            }
            try members.add("key", secret(passkey.object.text("key") ?? empty, isRevealed))
        }
    }
}
