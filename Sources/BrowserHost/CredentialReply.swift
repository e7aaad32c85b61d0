import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import WebAuthnValues

/// The answer to `fill`: the one message with a secret in it, composed in secret memory.
///
/// Browsers take JSON and nothing else, so this is the one place where a password becomes JSON. It never is a `String`.
struct CredentialReply {
    /// The message.
    let json: SecretBuffer

    /// The parts of a credential that `fields` asks for, in answer to the request `id`.
    ///
    /// - Parameters:
    ///   - clientData: what a passkey was asked to sign, where the page takes one.
    ///   - saysHowLong: whether the extension knows `secondsLeft`, which the protocol has since version 1.1.
    /// - Throws: ``HostFailure`` with the kind `providerFailed` for what was not asked for, and for what cannot be put
    ///   into JSON.
    init(
        _ result: Fill.Result, fields: Set<FillChoice.Field>, clientData: ClientData? = nil, id: Int,
        saysHowLong: Bool = true
    ) throws(HostFailure) {
        json = SecretBuffer(capacity: 1024)
        json.append(utf8Of: #"{"jsonrpc":"2.0","id":\#(id),"result":{"#)
        switch result.credential {
        case .password(let user, let password) where !fields.contains(.oneTimeCode) && !fields.isEmpty:
            try Self.append(user, password, fields, to: json)
        case .oneTimeCode(let code, let end) where fields == [.oneTimeCode]:
            json.append(utf8Of: #""code":"#)
            try Self.append(secret: code, "code", to: json)
            if saysHowLong, let left = end.flatMap({ CodeLife.secondsLeft(until: $0) }) {
                json.append(utf8Of: #","secondsLeft":\#(left)"#)
            }
        case .passkey(let credential):
            guard let clientData else { fallthrough }
            json.append(utf8Of: #""passkey":"#)
            try PasskeyReply.append(credential, clientData, to: json)
        default: throw HostFailure(.providerFailed, "The provider delivered something else than was asked for.")
        }
        json.append(utf8Of: "}}")
    }

    /// The text that the person chose, in answer to the request `id`.
    ///
    /// - Throws: as ``init(_:fields:clientData:id:)``.
    init(text result: Fill.Result, id: Int) throws(HostFailure) {
        json = SecretBuffer(capacity: 1024)
        guard case .text(let text) = result.credential else {
            throw HostFailure(.providerFailed, "The provider delivered something else than was asked for.")
        }
        json.append(utf8Of: #"{"jsonrpc":"2.0","id":\#(id),"result":{"text":"#)
        try Self.append(secret: text, "text", to: json)
        json.append(utf8Of: "}}")
    }

    private static func append(
        _ user: String, _ password: Attachment, _ fields: Set<FillChoice.Field>, to json: SecretBuffer
    ) throws(HostFailure) {
        if fields.contains(.username) {
            json.append(utf8Of: #""user":"#)
            try append(text: user, to: json)
        }
        if fields.contains(.password) {
            json.append(utf8Of: fields.contains(.username) ? #","password":"# : #""password":"#)
            try append(secret: password, "password", to: json)
        }
    }

    private static func append(text: String, to json: SecretBuffer) throws(HostFailure) {
        guard text.utf16.count <= ExtensionBounds.text else {
            throw HostFailure(.providerFailed, "The user name is over the limit of the browser.")
        }
        var text = text
        let isValid = text.withUTF8 { JSONString.append(UnsafeRawBufferPointer($0), to: json) }
        guard isValid else { throw HostFailure(.providerFailed, "The user name is no text.") }
    }

    static func append(secret: Attachment, _ what: String, to json: SecretBuffer) throws(HostFailure) {
        let bytes: SecretBytes
        do {
            bytes = try read(secret)
        } catch {
            throw HostFailure(.providerFailed, error.message)
        }
        guard bytes.withUnsafeBytes({ JSONString.append($0, to: json) }) else {
            throw HostFailure(.providerFailed, "The \(what) is no text; a browser cannot fill it.")
        }
    }

    private static func read(_ secret: Attachment) throws(ProtocolError) -> SecretBytes {
        let memory = try secret.sealedMemory()
        guard memory.count <= longestSecret else {
            throw ProtocolError(.providerFailed, "The secret is over the limit of the browser.")
        }
        return try SecretBytes(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room) }
    }

    /// In bytes; the extension accepts as many UTF-16 units, which are never more.
    private static let longestSecret = 65_536
}
