package import CodeLinks
import KeywayCrypto
import SecretDocuments

/// What a credential of an item is to Keyway: the one reading of it, for who shows items, stores them, and looks through a
/// document before.
package enum ExchangePart: Sendable {
    /// The login of the item: its first one.
    case login(ExchangeCredential)
    /// The notes of the item: the first that have anything in them.
    case notes(ExchangeCredential)
    /// A one-time code.
    case code(CodeSetup, ExchangeCredential)
    /// One-time codes for which CXF has no type: links, in fields of a section that is called so.
    case codeLinks([CodeSetup], ExchangeCredential)
    /// A passkey.
    case passkey(ExchangePasskey, ExchangeCredential)
    /// Fields that stand in no section of the person's; with the codes that links in them are for, and that nothing else
    /// in the item makes.
    case fields(ExchangeCredential, codes: [CodeSetup])
    /// A file: what is in it lies beside the document, if anywhere (``ExchangeBundle``).
    case file(ExchangeCredential)
    /// Anything else that can be shown.
    case other(ExchangeCredential)
    /// What can't be used, and is kept as it is; with the reason.
    case unusable(ExchangeCredential, reason: String)
    /// A passkey that lacks what every one has; with the reason.
    case brokenPasskey(reason: String)
}

extension ExchangeItem {
    /// What is in it, in its order.
    package var parts: [ExchangePart] {
        var (parts, hasLogin, hasNotes) = ([ExchangePart](), false, false)
        for credential in credentials {
            let part = ExchangePart(credential, isFirstLogin: !hasLogin, areFirstNotes: !hasNotes)
            switch part {
            case .login: hasLogin = true
            case .notes: hasNotes = true
            default: break
            }
            parts.append(part)
        }
        parts.dropRepeatedCodes()
        return parts
    }
}

extension ExchangePart {
    fileprivate init(_ credential: ExchangeCredential, isFirstLogin: Bool, areFirstNotes: Bool) {
        do throws(ExchangeError) {
            try credential.check()
        } catch {
            self = .unusable(credential, reason: "isn't in the form of its kind")
            return
        }
        switch credential.type {
        case .basicAuthentication where isFirstLogin: self = .login(credential)
        case .note where areFirstNotes && credential.field("content") != nil: self = .notes(credential)
        case .totp: self = Self.code(credential)
        case .passkey:
            do throws(ExchangeError) {
                self = .passkey(try ExchangePasskey(credential), credential)
            } catch {
                self = .brokenPasskey(reason: error.detail)
            }
        case .file: self = .file(credential)
        case .customFields: self = Self.fields(credential)
        default: self = .other(credential)
        }
    }

    /// Why a file can't be used whose content isn't there.
    package static let fileElsewhere = "is in a place of its own, which isn't part of the document"

    private static let algorithms: [String: CodeAlgorithm] = [
        "": .sha1, "sha1": .sha1, "sha-1": .sha1, "sha256": .sha256, "sha-256": .sha256, "sha512": .sha512,
        "sha-512": .sha512, "steam": .sha1,
    ]

    private static func code(_ credential: ExchangeCredential) -> ExchangePart {
        let object = credential.object
        let name = object.publicText("algorithm").lowercased()
        guard let text = object.text("secret"), let algorithm = algorithms[name] else {
            return .unusable(credential, reason: "has a hash that Keyway doesn't know")
        }
        do {
            let secret = try text.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in try Base32.secret(in: bytes) }
            let period = object["period"]?.integer ?? Int64(CodeRecipe.usualPeriod)
            let digits = object["digits"]?.integer ?? Int64(CodeRecipe.usualDigits)
            let recipe = try CodeRecipe(
                name == "steam" ? .steam : .time(period: UInt32(clamping: period)), secret: secret,
                algorithm: algorithm, digits: name == "steam" ? CodeRecipe.steamDigits : Int(clamping: digits))
            let setup = try CodeSetup(
                issuer: object.publicText("issuer"), account: object.publicText("username"), recipe: recipe)
            return .code(setup, credential)
        } catch {
            return .unusable(credential, reason: "makes no codes. \(error.words)")
        }
    }

    private static func fields(_ credential: ExchangeCredential) -> ExchangePart {
        let label = credential.object.publicText("label")
        let links = credential.fields.map(\.codes)
        if label == ImportOrigin.codesLabel, !links.isEmpty, links.count == credential.object["fields"]?.elements?.count
        {
            let found = links.compactMap { $0 }
            if found.count == links.count { return .codeLinks(found.flatMap { $0 }, credential) }
        }
        // 1Password writes its codes as fields, beside those that are credentials.
        return label.isEmpty ? .fields(credential, codes: links.compactMap { $0 }.flatMap { $0 }) : .other(credential)
    }
}

extension ExchangeField {
    /// The codes that it is for, as a link that stands in it; nil for any other field.
    package var codes: [CodeSetup]? {
        guard let value, value.isCodeLink else { return nil }
        return try? CodeSetup.read(value.secret)
    }
}

extension SecretText {
    fileprivate var isCodeLink: Bool {
        withUnsafeBytes { bytes in
            ["otpauth://", "otpauth-migration://"].contains { bytes.starts(with: $0.utf8) }
        }
    }
}

extension [ExchangePart] {
    /// Leaves codes out of fields that the item has otherwise.
    fileprivate mutating func dropRepeatedCodes() {
        var known: [CodeRecipe] = flatMap { part -> [CodeRecipe] in
            switch part {
            case .code(let setup, _): return [setup.recipe]
            case .codeLinks(let setups, _): return setups.map(\.recipe)
            default: return []
            }
        }
        for (index, part) in enumerated() {
            guard case .fields(let credential, let codes) = part, !codes.isEmpty else { continue }
            var own: [CodeSetup] = []
            for code in codes where !known.contains(code.recipe) {
                known.append(code.recipe)
                own.append(code)
            }
            self[index] = .fields(credential, codes: own)
        }
    }
}

/// What is told of credentials that can't be used, where each is met.
package struct UnusableCredentials: Sendable {
    private var count = 0
    /// How many of an item are named.
    private static let named = 10

    /// Nothing yet.
    package init() {}

    /// What is told of one more; nil where enough was told.
    package mutating func notice(_ credential: ExchangeCredential, _ reason: String) -> String? {
        count += 1
        guard count <= Self.named else {
            return count == Self.named + 1
                ? "More of its credentials are kept for export and can't be used." : nil
        }
        let name = credential.shownType.map { "“\($0)”" } ?? "an unnamed kind"
        return "A credential (\(name)) is kept for export and can't be used: it \(reason)"
            + (reason.hasSuffix(".") ? "" : ".")
    }

    /// What is told of a passkey that is none.
    package static func notice(ofPasskey reason: String) -> String { "A passkey is left out: \(reason)." }
}

extension ExchangeCredential {
    /// The name of its type, where people can be shown that.
    package var shownType: String? {
        let name = type.rawValue
        return name.utf8.count <= 64 && Self.isPlain(name) ? name : nil
    }

    private static func isPlain(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }

    /// What tells it from others where it can't be used: a file by its name, anything else by its type.
    package var shownName: String? {
        guard type == .file, let name = object["name"]?.publicText, Self.isPlain(name) else { return shownType }
        return name
    }

    /// What a file says of what is in it: the SHA-256, and how many bytes there are; nil for any other credential.
    package var fileContent: (hash: [UInt8], size: Int)? {
        guard type == .file, let hash = bytes("integrityHash"), hash.count == ExchangeBundle.hashCount,
            let size = object["decryptedSize"]?.integer, (0...Int64(ExchangeBundle.largestFile)).contains(size)
        else { return nil }
        return (hash.withUnsafeBytes { Array($0) }, Int(size))
    }

    /// The item that a reference leads to; nil for any other credential.
    package var reference: ExchangeLink? {
        type == .itemReference ? object["reference"]?.object.map(ExchangeLink.init) : nil
    }
}
