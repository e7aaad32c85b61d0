import HybridEncryption
import KeywayCrypto
import SecretDocuments

/// Keys as JSON (JWK: RFC 7517, 7518 section 6.2, 8037).
enum ExchangeKey {
    /// Reads a public key.
    ///
    /// - Throws: `damaged` where it is of another kind than `kem`, no key at all, or one with its private half.
    static func publicKey(
        _ object: JSONObject?, _ kem: HPKESuite.KEM
    ) throws(ExchangePackageError) -> HPKEPublicKey {
        guard let object else { throw ExchangePackageError(.damaged, "a key is missing") }
        guard object["d"] == nil else {
            throw ExchangePackageError(
                .damaged, "a key has its private half with it, so that anybody could open what is encrypted for it")
        }
        guard isOf(kem, object), let bytes = encoded(object, kem) else {
            throw ExchangePackageError(.damaged, "a key isn't of the kind that is stated")
        }
        do throws(HybridEncryptionError) {
            return try HPKEPublicKey(kem, bytes)
        } catch {
            throw ExchangePackageError(error)
        }
    }

    /// Reads a private key.
    ///
    /// - Throws: `damaged`.
    static func privateKey(
        _ object: JSONObject, _ kem: HPKESuite.KEM
    ) throws(ExchangePackageError) -> HPKEPrivateKey {
        guard isOf(kem, object), let bytes = object.text("d").flatMap({ SecretBytes(base64: $0.secret) }) else {
            throw ExchangePackageError(.damaged, "a private key isn't of the kind that is stated")
        }
        do throws(HybridEncryptionError) {
            let key = try HPKEPrivateKey(kem, bytes)
            guard key.publicKey.encoded == encoded(object, kem) else {
                throw HybridEncryptionError(.invalidKey, "public half of another key")
            }
            return key
        } catch {
            throw ExchangePackageError(error)
        }
    }

    /// Writes a key; with its private half where that is given.
    static func write<Failure>(
        _ key: HPKEPublicKey, _ privateKey: HPKEPrivateKey? = nil, to writer: JSONWriter<Failure>
    ) throws(Failure) {
        try writer.object { (members) throws(Failure) in
            let bytes = key.encoded
            switch key.kem {
            case .x25519:
                try members.add("kty", text: "OKP")
                try members.add("crv", text: "X25519")
                try members.add("x", text: bytes[...].base64URL)
            case .p256:
                try members.add("kty", text: "EC")
                try members.add("crv", text: "P-256")
                try members.add("x", text: bytes[1...32].base64URL)
                try members.add("y", text: bytes[33...].base64URL)
            }
            if let privateKey {
                let text = privateKey.bytes.base64URL.withUnsafeBytes { SecretText(copying: $0) }
                try members.add("d", .string(text))
            }
        }
    }

    private static func isOf(_ kem: HPKESuite.KEM, _ object: JSONObject) -> Bool {
        let names = (object.publicText("kty"), object.publicText("crv"))
        return kem == .x25519 ? names == ("OKP", "X25519") : names == ("EC", "P-256")
    }

    private static func encoded(_ object: JSONObject, _ kem: HPKESuite.KEM) -> [UInt8]? {
        func number(_ name: String) -> [UInt8]? {
            guard let text = object.text(name), let bytes = SecretBytes(base64: text.secret), bytes.count == 32 else {
                return nil
            }
            return bytes.withUnsafeBytes { Array($0) }
        }
        guard let x = number("x") else { return nil }
        return kem == .x25519 ? x : number("y").map { [4] + x + $0 }
    }
}

extension ArraySlice<UInt8> {
    /// Base64 for addresses of what is no secret, without padding.
    var base64URL: String {
        SecretBytes(copying: Array(self)).base64URL.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
