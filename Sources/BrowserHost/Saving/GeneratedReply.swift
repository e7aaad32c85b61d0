import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem

/// The answer to `passwords.generate`, composed in secret memory.
struct GeneratedReply {
    /// The message.
    let json: SecretBuffer

    /// The most that the extension takes.
    private static let most = 8

    /// The proposals of `result` in answer to the request `id`, the preferred first.
    ///
    /// - Throws: ``HostFailure`` with the kind `providerFailed` for what cannot be put into JSON.
    init(_ result: GeneratePasswords.Result, id: Int) throws(HostFailure) {
        json = SecretBuffer(capacity: 1024)
        json.append(utf8Of: #"{"jsonrpc":"2.0","id":\#(id),"result":{"passwords":["#)
        for (index, proposal) in result.passwords.prefix(Self.most).enumerated() {
            if index > 0 { json.append(utf8Of: ",") }
            try CredentialReply.append(secret: proposal.value, "password", to: json)
        }
        json.append(utf8Of: "]}}")
    }
}
