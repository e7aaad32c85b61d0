public import Foundation
import KeywayCrypto
import PasskeySignatures

extension AES {
    /// Keys wrapped in other keys (RFC 3394).
    public enum KeyWrap: Sendable {
        /// `keyToWrap` under `kek`: 8 bytes longer than the key.
        ///
        /// - Throws: ``CryptoKitError/wrapFailure`` for a key that is no whole number of 8 bytes, or shorter than 16;
        ///   ``CryptoKitError/incorrectKeySize`` for a `kek` that is no key of AES.
        public static func wrap(_ keyToWrap: SymmetricKey, using kek: SymmetricKey) throws -> Data {
            do throws(PasskeySignatureError) {
                return Data(try KeyWrapping.wrap(keyToWrap.bytes, under: kek.bytes))
            } catch {
                throw error.code == .unsupportedKey ? CryptoKitError.incorrectKeySize : .wrapFailure
            }
        }

        /// The key in `wrappedKey`.
        ///
        /// - Throws: ``CryptoKitError/unwrapFailure`` where it was not wrapped under `kek`, or was altered;
        ///   ``CryptoKitError/incorrectKeySize`` for a `kek` that is no key of AES.
        public static func unwrap<WrappedKey: DataProtocol>(
            _ wrappedKey: WrappedKey, using kek: SymmetricKey
        ) throws -> SymmetricKey {
            let key = try orThrow(.incorrectKeySize) { () throws(PasskeySignatureError) in
                try Array(wrappedKey).lend { (bytes) throws(PasskeySignatureError) in
                    try KeyWrapping.unwrap(bytes, under: kek.bytes)
                }
            }
            guard let key else { throw CryptoKitError.unwrapFailure }
            return SymmetricKey(key)
        }
    }
}
