/// How long records are made, so that a byte more or less in them does not show: 256 bytes, or the next power of two.
enum SizeClass {
    /// The longest record content that is stored, in bytes: 16 MiB.
    static let maximum = 1 << 24
    private static let minimum = 256

    /// The padded length for content of this length.
    static func padded(_ count: Int) -> Int {
        var padded = minimum
        while padded < count { padded <<= 1 }
        return padded
    }

    /// Whether a padded record can have this length.
    static func contains(_ count: Int) -> Bool {
        count >= minimum && count <= maximum && count & (count - 1) == 0
    }
}
