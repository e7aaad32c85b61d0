import AutoFillWire
import KeywayCrypto
import KeywaySystem

extension SecretBytes {
    /// Takes a secret that came beside a frame, without a copy outside of secret memory.
    ///
    /// - Parameter name: what the secret is, for the error: "master password".
    /// - Throws: `invalidParameters` when it is no sealed memory file, longer than `limit`, or no UTF-8.
    convenience init(_ attachment: Attachment, _ name: String, limit: Int) throws(ProtocolError) {
        let memory = try attachment.sealedMemory()
        guard memory.count <= limit else {
            throw ProtocolError(.invalidParameters, "The \(name) has \(memory.count) bytes; at most \(limit) are kept.")
        }
        try self.init(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room) }
        guard isUTF8 else { throw ProtocolError(.invalidParameters, "The \(name) is not UTF-8.") }
    }

    private var isUTF8: Bool {
        withUnsafeBytes { bytes in
            (try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span)) != nil
        }
    }
}

extension Attachment {
    /// Sends a secret beside a frame.
    ///
    /// - Throws: `system` when no memory file can be made.
    init(_ secret: SecretBytes) throws(ProtocolError) {
        self.init(try secret.withUnsafeBytes { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) })
    }
}
