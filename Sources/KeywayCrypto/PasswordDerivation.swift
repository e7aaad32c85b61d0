import CSodium

/// How a password becomes a key: Argon2id version 1.3 (RFC 9106) with one lane, as libsodium does it.
///
/// A value may be anything that a file says; ``derive(from:salt:)`` computes only what lies between ``floor`` and
/// ``ceiling``, so a file can ask neither for a weak key nor for all the memory of the machine.
package struct PasswordDerivation: Hashable, Sendable {
    /// Memory in MiB.
    package let memoryMiB: UInt32
    /// Passes over that memory (`t`).
    package let passes: UInt32

    /// Makes a value, without a check: see ``isTooWeak`` and ``isTooCostly``.
    package init(memoryMiB: UInt32, passes: UInt32) {
        self.memoryMiB = memoryMiB
        self.passes = passes
    }

    /// What new vaults use: 256 MiB, 3 passes.
    package static let standard = PasswordDerivation(memoryMiB: 256, passes: 3)
    /// The least that is ever computed: 64 MiB, 3 passes (RFC 9106, second recommended option).
    package static let floor = PasswordDerivation(memoryMiB: 64, passes: 3)
    /// The most that is ever computed: 2 GiB, 16 passes.
    package static let ceiling = PasswordDerivation(memoryMiB: 2048, passes: 16)
    /// The length of a salt in bytes.
    package static let saltCount = Int(crypto_pwhash_SALTBYTES)

    /// Whether memory or passes lie under the ``floor``.
    package var isTooWeak: Bool { memoryMiB < Self.floor.memoryMiB || passes < Self.floor.passes }
    /// Whether memory or passes lie over the ``ceiling``.
    package var isTooCostly: Bool { memoryMiB > Self.ceiling.memoryMiB || passes > Self.ceiling.passes }

    /// Derives a key from a password; takes a large part of a second by intention.
    ///
    /// - Throws: `invalidParameter` outside of floor and ceiling or with a salt of the wrong length, before anything is
    ///   computed; `outOfMemory` when the system cannot provide the memory.
    package func derive(from password: SecretBytes, salt: [UInt8]) throws(CryptoError) -> SecretKey {
        guard !isTooWeak, !isTooCostly else {
            throw CryptoError(.invalidParameter, "Argon2id with \(memoryMiB) MiB, \(passes) passes")
        }
        return SecretKey(
            try Self.argon2id(
                password: password, salt: salt, memory: Int(memoryMiB) << 20, passes: UInt64(passes),
                count: SecretKey.count))
    }

    /// The bare function, without our limits: for the published vectors, which use less memory.
    static func argon2id(
        password: SecretBytes, salt: [UInt8], memory: Int, passes: UInt64, count: Int
    ) throws(CryptoError) -> SecretBytes {
        guard salt.count == saltCount else {
            throw CryptoError(.invalidParameter, "salt of \(salt.count) bytes")
        }
        return try SecretBytes(count: count) { (key) throws(CryptoError) in
            let status = password.withUnsafeBytes { password in
                crypto_pwhash(
                    key.octets, UInt64(key.count),
                    UnsafeRawPointer(password.octets).assumingMemoryBound(to: CChar.self), UInt64(password.count),
                    salt, passes, memory, crypto_pwhash_ALG_ARGON2ID13)
            }
            guard status == 0 else {
                throw CryptoError(.outOfMemory, "Argon2id with \(memory >> 20) MiB, \(passes) passes")
            }
        }
    }
}
