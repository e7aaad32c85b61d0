import Confinement
package import CredentialExchange
import Glibc
package import KeywayCrypto
package import KeywaySystem

/// Writes an export in another program's format, and what goes with it: by `keyway-export-writer`, in a sandbox.
package struct ExportWriterProgram: Sendable {
    /// What the writer is to do.
    package enum Request: Sendable {
        /// Write the vault's document in that format. With it goes the password of the new file, or the request that it
        /// answers; nil where the format has neither.
        case write(SealedDocument, format: String, with: SecretBytes?)
        /// Say what a request asks for.
        case inspect(SecretBytes)
        /// Make a new request.
        case make

        fileprivate var arguments: [String] {
            switch self {
            case .write(_, let format, _): ["--format", format]
            case .inspect: ["--inspect"]
            case .make: ["--request"]
            }
        }

        fileprivate var input: SecretBytes? {
            switch self {
            case .write(_, _, let input): input
            case .inspect(let request): request
            case .make: nil
            }
        }

        fileprivate var document: SealedDocument? {
            if case .write(let document, _, _) = self { document } else { nil }
        }
    }

    /// What comes of it.
    package enum Outcome: Sendable {
        /// A file, and what is told of it: an ``ExportReport``, a ``RequestSummary``, or the keys of a request.
        case file(SealedDocument, told: SecretBytes)
        /// It cannot be written.
        case failure(ImportFailure)
        /// The writer was ended, or ended itself.
        case ended(CInt)
    }

    /// Bytes of writable memory beside a multiple of the document: deriving the key of a database takes 64 MiB of them.
    private static let memory: UInt64 = 512 << 20
    /// How long it may take on a busy computer.
    private static let patience = Duration.seconds(600)

    private let program: String

    /// With the programs that lie beside `program`, or where it is installed.
    init(program: String) { self.program = program }

    /// Runs the writer.
    ///
    /// - Throws: ``CommandError`` or ``ProtocolError`` where it couldn't be started.
    package func run(_ request: Request) async throws -> Outcome {
        let count = UInt64(request.document?.count ?? 0)
        let writer = ConfinedReader(
            "keyway-export-writer", beside: program,
            limits: ResourceLimits(
                memory: Self.memory + 12 * count, processes: nil, fileBytes: 4 * count + 64 << 20, descriptors: 32,
                seconds: 120 + count >> 20))
        let (file, told) = (try ReturnedMemory(), try ReturnedMemory())
        let document = try request.document ?? SealedDocument { _ in }
        let child = try writer.start(
            document.descriptor, channel: file.descriptor, input: try request.input?.attached().descriptor,
            output: told.descriptor, arguments: request.arguments)
        let status = await child.end(within: Self.patience)
        guard !Task.isCancelled else { throw CommandError(.cancelled, Strings.nothingExported) }
        switch (status & 0x7F, status >> 8 & 0xFF) {
        case (0, 0):
            let file = try SealedDocument(received: file.descriptor, limit: SealedDocument.maximumExport)
            return .file(file, told: try SecretBytes(told.received()))
        case (0, EX_DATAERR):
            let failure = try told.received().withUnsafeBytes { ImportFailure($0) }
            return failure.map(Outcome.failure) ?? .ended(status)
        default: return .ended(status)
        }
    }
}

extension CommandError {
    /// What it means that nothing could be written.
    init(_ outcome: ExportWriterProgram.Outcome, of path: String) {
        switch outcome {
        case .failure(let failure):
            let code: ExitCode =
                switch failure.code {
                case .damaged: .damaged
                case .unsupported, .tooLarge: .refused
                default: .failure
                }
            self.init(code, Strings.notImported(path, failure.place?.saying(failure.detail) ?? failure.detail))
        case .ended(let status):
            self.init(.failure, Strings.writerFailed(path, ChildProcess.describe(status: status)))
        case .file: self.init(.failure, Strings.readerIsWrong(path))
        }
    }
}
