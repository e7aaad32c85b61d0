package import AutoFillWire
import FoundationEssentials
package import KeywaySystem

/// What is said of the items of a document, in a memory file beside the frame, since it may be longer than a frame: an array
/// of ``ImportFinding`` in JSON, by ascending numbers.
package struct ImportFindings: Sendable {
    /// The findings.
    package let list: [ImportFinding]

    /// Findings to send.
    package init(_ list: [ImportFinding]) {
        self.list = list
    }

    /// Findings that came.
    ///
    /// - Throws: `invalidParameters` where it is no such file.
    package init(_ attachment: Attachment) throws(ProtocolError) {
        let document = try SealedDocument(received: attachment.descriptor)
        list = try document.withUnsafeBytes { (bytes) throws(ProtocolError) in
            guard let list = try? JSONDecoder().decode([ImportFinding].self, from: Data(bytes)) else {
                throw ProtocolError(.invalidParameters, "The findings of an import can't be read.")
            }
            return list
        }
    }

    /// The file.
    ///
    /// - Throws: `system`.
    package func attachment() throws(ProtocolError) -> Attachment {
        guard let data = try? JSONEncoder().encode(list) else {
            throw ProtocolError(.internalError, "The findings of an import can't be written.")
        }
        let document = try SealedDocument { (write) throws(ProtocolError) in
            try data.lend { (bytes) throws(ProtocolError) in try write(bytes) }
        }
        return Attachment(document.descriptor)
    }
}

extension Data {
    /// `withUnsafeBytes`, with typed errors.
    fileprivate func lend(
        _ body: (UnsafeRawBufferPointer) throws(ProtocolError) -> Void
    ) throws(ProtocolError) {
        var outcome: Result<Void, ProtocolError> = .success(())
        withUnsafeBytes { bytes in outcome = Result { () throws(ProtocolError) in try body(bytes) } }
        try outcome.get()
    }
}
