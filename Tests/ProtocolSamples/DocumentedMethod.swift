package import AutoFillWire

/// A request as the documentation tells of it. The programs need neither of these, so they are no part of them.
package protocol DocumentedMethod: RemoteMethod {
    /// One sentence for `Docs/protocol.md`.
    static var summary: String { get }
    /// An example of both, for the documentation and the round-trip tests.
    static var sample: (parameters: Parameters, result: Result) { get throws }
}

/// A message without an answer, likewise.
package protocol DocumentedNotification: RemoteNotification {
    /// One sentence for `Docs/protocol.md`.
    static var summary: String { get }
    /// An example, for the documentation and the round-trip tests.
    static var sample: Parameters { get throws }
}
