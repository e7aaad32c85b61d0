import Glibc
import KeywaySystem
import PassEntries
import PasswordStore

/// `keyway-pass-reader`: has gpg decrypt the entries of a folder of `pass`, which is descriptor 4, leaves them in the
/// memory file that is descriptor 3, and ends. It reads nothing of what is in them.
package enum PassReaderCommand {
    /// The most bytes of all entries together: as many as are read of a file.
    static let mostBytes = SealedDocument.maximumCount

    /// Runs for who started it.
    ///
    /// - Returns: the exit status: 0, 64 for arguments, 69 where there is no gpg, 70 where the memory file couldn't be
    ///   written, 73 where the entries are more than ``mostBytes``.
    package static func run(_ arguments: [String]) async -> CInt {
        guard arguments.count == 1 else { return complain("it takes no arguments", EX_USAGE) }
        do {
            try ProcessHardening.apply()
            ProcessHardening.endWithStarter()
            let output = OwnedDescriptor(3)
            var status = put(EntryBundle.signature, output) ? EXIT_SUCCESS : EX_SOFTWARE
            var left = mostBytes - EntryBundle.signature.count
            guard hasProgram("gpg") else { return complain("there is no gpg", EX_UNAVAILABLE) }
            await StoreExport().run(root: 4) { kind, name, bytes in
                let name = Array(name.utf8)
                left -= EntryBundle.headerCount + name.count + bytes.count
                if left < 0 { status = EX_CANTCREAT }
                guard left >= 0 else { return false }
                let header = EntryBundle.header(kind, name: name.count, bytes: bytes.count)
                let isWritten =
                    put(header, output) && put(name, output) && WholeTransfer.write(bytes, to: output.rawValue)
                if !isWritten { status = EX_SOFTWARE }
                return isWritten
            }
            try ReturnedMemory.seal(output)
            return status
        } catch {
            return complain("\(error)", EX_SOFTWARE)
        }
    }

    /// Whether a program lies in one of the folders of `PATH`.
    private static func hasProgram(_ name: String) -> Bool {
        let folders = (ProcessEnvironment.current["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    private static func put(_ bytes: [UInt8], _ output: OwnedDescriptor) -> Bool {
        bytes.withUnsafeBytes { WholeTransfer.write($0, to: output.rawValue) }
    }

    private static func complain(_ message: String, _ status: CInt) -> CInt {
        let line = "keyway-pass-reader: \(message)\n"
        _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        return status
    }
}
