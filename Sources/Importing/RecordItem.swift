import CodeLinks
import CredentialExchange
import KeywayCrypto
package import SecretDocuments

extension ImportedRecord {
    /// Writes the record as an item of CXF; what that has no place for stands in an ``ImportOrigin``. Read by
    /// ``CXFImport`` it gives the same record.
    ///
    /// - Parameter id: the item's identifier, in base64url.
    package func write<Failure>(asItem id: String, to writer: JSONWriter<Failure>) throws(Failure) {
        try writer.object { (members) throws(Failure) in
            try members.add("id", text: id)
            try members.add("creationAt", number: created)
            try members.add("modifiedAt", number: modified)
            try members.add("title", text: title)
            if isFavorite { try members.add("favorite", .boolean(true)) }
            if !urls.isEmpty { try members.add("scope", object: writeScope) }
            try members.add("credentials") { (writer) throws(Failure) in try writeCredentials(writer) }
            if !tags.isEmpty {
                try members.add("tags", each: tags) { (writer, tag) throws(Failure) in try writer.text(tag) }
            }
            let origin = ImportOrigin(place: place, folder: folder, isForHTTP: isForHTTP, notices: notices)
            try members.add("extensions", each: [origin]) { (writer, origin) throws(Failure) in
                try origin.write(to: writer)
            }
        }
    }

    // MARK: - Parts

    private static var appScheme: String { "androidapp://" }

    private func writeScope<Failure>(_ members: inout JSONMembers<Failure>) throws(Failure) {
        let isApp = { (url: String) in url.hasPrefix(Self.appScheme) && url != Self.appScheme }
        try members.add("urls", each: urls.filter { !isApp($0) }) { (writer, url) throws(Failure) in
            try writer.text(url)
        }
        try members.add("androidApps", each: urls.filter(isApp)) { (writer, url) throws(Failure) in
            try writer.object { (members) throws(Failure) in
                try members.add("bundleId", text: String(url.dropFirst(Self.appScheme.count)))
            }
        }
    }

    private func writeCredentials<Failure>(_ writer: JSONWriter<Failure>) throws(Failure) {
        var parts: [(JSONWriter<Failure>) throws(Failure) -> Void] = []
        // The first of an item is its login, also where that is empty.
        if !userName.isEmpty || password != nil || credentials.contains(where: { $0.type == .basicAuthentication }) {
            parts.append(writeLogin)
        }
        for code in codes where code.isSayable {
            parts.append { (writer) throws(Failure) in try code.write(to: writer) }
        }
        let others = codes.filter { !$0.isSayable }.map(\.field)
        if !others.isEmpty {
            parts.append { (writer) throws(Failure) in
                try Self.write(others, label: ImportOrigin.codesLabel, to: writer)
            }
        }
        if let notes {
            parts.append { (writer) throws(Failure) in
                try writer.credential(.note) { (members) throws(Failure) in
                    try members.add("content", field: .string, .string(notes))
                }
            }
        }
        for passkey in passkeys {
            parts.append { (writer) throws(Failure) in try passkey.write(to: writer) }
        }
        if !fields.isEmpty {
            parts.append { (writer) throws(Failure) in try Self.write(fields, label: nil, to: writer) }
        }
        for file in files {
            parts.append { (writer) throws(Failure) in try file.write(to: writer) }
        }
        for credential in credentials {
            parts.append { (writer) throws(Failure) in try writer.value(.object(credential.object)) }
        }
        try writer.array(parts) { (writer, part) throws(Failure) in try part(writer) }
    }

    private func writeLogin<Failure>(_ writer: JSONWriter<Failure>) throws(Failure) {
        try writer.credential(.basicAuthentication) { (members) throws(Failure) in
            if !userName.isEmpty {
                try members.add("username") { (writer) throws(Failure) in
                    try writer.object { (members) throws(Failure) in
                        try members.add("fieldType", text: ExchangeFieldType.string.rawValue)
                        try members.add("value", text: userName)
                    }
                }
            }
            if let password { try members.add("password", field: .concealed, .string(password)) }
        }
    }

    private static func write<Failure>(
        _ fields: [ImportedField], label: String?, to writer: JSONWriter<Failure>
    ) throws(Failure) {
        try writer.credential(.customFields) { (members) throws(Failure) in
            if let label { try members.add("label", text: label) }
            try members.add("fields", each: fields) { (writer, field) throws(Failure) in
                try writer.object { (members) throws(Failure) in
                    let type: ExchangeFieldType = field.isHidden ? .concealed : .string
                    try members.add("fieldType", text: type.rawValue)
                    try members.add("value", .string(field.value))
                    if !field.label.isEmpty { try members.add("label", text: field.label) }
                }
            }
        }
    }
}

extension JSONWriter {
    /// Writes a credential.
    fileprivate func credential(
        _ type: ExchangeCredentialType, _ write: (inout JSONMembers<Failure>) throws(Failure) -> Void
    ) throws(Failure) {
        try object { (members) throws(Failure) in
            try members.add("type", text: type.rawValue)
            try write(&members)
        }
    }
}

extension JSONMembers {
    /// Adds a field that people may edit.
    fileprivate mutating func add(
        _ name: String, field type: ExchangeFieldType, _ value: JSONValue
    ) throws(Failure) {
        try add(name) { (writer) throws(Failure) in
            try writer.object { (members) throws(Failure) in
                try members.add("fieldType", text: type.rawValue)
                try members.add("value", value)
            }
        }
    }

    /// Adds bytes, in base64url.
    fileprivate mutating func add(_ name: String, bytes: SecretBytes) throws(Failure) {
        let text = bytes.base64URL.withUnsafeBytes { SecretText(copying: $0) }
        try add(name, .string(text))
    }
}

extension CodeSetup {
    /// Whether CXF can say all of it: codes that move with the time, for an issuer by one name.
    fileprivate var isSayable: Bool {
        guard case .time = recipe.kind else { return false }
        return labelIssuer == issuer
    }

    /// The link for it, as a field.
    fileprivate var field: ImportedField {
        ImportedField(label: "", value: link.withUnsafeBytes { SecretText(copying: $0) }, isHidden: true)
    }

    fileprivate func write<Failure>(to writer: JSONWriter<Failure>) throws(Failure) {
        guard case .time(let period) = recipe.kind else { return }
        try writer.credential(.totp) { (members) throws(Failure) in
            let secret = SecretText(room: recipe.secret.count * 8 / 5 + 1) { buffer in
                Base32.write(recipe.secret) { buffer.append($0) }
            }
            try members.add("secret", .string(secret))
            try members.add("period", number: Int64(period))
            try members.add("digits", number: Int64(recipe.digits))
            try members.add("algorithm", text: recipe.algorithm.rawValue.lowercased())
            if !account.isEmpty { try members.add("username", text: account) }
            if !issuer.isEmpty { try members.add("issuer", text: issuer) }
        }
    }
}

extension ImportedFile {
    fileprivate func write<Failure>(to writer: JSONWriter<Failure>) throws(Failure) {
        try writer.credential(.file) { (members) throws(Failure) in
            // Whatever is the same has the same identifier.
            try members.add("id", bytes: SecretBytes(copying: Array(mark.hash.prefix(16))))
            try members.add("name", text: name)
            try members.add("decryptedSize", number: Int64(mark.size))
            try members.add("integrityHash", bytes: SecretBytes(copying: mark.hash))
        }
    }
}

extension ExchangePasskey {
    fileprivate func write<Failure>(to writer: JSONWriter<Failure>) throws(Failure) {
        try writer.credential(.passkey) { (members) throws(Failure) in
            try members.add("credentialId", bytes: SecretBytes(copying: credentialID))
            try members.add("rpId", text: relyingParty)
            try members.add("username", text: userName)
            try members.add("userDisplayName", text: userDisplayName)
            try members.add("userHandle", bytes: SecretBytes(copying: userHandle))
            try members.add("key", bytes: key)
            let secrets = [
                ("credWithUV", secretWithVerification), ("credWithoutUV", secretWithoutVerification),
            ].compactMap { name, secret in secret.map { (name, $0) } }
            guard !secrets.isEmpty || largeBlob != nil else { return }
            try members.add("fido2Extensions") { (writer) throws(Failure) in
                try writer.object { (members) throws(Failure) in
                    if !secrets.isEmpty {
                        try members.add("hmacCredentials") { (writer) throws(Failure) in
                            try writer.object { (members) throws(Failure) in
                                try members.add("algorithm", text: "hmac-sha256")
                                for (name, secret) in secrets { try members.add(name, bytes: secret) }
                            }
                        }
                    }
                    if let largeBlob {
                        try members.add("largeBlob") { (writer) throws(Failure) in
                            try writer.object { (members) throws(Failure) in
                                try members.add("uncompressedSize", number: largeBlob.size)
                                try members.add("data", bytes: largeBlob.data)
                            }
                        }
                    }
                }
            }
        }
    }
}
