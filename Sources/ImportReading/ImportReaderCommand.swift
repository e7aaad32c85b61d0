import CredentialExchange
import Glibc
import Importing
import KeywayCrypto
import KeywaySystem
import SecretDocuments

/// `keyway-import-reader`: reads one export of another program from descriptor 4, with its password and key file, if it
/// has them, from standard input, leaves a document of CXF in the memory file that is descriptor 3, and ends.
package enum ImportReaderCommand {
    /// The longest file, in bytes.
    static let longestFile = DocumentLimits.longestDocument
    /// The longest password, in bytes.
    static let longestPassword = 1 << 16
    /// The longest key file, in bytes; a picture may be one.
    static let longestKeyFile = 8 << 20

    /// Runs for who started it.
    ///
    /// - Returns: the exit status: 0, 64 for wrong arguments, 65 for a file that cannot be read: an ``ImportFailure`` is in
    ///   the memory file then; 70 for anything else.
    package static func run(_ arguments: [String]) -> CInt {
        guard let told = ReaderArguments(arguments.dropFirst()) else {
            return complain("wrong arguments", EX_USAGE)
        }
        do {
            try ProcessHardening.apply()
            let output = OwnedDescriptor(3)
            do {
                let document = ImportedDocument(limit: DocumentLimits.longestDocument) { bytes in
                    WholeTransfer.write(bytes, to: output.rawValue)
                }
                let (password, keyFile) = try secrets(told)
                var source = ImportSource(
                    try file(), password: password, keyFile: keyFile, derivationMemory: told.derivationMemory,
                    now: SystemTimeSource().seconds)
                let files = FileSink { WholeTransfer.write($0, to: output.rawValue, at: $1) }
                source.files = files
                try document.write(source, columns: told.columns)
                try files.finish(document: document.written)
            } catch {
                // Of what was written before the error, nothing is left.
                guard ftruncate(output.rawValue, 0) == 0, lseek(output.rawValue, 0, SEEK_SET) == 0 else {
                    return complain("ftruncate: \(errno)", EX_SOFTWARE)
                }
                ImportFailure(error).write { _ = WholeTransfer.write($0, to: output.rawValue) }
                try ReturnedMemory.seal(output)
                return EX_DATAERR
            }
            try ReturnedMemory.seal(output)
            return 0
        } catch {
            return complain("\(error)", EX_SOFTWARE)
        }
    }

    /// All of the file. What is read is what is checked: whoever may write the file cannot change it meanwhile.
    private static func file() throws(ImportError) -> UnsafeRawBufferPointer {
        var status = stat()
        guard fstat(4, &status) == 0 else { throw ImportError(.failed, "fstat: \(errno)") }
        guard status.st_size <= off_t(longestFile) else {
            throw ImportError(.tooLarge, "the file has more than \(longestFile >> 20) MiB")
        }
        // Lives as long as this process, which reads one.
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: max(Int(status.st_size), 1), alignment: 16)
        guard let count = WholeTransfer.read(into: room, from: 4, at: 0) else {
            throw ImportError(.failed, "read: \(errno)")
        }
        return UnsafeRawBufferPointer(rebasing: room[..<min(count, Int(status.st_size))])
    }

    /// The password and what is in the key file, which stands behind it, from a memory file; nil where there is none.
    private static func secrets(_ told: ReaderArguments) throws(ImportError) -> (SecretBytes?, SecretBytes?) {
        let all = try SecretBytes(upTo: longestPassword + told.keyFileBytes) { (room) throws(ImportError) in
            guard let count = WholeTransfer.read(into: room, from: STDIN_FILENO, at: 0) else {
                throw ImportError(.failed, "read: \(errno)")
            }
            return count
        }
        guard all.count >= told.keyFileBytes else { throw ImportError(.failed, "the key file isn't whole") }
        return all.withUnsafeBytes { bytes in
            func part(_ range: Range<Int>) -> SecretBytes {
                SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
            let end = bytes.count - told.keyFileBytes
            return (told.hasPassword ? part(0..<end) : nil, told.keyFileBytes > 0 ? part(end..<bytes.count) : nil)
        }
    }

    private static func complain(_ message: String, _ status: CInt) -> CInt {
        let line = "keyway-import-reader: \(message)\n"
        _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        return status
    }
}
