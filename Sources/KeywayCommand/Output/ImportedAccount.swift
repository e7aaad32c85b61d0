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
    private let login: ExchangeCredential?
    private let codes: [Code]

    private struct Code {
        var secret: SecretText?
        var issuer = ""
        var account = ""
        var algorithm = "sha1"
        var digits: Int64 = 6
        var period: Int64?
    }

    init(_ item: ExchangeItem) {
        self.item = item
        origin = ImportOrigin(item)
        login = item.credentials.first { $0.type == .basicAuthentication }
        codes = item.credentials.flatMap(Self.codes)
    }

    /// What there is of it, each kind once.
    var parts: Set<Part> {
        var parts = Set(item.credentials.compactMap(Self.part))
        if !codes.isEmpty { parts.insert(.code) }
        return parts
    }

    private static func part(_ credential: ExchangeCredential) -> Part? {
        switch credential.type {
        case .basicAuthentication: credential.field("password") == nil ? nil : .password
        case .passkey: .passkey
        case .totp: .code
        case .note: .note
        case .creditCard: .card
        case .address, .personName, .driversLicense, .identityDocument, .passport: .identity
        case .wifi: .network
        case .sshKey, .apiKey: .key
        case .customFields: nil
        default: .other
        }
    }

    private static func codes(_ credential: ExchangeCredential) -> [Code] {
        switch credential.type {
        case .totp:
            return [
                Code(
                    secret: credential.object.text("secret"), issuer: credential.object.publicText("issuer"),
                    account: credential.object.publicText("username"),
                    algorithm: credential.object.publicText("algorithm"),
                    digits: credential.object["digits"]?.integer ?? 6, period: credential.object["period"]?.integer)
            ]
        case .customFields where credential.object.publicText("label") == ImportOrigin.codesLabel:
            return credential.fields.flatMap { field in
                (field.value.flatMap { try? CodeSetup.read($0.secret) } ?? []).map(code)
            }
        default: return []
        }
    }

    private static func code(_ setup: CodeSetup) -> Code {
        let recipe = setup.recipe
        let secret = SecretText(room: recipe.secret.count * 8 / 5 + 1) { buffer in
            Base32.write(recipe.secret) { buffer.append($0) }
        }
        let period: Int64? = if case .time(let period) = recipe.kind { Int64(period) } else { nil }
        return Code(
            secret: secret, issuer: setup.issuer, account: setup.account,
            algorithm: recipe.algorithm.rawValue.lowercased(),
            digits: Int64(recipe.digits), period: period)
    }

    // MARK: - JSON

    /// Writes the account as a record; secrets only where they are `revealed`, else `null`.
    func write<Failure>(to writer: JSONWriter<Failure>, revealed: Bool) throws(Failure) {
        let credentials = item.credentials
        let fields = credentials.filter { $0.type == .customFields && $0.object.publicText("label").isEmpty }
            .flatMap(\.fields)
        let note = credentials.first { $0.type == .note }?.field("content")?.value
        try writer.object { (members) throws(Failure) in
            try members.add("title", text: item.title)
            try members.add("username", .string(login?.field("username")?.value ?? Self.empty))
            try members.add("password", Self.secret(login?.field("password")?.value ?? Self.empty, revealed))
            let urls = item.urls + item.androidApps.map { "androidapp://\($0)" }
            try members.add("urls", each: urls) { (writer, url) throws(Failure) in try writer.text(url) }
            try members.add("notes", Self.secret(note ?? Self.empty, revealed))
            try members.add("totp") { (writer) throws(Failure) in try write(codes.first, to: writer, revealed) }
            try members.add("folder", each: origin.folder) { (writer, name) throws(Failure) in try writer.text(name) }
            try members.add("favorite", .boolean(item.isFavorite))
            try members.add("custom", each: fields) { (writer, field) throws(Failure) in
                try writer.raw("[")
                try writer.text(field.label ?? "")
                try writer.raw(",")
                let value = field.value ?? Self.empty
                try writer.value(field.isHidden ? Self.secret(value, revealed) : .string(value))
                try writer.raw(field.isHidden ? ",true]" : ",false]")
            }
            try members.add("passkey") { (writer) throws(Failure) in
                try Self.write(passkey: credentials.first { $0.type == .passkey }, to: writer, revealed)
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
        _ code: Code?, to writer: JSONWriter<Failure>, _ isRevealed: Bool
    ) throws(Failure) {
        guard let code else { return try writer.raw("null") }
        try writer.object { (members) throws(Failure) in
            try members.add("secret", Self.secret(code.secret ?? Self.empty, isRevealed))
            try members.add("issuer", text: code.issuer)
            try members.add("account", text: code.account)
            if !["", "sha1"].contains(code.algorithm) { try members.add("algorithm", text: code.algorithm) }
            if code.digits != 6 { try members.add("digits", number: code.digits) }
            if code.period != 30 { try members.add("period", number: code.period) }
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
