/// Bytes that are not what they should be: no canonical CBOR, no authenticator data, no attestation object.
package struct MalformedValue: Error, Equatable, Sendable, CustomStringConvertible {
    /// Lengths and kinds; never content.
    package let detail: String

    init(_ detail: String) {
        self.detail = detail
    }

    /// The detail, for logs.
    package var description: String { "malformed: \(detail)" }

    /// Two are the same, whatever their details.
    package static func == (left: MalformedValue, right: MalformedValue) -> Bool { true }
}
