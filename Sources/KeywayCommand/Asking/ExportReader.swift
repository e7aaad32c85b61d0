import Confinement
package import CredentialExchange
import Glibc
package import KeywayCrypto
package import KeywaySystem

/// Reads what another program exported: by `keyway-import-reader`, in a sandbox.
package struct ExportReader: Sendable {
    /// What comes of a file.
    package enum Outcome: Sendable {
        /// A document of CXF.
        case document(SealedDocument)
        /// It cannot be read.
        case failure(ImportFailure)
        /// The reader was ended, or ended itself: it had too much to do, or has a mistake.
        case ended(CInt)
    }

    /// Bytes of writable memory that the reader has.
    package static let memory: UInt64 = 256 << 20
    /// Seconds of processor time.
    package static let seconds: UInt64 = 10
    /// How long it may take on a busy computer.
    private static let patience = Duration.seconds(60)
    /// Bytes of what it writes: as much as whoever reads it takes.
    private static let fileBytes: UInt64 = 129 << 20

    private let reader: ConfinedReader

    /// With the programs that lie beside `program`, or where it is installed.
    init(program: String) {
        reader = ConfinedReader(
            "keyway-import-reader", beside: program,
            limits: ResourceLimits(
                memory: Self.memory, processes: nil, fileBytes: Self.fileBytes, descriptors: 32, seconds: Self.seconds))
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - file: the file; it is read from its beginning.
    ///   - password: its password; nil for none.
    ///   - columns: what it is told of the columns: `ROLE=NAME` each.
    /// - Throws: ``CommandError`` or ``ProtocolError`` where the reader couldn't be started.
    package func read(_ file: OwnedDescriptor, password: SecretBytes?, columns: [String]) async throws -> Outcome {
        let returned = try ReturnedMemory()
        let child = try reader.start(
            file, channel: returned.descriptor, input: try password?.attached().descriptor,
            arguments: columns.flatMap { ["--column", $0] })
        let limit = Task {
            try await Task.sleep(for: Self.patience)
            child.send(signal: SIGKILL)
        }
        let status = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in child.onExit { continuation.resume(returning: $0) } }
        } onCancel: {
            child.send(signal: SIGKILL)
        }
        limit.cancel()
        switch (status & 0x7F, status >> 8 & 0xFF) {
        case (0, 0): return .document(try SealedDocument(received: returned.descriptor))
        case (0, EX_DATAERR):
            let failure = try returned.received().withUnsafeBytes { ImportFailure($0) }
            return failure.map(Outcome.failure) ?? .ended(status)
        default: return .ended(status)
        }
    }
}
