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

    /// A file to read, and what is known of it.
    package struct Request: Sendable {
        /// The file; it is read from its beginning.
        package var file: OwnedDescriptor
        /// Its password; nil for none, which is not the same as an empty one.
        package var password: SecretBytes?
        /// What is in its key file; nil for none.
        package var keyFile: SecretBytes?
        /// What is said of its columns: `ROLE=NAME` each.
        package var columns: [String] = []
        /// How much memory deriving its key may take, in bytes.
        package var derivationMemory: UInt64 = 0

        /// Whether it has a password or a key file.
        package var hasSecrets: Bool { password != nil || keyFile != nil }
    }

    /// Bytes of writable memory that the reader has beside what a key takes.
    package static let memory: UInt64 = 256 << 20
    /// What a key takes without a question to the person.
    package static let usualDerivation: UInt64 = 256 << 20
    /// Seconds of processor time, and those that deriving a key may take besides.
    package static let (seconds, derivationSeconds): (UInt64, UInt64) = (10, 30)
    /// How long it may take on a busy computer.
    private static let patience = Duration.seconds(120)
    /// Bytes of what it writes: as much as whoever reads it takes.
    private static let fileBytes = UInt64(ExchangeBundle.longest)

    private let program: String

    /// With the programs that lie beside `program`, or where it is installed.
    init(program: String) { self.program = program }

    /// Reads a file.
    ///
    /// - Throws: ``CommandError`` or ``ProtocolError`` where the reader couldn't be started.
    package func read(_ request: Request) async throws -> Outcome {
        let reader = ConfinedReader(
            "keyway-import-reader", beside: program,
            limits: ResourceLimits(
                memory: Self.memory + request.derivationMemory, processes: nil, fileBytes: Self.fileBytes,
                descriptors: 32, seconds: Self.seconds + (request.hasSecrets ? Self.derivationSeconds : 0)))
        let returned = try ReturnedMemory()
        var arguments = request.columns.flatMap { ["--column", $0] }
        if request.password != nil { arguments.append("--password") }
        if let keyFile = request.keyFile { arguments += ["--key-file", "\(keyFile.count)"] }
        if request.derivationMemory > 0 { arguments += ["--derivation", "\(request.derivationMemory)"] }
        let child = try reader.start(
            request.file, channel: returned.descriptor, input: try request.secrets?.attached().descriptor,
            arguments: arguments)
        let status = await child.end(within: Self.patience)
        guard !Task.isCancelled else { throw CommandError(.cancelled, Strings.nothingImported) }
        switch (status & 0x7F, status >> 8 & 0xFF) {
        case (0, 0):
            return .document(try SealedDocument(received: returned.descriptor, limit: ExchangeBundle.longest))
        case (0, EX_DATAERR):
            let failure = try returned.received().withUnsafeBytes { ImportFailure($0) }
            return failure.map(Outcome.failure) ?? .ended(status)
        default: return .ended(status)
        }
    }
}

extension ExportReader.Request {
    /// The password, and behind it what is in the key file.
    fileprivate var secrets: SecretBytes? {
        guard hasSecrets else { return nil }
        let buffer = SecretBuffer()
        if let password { buffer.append(password) }
        if let keyFile { buffer.append(keyFile) }
        return buffer.finish()
    }
}
