import CredentialExchange
import Glibc
import ImportReading
import Importing
import KeywayCrypto
import KeywaySystem
import SecretDocuments

/// `keyway-browser-passwords`: reads what a browser has stored in a profile, which is descriptor 4, with the secret that
/// opens it from standard input, leaves a document of CXF in the memory file that is descriptor 3, and ends.
package enum BrowserPasswordsCommand {
    /// The most bytes on standard input: a primary password, or the keys of the login keyring, a line each.
    static let longestSecret = 1 << 16

    /// Runs for who started it.
    ///
    /// - Returns: the exit status: 0, 64 for wrong arguments, 65 for a profile that cannot be read: an ``ImportFailure`` is in
    ///   the memory file then; 70 for anything else.
    package static func run(_ arguments: [String]) -> CInt {
        let words = Array(arguments.dropFirst())
        guard let family = words.first.flatMap(BrowserFamily.init(rawValue:)),
            words.dropFirst().allSatisfy({ $0 == "--count" }),
            words.count <= 2
        else { return complain("wrong arguments", EX_USAGE) }
        do {
            try ProcessHardening.apply()
            let output = OwnedDescriptor(3)
            do {
                let profile = ProfileFolder(descriptor: 4)
                if words.count == 2 {
                    let digits = Array("\(try family.count(profile))".utf8)
                    guard digits.withUnsafeBytes({ WholeTransfer.write($0, to: output.rawValue) }) else {
                        return complain("write: \(errno)", EX_SOFTWARE)
                    }
                } else {
                    try write(family, profile, try secret(), to: output)
                }
            } catch {
                // Of what was written before the error, nothing is left.
                guard ftruncate(output.rawValue, 0) == 0, lseek(output.rawValue, 0, SEEK_SET) == 0 else {
                    return complain("ftruncate: \(errno)", EX_SOFTWARE)
                }
                ImportFailure(error, advice: family.advice(error.code)).write {
                    _ = WholeTransfer.write($0, to: output.rawValue)
                }
                try ReturnedMemory.seal(output)
                return EX_DATAERR
            }
            try ReturnedMemory.seal(output)
            return 0
        } catch {
            return complain("\(error)", EX_SOFTWARE)
        }
    }

    private static func write(
        _ family: BrowserFamily, _ profile: ProfileFolder, _ secret: SecretBytes?, to output: OwnedDescriptor
    ) throws(ImportError) {
        let document = ImportedDocument(limit: DocumentLimits.longestDocument) { bytes in
            WholeTransfer.write(bytes, to: output.rawValue)
        }
        try document.write(
            family.format, displayName: family.displayName, now: SystemTimeSource().seconds
        ) { (take) throws(ImportError) in
            try family.read(profile, secret, take)
        }
    }

    private static func secret() throws(ImportError) -> SecretBytes? {
        let all = try SecretBytes(upTo: longestSecret) { (room) throws(ImportError) in
            guard let count = WholeTransfer.read(into: room, from: STDIN_FILENO, at: 0) else {
                throw ImportError(.failed, "read: \(errno)")
            }
            return count
        }
        return all.isEmpty ? nil : all
    }

    private static func complain(_ message: String, _ status: CInt) -> CInt {
        let line = "keyway-browser-passwords: \(message)\n"
        _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        return status
    }
}
