import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Vault

/// What is kept of an item beside what CXF says of it, under names that CXF does not give.
package enum KeptMember {
    /// The account that it was an item of, where it came from.
    package static let account = "keyway.account"
    /// The collections that it lay in: ``KeptPlace``.
    package static let collections = "keyway.collections"
    /// What an item without a title is called here; it has none again on export, unless somebody gave it one.
    package static let title = "keyway.title"
    /// A credential as it was written, where Keyway would write it otherwise: it is exported so as long as it says the same.
    package static let written = "keyway.written"

    /// All of them, with what says where the parts of a file lie.
    package static let all: Set<String> = [account, collections, title, written, FileHead.seedMember]
}

/// The credential that password and user name of an item are.
enum LoginForm {
    /// Where the rest of it is kept: labels, identifiers, and what else stood beside the two values.
    static let member = "basic-auth"

    /// Whether a credential is nothing but a user name and a password, each a field as Keyway writes it, as nearly all are:
    /// then nothing more of it is to be kept.
    static func isUsual(_ credential: JSONObject, hasUser: Bool, hasPassword: Bool) -> Bool {
        credential.members.count == 1 + (hasUser ? 1 : 0) + (hasPassword ? 1 : 0)
            && credential.text("type")?.isText(ExchangeCredentialType.basicAuthentication.rawValue) == true
            && (!hasUser || isUsual(credential["username"], .string))
            && (!hasPassword || isUsual(credential["password"], .concealed))
    }

    private static func isUsual(_ field: JSONValue?, _ type: ExchangeFieldType) -> Bool {
        guard let object = field?.object, object.members.count == 2, object.text("value") != nil else { return false }
        return object.text("fieldType")?.isText(type.rawValue) == true
    }

    /// What it is without its values where nobody said more.
    static func usual(hasUser: Bool, hasPassword: Bool) -> JSONObject {
        usual[(hasUser ? 1 : 0) + (hasPassword ? 2 : 0)]
    }

    /// The four of them, made once.
    private static let usual = [(false, false), (true, false), (false, true), (true, true)].map(made)

    private static func made(hasUser: Bool, hasPassword: Bool) -> JSONObject {
        ExchangeCredential(
            .basicAuthentication,
            [
                ("username", hasUser ? JSONObject.field(.string) : nil),
                ("password", hasPassword ? JSONObject.field(.concealed) : nil),
            ]
        ).object
    }
}

/// The credential that the notes of an item are.
enum NotesForm {
    /// Where the rest of it is kept.
    static let member = "note"

    /// What it is without its value where nobody said more.
    static var usual: JSONObject { ExchangeCredential(.note, [("content", JSONObject.field(.string))]).object }
}

extension JSONObject {
    /// A field without its value.
    static func field(_ type: ExchangeFieldType) -> JSONValue {
        .object(JSONObject([.init("fieldType", .text(type.rawValue))]))
    }

    /// Takes the value out of a field. A field that is bare text becomes what it stands for: nothing, where it is a usual one.
    ///
    /// - Parameter unlessEmpty: whether the value is empty: then it stays, so that it is known that there was a field.
    mutating func dropValue(of name: String, unlessEmpty: Bool) {
        switch self[name] {
        case .object(let field):
            self[name] = .object(field.without(unlessEmpty ? [] : ["value"]))
        case .string:
            self[name] =
                unlessEmpty ? nil : Self.field(name == "password" ? .concealed : .string)
        default: break
        }
    }

    /// Whether it says the same, in whatever order.
    func isSame(as other: JSONObject) -> Bool {
        members.count == other.members.count
            && members.allSatisfy { member in
                guard let value = other[member.name] else { return false }
                if let ours = member.value.object, let theirs = value.object { return ours.isSame(as: theirs) }
                return member.value == value
            }
    }

    /// Puts a value into a field; makes a field of that type where there is none.
    mutating func put(_ value: SecretBytes, into name: String, _ type: ExchangeFieldType) {
        var field = self[name]?.object ?? JSONObject([.init("fieldType", .text(type.rawValue))])
        field["value"] = .string(value.text)
        self[name] = .object(field)
    }
}
