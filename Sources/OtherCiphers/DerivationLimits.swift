/// How much deriving a key may cost that a file asks for. What it asks beyond is refused before anything is computed: by
/// numbers, not by a clock, so that a file opens everywhere or nowhere.
package struct DerivationLimits: Sendable {
    /// The most memory, in bytes; whoever asks the person may raise it to ``mostMemory``.
    package var memory = usualMemory
    /// The most KiB that Argon2 or scrypt goes through, over all passes and lanes: some ten seconds.
    package var mostWork = 12 << 20
    /// The most rounds of AES: likewise.
    package var mostRounds: UInt64 = 200_000_000

    /// What a key may take without a question to the person, in bytes.
    package static let usualMemory = 256 << 20
    /// What a key may take at all, in bytes.
    package static let mostMemory = 1 << 30

    /// The usual limits, with that much memory, but never more than ``mostMemory``.
    package init(memory: Int = usualMemory) { self.memory = min(memory, Self.mostMemory) }

    /// Refuses a derivation by Argon2 that costs more.
    ///
    /// - Throws: ``OtherCipherError``: `tooCostly`, `needsMemory`.
    package func check(_ argon2: Argon2) throws(OtherCipherError) {
        try check(memory: argon2.memory, passes: argon2.passes)
    }

    /// Refuses a derivation that goes that often over that many KiB.
    ///
    /// - Throws: ``OtherCipherError``: `tooCostly`, `needsMemory`.
    package func check(memory kibibytes: Int, passes: Int) throws(OtherCipherError) {
        guard kibibytes <= Self.mostMemory >> 10 else {
            throw OtherCipherError(
                .tooCostly, "the key of the file takes more than \(Self.mostMemory >> 20) MiB of memory")
        }
        let (work, isTooLarge) = kibibytes.multipliedReportingOverflow(by: passes)
        guard !isTooLarge, work <= mostWork else { throw Self.tooCostly }
        guard kibibytes <= memory >> 10 else {
            let bytes = kibibytes << 10
            throw OtherCipherError(
                .needsMemory, "the key of the file takes \(bytes >> 20) MiB of memory", memory: bytes)
        }
    }

    /// Refuses more rounds of AES.
    ///
    /// - Throws: ``OtherCipherError``: `tooCostly`.
    package func check(rounds: UInt64) throws(OtherCipherError) {
        guard rounds <= mostRounds else { throw Self.tooCostly }
    }

    private static let tooCostly = OtherCipherError(
        .tooCostly, "the key of the file takes more computing than Keyway does for a file")
}
