/// How much a database may ask for. What it asks beyond is refused before anything is computed or takes memory.
package struct KeePassLimits: Sendable {
    /// The most memory that a key may take, in bytes; whoever asks the person may raise it to ``mostMemory``.
    package var memory = usualMemory
    /// The most KiB that Argon2 goes through, over all passes: some ten seconds.
    package var mostArgon2Work = 12 << 20
    /// The most rounds of AES: likewise.
    package var mostRounds: UInt64 = 200_000_000
    /// The longest document in a database, in bytes.
    package var longestDocument = 128 << 20
    /// The most bytes that are unpacked, with the files in the database.
    package var mostUnpacked = 256 << 20

    /// What a key may take without a question to the person, in bytes.
    package static let usualMemory = 256 << 20
    /// What a key may take at all, in bytes.
    package static let mostMemory = 1 << 30
    /// The longest database, in bytes.
    package static let longestDatabase = 128 << 20
    /// The longest field of a header, in bytes.
    static let longestField = 1 << 20

    /// The usual limits.
    package init() {}
}
