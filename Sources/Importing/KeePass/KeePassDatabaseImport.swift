import KeePassDatabases
import KeywayCrypto
import OtherCiphers
import SecretDocuments

/// KeePass 2, KeePassXC and others: their database itself, which is XML, packed and encrypted.
enum KeePassDatabaseImport {
    @Sendable
    static func read(_ source: ImportSource, _ take: ImportSink) throws(ImportError) {
        do {
            try read(source, limits(source), take)
        } catch let error as KeePassError {
            throw ImportError(error)
        } catch let error as DocumentError {
            // Where it stands in a document that is nowhere to be seen helps nobody.
            throw ImportError(ImportError(error).code, "the text of the database: \(error.detail)")
        } catch let error as ImportError {
            throw error
        } catch {
            throw ImportError(.failed, "the file couldn't be read")
        }
    }

    /// Reads with other limits than the usual ones.
    static func read(_ source: ImportSource, _ limits: KeePassLimits, _ take: ImportSink) throws {
        guard let key = try KeePassKey(password: source.password, keyFile: source.keyFile) else {
            throw ImportError(.needsPassword, "the database is encrypted with a password or a key file")
        }
        let files = source.files.map { KeePassFiles($0) }
        let database = try KeePassDatabase(source.bytes, key: key, limits: limits, files: files)
        try files?.check()
        let tree = KeePassTree(stream: database.stream, headerHash: database.headerHash, files: files)
        try database.document.withUnsafeBytes { try KeePassXML.read(tree, checkedText($0), take) }
    }

    private static func limits(_ source: ImportSource) -> KeePassLimits {
        var limits = KeePassLimits()
        limits.derivation = DerivationLimits(memory: source.derivationMemory)
        return limits
    }
}

extension ImportError {
    init(_ error: KeePassError) {
        let code: Code =
            switch error.code {
            case .damaged: .damaged
            case .unsupported: .unsupported
            case .tooLarge: .tooLarge
            case .tooCostly: .tooCostly
            case .needsMemory: .needsMemory
            case .wrongKey: .wrongPassword
            case .damagedKeyFile: .damagedKeyFile
            case .failed: .failed
            }
        self.init(code, error.detail, memory: error.memory)
    }
}
