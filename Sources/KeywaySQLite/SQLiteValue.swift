/// A value for a parameter of a statement. Fast paths bind by type instead; see ``Statement``.
package enum SQLiteValue: Sendable, Equatable {
    /// A 64-bit integer.
    case integer(Int64)
    /// Text, stored as UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])
    /// No value.
    case null
}
