package import CodeLinks
package import CredentialExchange
import KeywayCrypto
package import SecretDocuments

/// An entry of another program's export, in the same form whatever the format is.
package struct ImportedRecord: Sendable {
    /// Where it stands in the file, in words: `line 12`, `item 3`.
    package var place: String
    /// What the person calls it.
    package var title = ""
    /// The account's name; may be empty.
    package var userName = ""
    /// The password; nil where there is none.
    package var password: SecretText?
    /// Where it is used: URLs, or hosts as the person wrote them. Android apps are `androidapp://PACKAGE`.
    package var urls: [String] = []
    /// Free text; nil where there is none.
    package var notes: SecretText?
    /// Its one-time codes.
    package var codes: [CodeSetup] = []
    /// The folders that it lies in, the outermost first.
    package var folder: [String] = []
    /// Whether it is a favourite.
    package var isFavorite = false
    /// Whether its password is for HTTP's own sign-in, not for forms.
    package var isForHTTP = false
    /// Words to find it by.
    package var tags: [String] = []
    /// Fields that the person added.
    package var fields: [ImportedField] = []
    /// Its passkeys.
    package var passkeys: [ExchangePasskey] = []
    /// When it was made, in seconds since 1970.
    package var created: Int64?
    /// When it was last changed, in seconds since 1970.
    package var modified: Int64?
    /// Everything else, in the form of CXF: cards, addresses, networks, and types that nobody knows.
    package var credentials: [ExchangeCredential] = []
    /// The files that are attached to it.
    package var files: [ImportedFile] = []
    /// What could not be taken over as it was, in words, without content.
    package var notices: [String] = []

    /// An empty record.
    package init(place: String) { self.place = place }

    /// Whether nothing is in it, not even a title.
    var isEmpty: Bool {
        title.isEmpty && userName.isEmpty && password == nil && urls.isEmpty && notes == nil && codes.isEmpty
            && fields.isEmpty && passkeys.isEmpty && credentials.isEmpty && files.isEmpty
    }

    /// What is told of an entry of a kind that nobody knows.
    static let unknownKind = "It is of a kind that Keyway doesn't know. Its title, notes and fields are taken over."

    // MARK: - Filling it

    /// Notes that what an entry was before has no place.
    mutating func note(formerPasswords count: Int) {
        guard count > 0 else { return }
        notices.append(
            count == 1 ? "Its former password is left out." : "Its \(count) former passwords are left out.")
    }

    /// Sets the password, unless there is none.
    mutating func set(password: SecretText?) { self.password = password?.nonEmpty }

    /// Sets the notes, unless there are none.
    mutating func set(notes: SecretText?) { self.notes = notes?.nonEmpty }

    /// Adds an address, unless it is none.
    package mutating func add(url: String) {
        if !url.isEmpty { urls.append(Self.androidApp(url) ?? url) }
    }

    /// Adds a field, unless it is empty.
    mutating func add(field label: String, _ value: SecretText?, isHidden: Bool = false) {
        guard let value = value?.nonEmpty else { return }
        fields.append(ImportedField(label: label, value: value, isHidden: isHidden))
    }

    /// Adds a one-time code, which is a link or a bare secret. What is neither is kept as a field.
    mutating func add(code text: SecretText?) {
        guard let text = text?.nonEmpty else { return }
        do {
            codes += try CodeSetup.read(text.secret)
        } catch {
            fields.append(ImportedField(label: "One-time code", value: text, isHidden: true))
            notices.append("The one-time code is kept as a field. \(error.words)")
        }
    }

    /// Adds what else it has, unless that is nothing but its type.
    mutating func add(_ type: ExchangeCredentialType, _ members: [(String, JSONValue?)]) {
        let credential = ExchangeCredential(type, members)
        if credential.object.members.count > 1 { credentials.append(credential) }
    }

    /// `android://HASH@PACKAGE/`, as Chrome writes apps, in the form that is usual elsewhere.
    private static func androidApp(_ url: String) -> String? {
        guard url.hasPrefix("android://"), let at = url.lastIndex(of: "@") else { return nil }
        let package = url[url.index(after: at)...].prefix { $0 != "/" }
        return package.isEmpty ? nil : "androidapp://\(package)"
    }
}

/// A field that the person added to an entry.
package struct ImportedField: Sendable, Equatable {
    /// Its name; not secret.
    package let label: String
    /// What is in it.
    package let value: SecretText
    /// Whether interfaces hide it until asked.
    package let isHidden: Bool
}

extension SecretText {
    /// Itself; nil where it is empty.
    var nonEmpty: SecretText? { isEmpty ? nil : self }

    /// Itself as a field of CXF; nil where it is empty.
    func field(_ type: ExchangeFieldType = .string) -> JSONValue? {
        isEmpty ? nil : .object(ExchangeField(type, self).object)
    }
}

extension String {
    /// The folders of a path, without empty ones.
    func folders(_ separator: Character = "/") -> [String] { split(separator: separator).map(String.init) }

    /// Text that is no secret as a field of CXF; nil where it is empty.
    func field(_ type: ExchangeFieldType = .string) -> JSONValue? { SecretText(copyingUTF8Of: self).field(type) }

    /// The host of an address, without `www.`; the address itself where it has none.
    package var host: String {
        guard let range = firstRange(of: "://") else { return self }
        let rest = self[range.upperBound...].prefix { !"/?#".contains($0) }
        let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        return String(host.hasPrefix("www.") ? host.dropFirst(4) : host)
    }
}
