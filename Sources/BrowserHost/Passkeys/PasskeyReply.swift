import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import PasskeySignatures
import WebAuthnValues

/// What became of a passkey, composed in secret memory: the outputs of `prf` are keys, and a stored blob may be anything.
enum PasskeyReply {
    /// The answer to the request `id` for a signature.
    static func assertion(
        _ credential: PasskeyAssertionCredential, _ clientData: ClientData, id: Int
    ) throws(HostFailure) -> SecretBuffer {
        let json = SecretBuffer(capacity: 4096)
        json.append(utf8Of: #"{"jsonrpc":"2.0","id":\#(id),"result":"#)
        try append(credential, clientData, to: json)
        json.append(utf8Of: "}")
        return json
    }

    /// A signature as the extension reads it.
    static func append(
        _ credential: PasskeyAssertionCredential, _ clientData: ClientData, to json: SecretBuffer
    ) throws(HostFailure) {
        json.append(utf8Of: "{")
        append("id", credential.credentialID, to: json)
        append(",clientDataJSON", clientData.json, to: json)
        append(",authenticatorData", credential.authenticatorData, to: json)
        append(",signature", credential.signature, to: json)
        if !credential.userHandle.isEmpty { append(",userHandle", credential.userHandle, to: json) }
        json.append(utf8Of: #","extensions":{"#)
        var isFirst = true
        if let prf = credential.extensions?.prf {
            json.append(utf8Of: #""prf":{"#)
            try append(prf, to: json)
            json.append(utf8Of: "}")
            isFirst = false
        }
        if let blob = credential.extensions?.largeBlob {
            json.append(utf8Of: isFirst ? #""largeBlob":{"# : #","largeBlob":{"#)
            switch blob {
            case .read(let stored?):
                json.append(utf8Of: #""blob":"#)
                try append(secret: stored, to: json)
            case .read(nil): break
            case .wrote(let isWritten): json.append(utf8Of: #""written":\#(isWritten)"#)
            }
            json.append(utf8Of: "}")
        }
        json.append(utf8Of: "}}")
    }

    /// The answer to the request `id` for a new passkey. A site that wants no attestation gets none, whatever the
    /// provider made (WebAuthn Level 3, section 5.1.3): a certificate may tell one person from another.
    ///
    /// - Throws: ``HostFailure`` with the kind `providerFailed` for an attestation that cannot be read.
    static func registration(
        _ credential: PasskeyRegistrationCredential, _ clientData: ClientData, for asked: PageRegistration, id: Int
    ) throws(HostFailure) -> SecretBuffer {
        guard let made = try? AttestationObject(credential.attestationObject),
            let attested = made.authenticatorData.credential, let algorithm = attested.algorithm
        else { throw HostFailure(.providerFailed, "The provider made a passkey that cannot be read.") }
        let data = made.authenticatorData
        let isBare = asked.conveyance == .none && made.format != "none"
        let object = isBare ? Data(AttestationObject.none(data).bytes) : credential.attestationObject
        let json = SecretBuffer(capacity: 4096)
        json.append(utf8Of: #"{"jsonrpc":"2.0","id":\#(id),"result":{"#)
        append("id", credential.credentialID, to: json)
        append(",clientDataJSON", clientData.json, to: json)
        append(",attestationObject", object, to: json)
        append(",authenticatorData", data.bytes, to: json)
        if let info = attested.publicKey?.subjectPublicKeyInfo { append(",publicKey", info, to: json) }
        json.append(utf8Of: #","algorithm":\#(algorithm),"transports":["internal"],"extensions":{"#)
        var parts = 0
        func begin(_ name: String) {
            json.append(utf8Of: parts == 0 ? "\"\(name)\":{" : ",\"\(name)\":{")
            parts += 1
        }
        if asked.extensions.credProps == true {
            begin("credProps")
            json.append(utf8Of: #""rk":true}"#)
        }
        if let prf = credential.extensions?.prf {
            begin("prf")
            json.append(utf8Of: #""enabled":\#(prf.isSupported)"#)
            if let values = prf.values {
                json.append(utf8Of: ",")
                try append(values, to: json)
            }
            json.append(utf8Of: "}")
        }
        if let isSupported = credential.extensions?.isLargeBlobSupported {
            begin("largeBlob")
            json.append(utf8Of: #""supported":\#(isSupported)}"#)
        }
        json.append(utf8Of: "}}}")
        return json
    }

    // MARK: - Parts

    /// A member; `name` begins with the comma that separates it from the one before.
    private static func append(_ name: String, _ bytes: some Sequence<UInt8>, to json: SecretBuffer) {
        let isFirst = !name.hasPrefix(",")
        let member = isFirst ? name[...] : name.dropFirst()
        json.append(utf8Of: "\(isFirst ? "" : ",")\"\(member)\":\"\(Base64URL.text(of: bytes))\"")
    }

    private static func append(_ values: PRFOutputs<Attachment>, to json: SecretBuffer) throws(HostFailure) {
        json.append(utf8Of: #""results":{"first":"#)
        try append(secret: values.first, to: json)
        if let second = values.second {
            json.append(utf8Of: #","second":"#)
            try append(secret: second, to: json)
        }
        json.append(utf8Of: "}")
    }

    private static func append(secret: Attachment, to json: SecretBuffer) throws(HostFailure) {
        let bytes: SecretBytes
        do throws(ProtocolError) {
            let memory = try secret.sealedMemory()
            guard memory.count <= longestSecret else {
                throw ProtocolError(.providerFailed, "What the passkey keeps is over the limit of the browser.")
            }
            bytes = try SecretBytes(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room) }
        } catch {
            throw HostFailure(.providerFailed, error.message)
        }
        json.append(UInt8(ascii: "\""))
        bytes.withUnsafeBytes { Base64URL.write($0, json.append) }
        json.append(UInt8(ascii: "\""))
    }

    /// In bytes: as text it fits into a frame with all else.
    private static let longestSecret = 512 << 10
}
