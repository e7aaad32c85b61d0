package import OtherCiphers

/// How much a database may ask for. What it asks beyond is refused before anything is computed or takes memory.
package struct KeePassLimits: Sendable {
    /// What deriving the key may cost.
    package var derivation = DerivationLimits()
    /// The longest document in a database, in bytes.
    package var longestDocument = 128 << 20
    /// The most bytes that are unpacked, with the files in the database.
    package var mostUnpacked = 256 << 20

    /// The longest database, in bytes.
    package static let longestDatabase = 128 << 20
    /// The longest field of a header, in bytes.
    static let longestField = 1 << 20

    /// The usual limits.
    package init() {}
}
