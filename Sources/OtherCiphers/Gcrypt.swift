import CLibGcrypt

/// The state of libgcrypt in this process.
enum Gcrypt {
    /// Initialised once, on first use.
    private static let isReady = keyway_gcrypt_start() != 0

    /// Makes sure that the library is initialised.
    ///
    /// - Throws: ``OtherCipherError``: `failed` where it is older than what Keyway was built with.
    static func prepare() throws(OtherCipherError) {
        guard isReady else { throw OtherCipherError(.failed, "libgcrypt") }
    }

    /// Refuses what is no success.
    static func check(_ status: gcry_error_t, _ what: String) throws(OtherCipherError) {
        guard status != 0 else { return }
        // The lower half is the code; the upper says which part of the system it is from.
        let isMemory = status & 0xFFFF == gcry_error_t(GPG_ERR_ENOMEM.rawValue) & 0xFFFF
        throw OtherCipherError(isMemory ? .outOfMemory : .failed, what)
    }
}
