import CSodium

/// The state of libsodium in this process.
enum Sodium {
    /// Initialised once, on first use; every entry into the library goes through ``prepare()``.
    private static let ready: Bool = sodium_init() >= 0

    /// Makes sure that the library is initialised.
    @inline(__always)
    static func prepare() {
        // `sodium_init` fails only where the system has no source of randomness at all: nothing can go on then.
        precondition(ready, "libsodium cannot be initialised")
    }
}
