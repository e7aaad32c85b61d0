import KeywayCrypto
import SecretDocuments

/// Values in the one form that Apple's types read.
enum HandedValue {
    /// An identifier: that of the document, where it is base64url of 64 bytes at most; else one made of it, always the same.
    static func identifier(_ text: String) -> String {
        if let bytes = SecretBytes(base64: SecretBytes(copyingUTF8Of: text)), (1...64).contains(bytes.count) {
            return bytes.base64URL.text
        }
        let hash = Array(text.utf8).withUnsafeBytes { Digest.blake2b($0, count: 16) }
        return hash.withUnsafeBytes { SecretBytes(copying: $0) }.base64URL.text
    }

    /// A field; of a type that isn't known, it is hidden text.
    static func field(_ field: ExchangeField) -> JSONObject? {
        guard let value = field.value else { return nil }
        var object = JSONObject()
        if let id = field.object.text("id"), let bytes = SecretBytes(base64: id.secret) {
            object["id"] = .text(bytes.base64URL.text)
        }
        let type = ExchangeFieldType.known.contains(field.type) ? field.type : .concealed
        object["fieldType"] = .text(type.rawValue)
        object["value"] = .string(value)
        if let label = field.label { object["label"] = .text(label) }
        return object
    }

    /// The application of Android that an object names; nil where it names none.
    static func app(_ app: JSONObject) -> JSONObject? {
        guard let bundle = app.text("bundleId") else { return nil }
        var object = JSONObject([.init("bundleId", .string(bundle))])
        if let certificate = app["certificate"]?.object, let algorithm = certificate.text("hashAlg"),
            let fingerprint = ExchangeCredential(certificate).bytes("fingerprint")
        {
            object["certificate"] = .object(
                JSONObject([
                    .init("fingerprint", .text(fingerprint.base64URL.text)), .init("hashAlg", .string(algorithm)),
                ]))
        }
        if let name = app.text("name") { object["name"] = .string(name) }
        return object
    }

    /// The members of a credential that CXF 1.0 knows; nil where one has a value that can't be read.
    static func members(
        of credential: ExchangeCredential, _ schema: [String: ExchangeSchema.Member]
    ) -> JSONObject? {
        var object = JSONObject()
        for member in credential.object.members {
            guard let form = schema[member.name]?.form, !member.value.isNull else { continue }
            guard let value = value(member.value, form) else { return nil }
            object[member.name] = value
        }
        switch credential.type {
        case .totp: return code(object)
        case .itemReference: return reference(object)
        case .passkey: return passkey(object)
        default: return object
        }
    }

    private static func value(_ value: JSONValue, _ form: ExchangeSchema.Form) -> JSONValue? {
        switch form {
        case .field:
            let found = value.object.map(ExchangeField.init) ?? value.string.map { ExchangeField(.string, $0) }
            return found.flatMap(field).map { .object($0) }
        case .text: return value.string.map { .string($0) }
        case .bytes: return bytes(value).map { .string($0) }
        case .integer: return value.integer.map { .integer($0) }
        case .fields:
            return value.elements.map { elements in
                .array(elements.compactMap { $0.object.map(ExchangeField.init).flatMap(field).map { .object($0) } })
            }
        case .structure: return value
        }
    }

    private static func bytes(_ value: JSONValue?) -> SecretText? {
        value?.string.flatMap { SecretBytes(base64: $0.secret) }
            .map { bytes in bytes.base64URL.withUnsafeBytes { SecretText(copying: $0) } }
    }

    // MARK: - Codes, links, passkeys

    /// Codes that Apple's type has a place for. What is left out stands for what is usual.
    private static func code(_ code: JSONObject) -> JSONObject? {
        var code = code
        let algorithm = code.publicText("algorithm").lowercased()
        let name = algorithm.isEmpty ? "sha1" : algorithm.filter { $0 != "-" }
        let (period, digits) = (code["period"]?.integer ?? 30, code["digits"]?.integer ?? 6)
        guard ["sha1", "sha256", "sha512"].contains(name), UInt16(exactly: period) != nil,
            UInt16(exactly: digits) != nil, let secret = code.text("secret"), isBase32(secret)
        else { return nil }
        code["algorithm"] = .text(name)
        code["period"] = .integer(period)
        code["digits"] = .integer(digits)
        return code
    }

    private static func isBase32(_ text: SecretText) -> Bool {
        text.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while rest.last == UInt8(ascii: "=") { rest = rest.dropLast() }
            return rest.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "2")...UInt8(ascii: "7"), UInt8(ascii: " "), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        }
    }

    private static func reference(_ object: JSONObject) -> JSONObject? {
        guard let link = object["reference"]?.object, let item = link["item"]?.publicText else { return nil }
        var reference = JSONObject([.init("item", .text(identifier(item)))])
        if let account = link["account"]?.publicText { reference["account"] = .text(identifier(account)) }
        return JSONObject([.init("reference", .object(reference))])
    }

    private static func passkey(_ object: JSONObject) -> JSONObject {
        var (object, extensions) = (object, JSONObject())
        let all = object["fido2Extensions"]?.object
        if let secrets = (all?["hmacCredentials"] ?? all?["hmacSecret"])?.object,
            ["", "hmac-sha256"].contains(secrets.publicText("algorithm").lowercased()),
            let verified = bytes(secrets["credWithUV"]), let unverified = bytes(secrets["credWithoutUV"])
        {
            extensions["hmacCredentials"] = .object(
                JSONObject([
                    .init("algorithm", .text("hmac-sha256")), .init("credWithUV", .string(verified)),
                    .init("credWithoutUV", .string(unverified)),
                ]))
        }
        if let blob = all?["largeBlob"]?.object, let size = blob["uncompressedSize"]?.integer, size >= 0,
            let data = bytes(blob["data"])
        {
            extensions["largeBlob"] = .object(
                JSONObject([.init("uncompressedSize", .integer(size)), .init("data", .string(data))]))
        }
        object["fido2Extensions"] = extensions.members.isEmpty ? nil : .object(extensions)
        return object
    }
}

extension SecretBytes {
    /// The bytes as text: for what is no secret, such as an identifier.
    fileprivate var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
