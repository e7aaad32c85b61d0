/// What the broker remembers, under its authentication code, of the newest versions of the vault.
package protocol VersionRegister: Sendable {
    /// The newest version of `file` that was noted; nil where none was, or where that cannot be learned in time.
    func newest(of file: String) async -> UInt64?
    /// Has a version noted, soon: nobody waits for it.
    func note(_ version: UInt64, of file: String)
}

/// Remembers nothing.
package struct NoRegister: VersionRegister {
    /// Makes one.
    package init() {}

    package func newest(of file: String) -> UInt64? { nil }
    package func note(_ version: UInt64, of file: String) {}
}
