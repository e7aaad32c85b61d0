import AutoFillProtocol
import KeywayCrypto

/// The answer to `fill`: the one message with a secret in it, composed in secret memory.
///
/// Browsers take JSON and nothing else, so this is the one place where a password becomes JSON. It never is a `String`.
struct CredentialReply {
    /// The message.
    let json: SecretBuffer

    /// The parts of a password that `fields` asks for, in answer to the request `id`.
    ///
    /// - Throws: ``HostFailure`` with the kind `providerFailed` for a password that cannot be put into JSON.
    init(_ result: Fill.Result, fields: Set<FillChoice.Field>, id: Int) throws(HostFailure) {
        guard case .password(let user, let password) = result.credential else {
            throw HostFailure(.providerFailed, "The provider delivered no password.")
        }
        json = SecretBuffer(capacity: 1024)
        json.append(utf8Of: #"{"jsonrpc":"2.0","id":\#(id),"result":{"#)
        if fields.contains(.username) {
            json.append(utf8Of: #""user":"#)
            try Self.append(text: user, to: json)
        }
        if fields.contains(.password) {
            json.append(utf8Of: fields.contains(.username) ? #","password":"# : #""password":"#)
            try Self.append(password: password, to: json)
        }
        json.append(utf8Of: "}}")
    }

    private static func append(text: String, to json: SecretBuffer) throws(HostFailure) {
        guard text.utf16.count <= ExtensionBounds.text else {
            throw HostFailure(.providerFailed, "The user name is over the limit of the browser.")
        }
        var text = text
        let isValid = text.withUTF8 { JSONString.append(UnsafeRawBufferPointer($0), to: json) }
        guard isValid else { throw HostFailure(.providerFailed, "The user name is no text.") }
    }

    private static func append(password: Attachment, to json: SecretBuffer) throws(HostFailure) {
        let secret: SecretBytes
        do {
            secret = try read(password)
        } catch {
            throw HostFailure(.providerFailed, error.message)
        }
        guard secret.withUnsafeBytes({ JSONString.append($0, to: json) }) else {
            throw HostFailure(.providerFailed, "The password is no text; a browser cannot fill it.")
        }
    }

    private static func read(_ password: Attachment) throws(ProtocolError) -> SecretBytes {
        let memory = try password.sealedMemory()
        guard memory.count <= longestPassword else {
            throw ProtocolError(.providerFailed, "The password is over the limit of the browser.")
        }
        return try SecretBytes(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room) }
    }

    /// In bytes; the extension accepts as many UTF-16 units, which are never more.
    private static let longestPassword = 65_536
}
