package import KeywayCrypto

/// The vault key, sealed under a key that is derived from the master password (`Docs/vault-format.md`, "Slots").
///
/// Reading one computes nothing; ``check()`` refuses what must not be derived, ``open(_:)`` derives.
package struct PasswordSlot: Sendable, Equatable {
    static let kind: UInt8 = 1
    /// Argon2id version 1.3 with one lane.
    private static let algorithm: UInt8 = 1
    private static let sealedCount = SecretKey.count + SecretKey.sealOverhead

    /// The cost of the derivation.
    package let derivation: PasswordDerivation
    let vault: VaultID
    private let algorithm: UInt8
    private let salt: [UInt8]
    private let sealedKey: [UInt8]

    /// Seals a vault key under a password.
    ///
    /// - Throws: `invalid` for an empty password, `weakDerivation`, `excessiveDerivation`, `outOfMemory`.
    init(
        sealing key: SecretKey, of vault: VaultID, password: SecretBytes, derivation: PasswordDerivation,
        random: any RandomSource
    ) throws(VaultError) {
        guard !password.isEmpty else { throw VaultError(.invalid, "the master password is empty") }
        self.vault = vault
        self.derivation = derivation
        algorithm = Self.algorithm
        salt = random.bytes(PasswordDerivation.saltCount)
        let context = Self.context(vault, algorithm, derivation, salt)
        try Self.check(algorithm, derivation)
        sealedKey = try Self.derive(derivation, password, salt).seal(key.bytes, context: context, random: random)
    }

    /// Reads the content of a slot.
    ///
    /// - Throws: `damaged`.
    init(_ bytes: UnsafeRawBufferPointer, of vault: VaultID) throws(VaultError) {
        var reader = ByteReader(bytes, of: "password slot")
        self.vault = vault
        algorithm = try reader.number()
        derivation = PasswordDerivation(memoryMiB: try reader.number(), passes: try reader.number())
        salt = Array(try reader.bytes(PasswordDerivation.saltCount))
        sealedKey = Array(try reader.bytes(Self.sealedCount))
        guard reader.rest.isEmpty else { throw VaultError(.damaged, "the password slot is too long") }
    }

    /// The content of the slot.
    var bytes: [UInt8] {
        var bytes = [algorithm]
        bytes.append(number: derivation.memoryMiB)
        bytes.append(number: derivation.passes)
        return bytes + salt + sealedKey
    }

    /// Refuses an unknown algorithm and a cost under the floor or over the ceiling, without computing anything.
    ///
    /// - Throws: `unsupported`, `weakDerivation`, `excessiveDerivation`.
    func check() throws(VaultError) {
        try Self.check(algorithm, derivation)
    }

    /// Derives the key from the password and opens the vault key. Takes a good part of a second: a server runs it
    /// outside of its actor.
    ///
    /// - Throws: `wrongPassword`, `outOfMemory`, and what ``check()`` throws, before anything is derived.
    package func open(_ password: SecretBytes) throws(VaultError) -> SecretKey {
        try check()
        let key = try Self.derive(derivation, password, salt)
        do {
            return SecretKey(try key.open(sealedKey, context: Self.context(vault, algorithm, derivation, salt)))
        } catch {
            throw VaultError(.wrongPassword, "the password does not open the vault")
        }
    }

    private static func derive(
        _ derivation: PasswordDerivation, _ password: SecretBytes, _ salt: [UInt8]
    ) throws(VaultError) -> SecretKey {
        do {
            return try derivation.derive(from: password, salt: salt)
        } catch {
            throw VaultError(.outOfMemory, "the key derivation needs \(derivation.memoryMiB) MiB")
        }
    }

    private static func check(_ algorithm: UInt8, _ derivation: PasswordDerivation) throws(VaultError) {
        guard algorithm == Self.algorithm else {
            throw VaultError(.unsupported, "key derivation \(algorithm) is not known")
        }
        let cost = "\(derivation.memoryMiB) MiB and \(derivation.passes) passes"
        guard !derivation.isTooWeak else { throw VaultError(.weakDerivation, "Argon2id with \(cost)") }
        guard !derivation.isTooCostly else { throw VaultError(.excessiveDerivation, "Argon2id with \(cost)") }
    }

    /// What the sealed key is bound to: the vault, and every number that the derivation used.
    private static func context(
        _ vault: VaultID, _ algorithm: UInt8, _ derivation: PasswordDerivation, _ salt: [UInt8]
    ) -> [UInt8] {
        var context = vault.bytes + [kind, algorithm]
        context.append(number: derivation.memoryMiB)
        context.append(number: derivation.passes)
        return context + salt
    }
}
