import CryptoKit
import Foundation

/// What managers do with CryptoKit around a credential, in the words in which they write it.
enum CryptoShapes {
    // MARK: One-time codes

    /// The hash functions of `otpauth:` links.
    enum Algorithm: String {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"
    }

    static func oneTimeCode(secret: Data, counter: UInt64, digits: Int, algorithm: Algorithm = .sha1) -> String {
        let message = withUnsafeBytes(of: counter.bigEndian) { Data($0) }
        let key = SymmetricKey(data: secret)
        let code: Data
        switch algorithm {
        case .sha1: code = Data(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
        case .sha256: code = Data(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case .sha512: code = Data(HMAC<SHA512>.authenticationCode(for: message, using: key))
        }
        let offset = Int(code[code.count - 1] & 0x0F)
        let number = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        return String(String(number).reversed().prefix(digits).reversed()).leftPadded(to: digits)
    }

    // MARK: Passkeys

    /// An assertion's signature, from a key that is kept in one of the forms that are about.
    static func sign(_ authenticatorData: Data, clientDataHash: Data, pem: String) throws -> Data {
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        return try key.signature(for: authenticatorData + clientDataHash).derRepresentation
    }

    static func newPasskey() throws -> (stored: Data, x: Data, y: Data) {
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let point = key.publicKey.rawRepresentation
        return (key.rawRepresentation, point.prefix(32), point.suffix(32))
    }

    static func isGenuine(_ signature: Data, of message: Data, x: Data, y: Data) -> Bool {
        guard let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: message)
    }

    // MARK: Vaults

    /// One item, sealed under a key that is derived for it.
    static func seal(_ item: Data, vaultKey: SymmetricKey, id: UUID) throws -> Data {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: vaultKey, salt: Data(id.uuidString.utf8), info: Data("item".utf8), outputByteCount: 32)
        guard let combined = try AES.GCM.seal(item, using: key, authenticating: Data(id.uuidString.utf8)).combined
        else {
            throw CryptoKitError.incorrectParameterSize
        }
        return combined
    }

    static func open(_ sealed: Data, vaultKey: SymmetricKey, id: UUID) -> Result<Data, CryptoKitError> {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: vaultKey, salt: Data(id.uuidString.utf8), info: Data("item".utf8), outputByteCount: 32)
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return .success(try AES.GCM.open(box, using: key, authenticating: Data(id.uuidString.utf8)))
        } catch CryptoKitError.authenticationFailure {
            return .failure(.authenticationFailure)
        } catch let error as CryptoKitError {
            return .failure(error)
        } catch {
            return .failure(.invalidParameter)
        }
    }

    /// The stream of a KeePass file.
    static func openStream(_ bytes: ArraySlice<UInt8>, key: Data, nonce: [UInt8], tag: Data) throws -> Data {
        let box = try ChaChaPoly.SealedBox(nonce: .init(data: nonce), ciphertext: bytes, tag: tag)
        return try ChaChaPoly.open(box, using: .init(data: key))
    }

    static func wrap(_ key: SymmetricKey, under other: SymmetricKey) throws -> SymmetricKey {
        try AES.KeyWrap.unwrap(AES.KeyWrap.wrap(key, using: other), using: other)
    }

    // MARK: Sharing

    /// Both ends of a share: one key for each message.
    static func shareKeys() throws -> (SymmetricKey, SymmetricKey) {
        let receiver = Curve25519.KeyAgreement.PrivateKey()
        let sender = Curve25519.KeyAgreement.PrivateKey()
        let info = sender.publicKey.rawRepresentation + receiver.publicKey.rawRepresentation
        let sent = try sender.sharedSecretFromKeyAgreement(with: receiver.publicKey)
            .hkdfDerivedSymmetricKey(using: SHA512.self, salt: Data(), sharedInfo: info, outputByteCount: 32)
        let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: sender.publicKey.rawRepresentation)
        let received = try receiver.sharedSecretFromKeyAgreement(with: key)
            .hkdfDerivedSymmetricKey(using: SHA512.self, salt: Data(), sharedInfo: info, outputByteCount: 32)
        return (sent, received)
    }

    // MARK: Names of things

    static func fingerprint(_ credentialID: Data) -> String {
        SHA256.hash(data: credentialID).prefix(8).map { String(format: "%02x", $0) }.joined()
    }

    static func gravatar(_ mail: String) -> String {
        Insecure.MD5.hash(data: Data(mail.lowercased().utf8)).map { String(format: "%02hhx", $0) }.joined()
    }

    /// A file in pieces, with whatever function the caller likes.
    static func checksum<H: HashFunction>(of pieces: [Data], using function: H.Type) -> H.Digest {
        var hash = H()
        pieces.forEach { hash.update(data: $0) }
        return hash.finalize()
    }
}

extension String {
    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - self.count)) + self
    }
}
