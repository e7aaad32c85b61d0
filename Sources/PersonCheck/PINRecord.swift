import FoundationEssentials
import Glibc
import KeywayCrypto
import KeywaySystem

/// The stored record of the PIN: a key derived from it, and the number of failed attempts.
struct PINRecord: Codable, Equatable {
    /// 1.
    var format = 1
    /// Grows with every change: an older record that was put back is recognised by it.
    var changes: UInt64
    /// Argon2id: memory in MiB, passes, salt.
    var memory: UInt32
    var passes: UInt32
    var salt: Data
    /// What came of it.
    var verifier: Data
    /// How many wrong ones there were since the last right one. It is counted before each check.
    var failures = 0
    /// When the last of them was, in milliseconds since 1970.
    var lastFailure: Int64 = 0

    var derivation: PasswordDerivation { PasswordDerivation(memoryMiB: memory, passes: passes) }
}

/// The record's file: JSON behind a line with its authentication code, written whole or not at all.
struct PINFile {
    /// Why a record is not believed.
    struct Disbelief: Error {
        let reason: String
    }

    private static let maximumBytes = 4096

    let path: String
    /// Authenticates the record.
    let key: SecretKey

    /// What the file holds; nil where there is none.
    ///
    /// - Throws: ``Disbelief``, or ``ProtocolError`` with the code `system`.
    func read(atLeast changes: UInt64) throws -> PINRecord? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw Disbelief(reason: "its record can't be opened") }
            return nil
        }
        let bytes = try FileContents.read(OwnedDescriptor(descriptor), limit: Self.maximumBytes)
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            throw Disbelief(reason: "its record is damaged")
        }
        let body = Array(bytes[(end + 1)...])
        guard isSame(Array(bytes[..<end]), code(body)),
            let record = try? JSONDecoder().decode(PINRecord.self, from: Data(body)),
            record.format == 1
        else {
            throw Disbelief(
                reason: "its record was changed by another program, or its key is lost")
        }
        guard record.changes >= changes else { throw Disbelief(reason: "its record was replaced by an older one") }
        guard !record.derivation.isTooWeak, !record.derivation.isTooCostly,
            record.salt.count == PasswordDerivation.saltCount, record.verifier.count == SecretKey.count
        else { throw Disbelief(reason: "its record uses an unsupported key derivation") }
        return record
    }

    /// Puts `record` in the file's place; it is on the disk when this returns.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    func write(_ record: PINRecord) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let body = Array(try encoder.encode(record)) + [UInt8(ascii: "\n")]
        try FileContents.replace(path, with: code(body) + [UInt8(ascii: "\n")] + body)
    }

    /// Takes the file away.
    func remove() throws(ProtocolError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system("unlink \(path)", errno) }
    }

    /// The code in front of the record: keyed BLAKE2b, as 64 digits.
    private func code(_ body: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return key.hash(body).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    /// Compares in a time that does not tell where they differ.
    private func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
