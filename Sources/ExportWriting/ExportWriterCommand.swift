import CredentialExchange
import ExchangePackages
import Glibc
import HybridEncryption
import Importing
import KeywayCrypto
import KeywaySystem

/// `keyway-export-writer`: writes the vault's document, which is descriptor 4, in another program's format into the memory
/// file that is descriptor 3, says in the one that is descriptor 1 what it left out, and ends. It also makes requests for
/// exports, and says what others ask for.
package enum ExportWriterCommand {
    /// Runs for who started it.
    ///
    /// - Returns: the exit status: 0, 64 for wrong arguments, 65 where it cannot be written: an ``ImportFailure`` is in the
    ///   memory file on descriptor 1 then; 70 for anything else.
    package static func run(_ arguments: [String]) -> CInt {
        guard let told = WriterArguments(arguments.dropFirst()) else { return complain("wrong arguments", EX_USAGE) }
        do {
            try ProcessHardening.apply()
            let (output, report) = (OwnedDescriptor(3), OwnedDescriptor(STDOUT_FILENO))
            do {
                try perform(told, output, report)
            } catch {
                guard ftruncate(output.rawValue, 0) == 0 else { return complain("ftruncate: \(errno)", EX_SOFTWARE) }
                ImportFailure(error).write { _ = WholeTransfer.write($0, to: report.rawValue) }
                try ReturnedMemory.seal(report)
                return EX_DATAERR
            }
            try ReturnedMemory.seal(output)
            try ReturnedMemory.seal(report)
            return 0
        } catch {
            return complain("\(error)", EX_SOFTWARE)
        }
    }

    private static func perform(
        _ told: WriterArguments, _ output: OwnedDescriptor, _ report: OwnedDescriptor
    ) throws(ImportError) {
        let write = { (bytes: UnsafeRawBufferPointer) throws(ImportError) in
            guard WholeTransfer.write(bytes, to: output.rawValue) else {
                throw ImportError(.failed, "the file couldn't be written (\(SystemCall.describe(errno)))")
            }
        }
        switch told {
        case .inspect:
            let request = try request()
            RequestSummary(
                importer: request.importer, types: request.types, encryption: request.suite.description
            ).write { _ = WholeTransfer.write($0, to: report.rawValue) }
        case .request:
            do throws(ExchangePackageError) {
                let (text, keys) = try ExchangeRequest.make(random: SystemRandomSource())
                _ = text.withUnsafeBytes { WholeTransfer.write($0, to: output.rawValue) }
                _ = keys.text.withUnsafeBytes { WholeTransfer.write($0, to: report.rawValue) }
            } catch {
                throw ImportError(error)
            }
        case .write(let format):
            try writeDocument(format, write).write { _ = WholeTransfer.write($0, to: report.rawValue) }
        }
    }

    private static func writeDocument(
        _ format: ExportFormat, _ write: @escaping ExportWriter.Sink
    ) throws(ImportError) -> ExportReport {
        do {
            let document = try SealedDocument(received: OwnedDescriptor(4), limit: SealedDocument.maximumExport)
            let outcome = try document.withUnsafeBytes { (bytes) throws(ProtocolError) in
                Result { () throws(ImportError) -> ExportReport in
                    let writer = ExportWriter(bytes, now: SystemTimeSource().seconds, random: SystemRandomSource())
                    switch format {
                    case .keepassDatabase: return try writer.database(try input(), write)
                    case .exchangePackage: return try writer.package(for: try request(), write)
                    default: return try writer.table(format, write)
                    }
                }
            }
            return try outcome.get()
        } catch let error as ImportError {
            throw error
        } catch {
            throw ImportError(.failed, "the document couldn't be read")
        }
    }

    /// What is on standard input: a password, or a request.
    private static func input() throws(ImportError) -> SecretBytes {
        try SecretBytes(upTo: ExchangeRequest.longest + 1) { (room) throws(ImportError) in
            guard let count = WholeTransfer.read(into: room, from: STDIN_FILENO, at: 0) else {
                throw ImportError(.failed, "read: \(errno)")
            }
            return count
        }
    }

    private static func request() throws(ImportError) -> ExchangeRequest {
        let input = try input()
        do throws(ExchangePackageError) {
            return try input.withUnsafeBytes { (bytes) throws(ExchangePackageError) in try ExchangeRequest(bytes) }
        } catch {
            throw ImportError(error)
        }
    }

    private static func complain(_ message: String, _ status: CInt) -> CInt {
        let line = "keyway-export-writer: \(message)\n"
        _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        return status
    }
}

extension ImportFailure {
    fileprivate init(_ error: ImportError) {
        self.init(error.code, detail: error.detail, advice: error.advice, place: error.place)
    }
}

extension HPKESuite {
    /// Its algorithms, as people know them.
    fileprivate var description: String {
        let curve = kem == .x25519 ? "X25519" : "P-256"
        return "\(curve), \(aead == .aes128 ? "AES-128-GCM" : "AES-256-GCM")"
    }
}
