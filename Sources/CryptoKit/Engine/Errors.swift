import PasskeySignatures

extension CryptoKitError {
    /// What libcrypto refuses without a reason of its own.
    static let refused = underlyingCoreCryptoError(error: -1)
}

/// Runs `body` and throws `failure` where it throws.
func orThrow<Result>(
    _ failure: CryptoKitError, _ body: () throws(PasskeySignatureError) -> Result
) throws(CryptoKitError) -> Result {
    do {
        return try body()
    } catch {
        throw failure
    }
}

/// Reads a key from DER.
func reading<Result>(
    _ body: () throws(PasskeySignatureError) -> Result
) throws(CryptoKitASN1Error) -> Result {
    do {
        return try body()
    } catch {
        throw error.code == .unsupportedKey ? .unexpectedFieldType : .invalidASN1Object
    }
}
