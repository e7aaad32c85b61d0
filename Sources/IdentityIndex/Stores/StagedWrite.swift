import AutoFillProtocol
import Glibc
import KeywayCrypto
import KeywaySystem

/// The parts of one write whose last part has not come: sealed, in a file without a name, which is gone with the
/// process. However many identities they hold, only one part is in memory at a time.
final class StagedWrite {
    /// What the parts of one write may take.
    static let maximumBytes = 2 << 30

    let operation: WriteIdentities.Operation
    let owner: ObjectIdentifier
    /// When its newest part came.
    private(set) var touched: MonotonicTime
    /// How many identities the parts hold.
    private(set) var count = 0
    private let key: SecretKey
    private let file: OwnedDescriptor
    /// Where each part ends.
    private var ends: [Int] = []

    /// A write that keeps its parts in `folder`.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    init(
        _ operation: WriteIdentities.Operation, owner: ObjectIdentifier, at time: MonotonicTime, folder: String
    ) throws(ProtocolError) {
        self.operation = operation
        self.owner = owner
        touched = time
        key = SecretKey(random: SystemRandomSource())
        file = try Self.unnamedFile(in: folder)
    }

    /// Keeps one part.
    ///
    /// - Throws: ``ProtocolError``: `system`, such as a full disk; `invalidParameters` over ``maximumBytes``.
    func append(_ identities: [CredentialIdentity], at time: MonotonicTime) throws(ProtocolError) {
        touched = time
        guard !identities.isEmpty else { return }
        var bytes: [UInt8] = []
        for identity in identities {
            let record = IdentityRecord(identity).encoded(padded: false)
            withUnsafeBytes(of: UInt16(record.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes += record
        }
        let context = Self.context(ends.count)
        let sealed = bytes.withUnsafeBytes { bytes in
            context.withUnsafeBytes { key.seal(bytes, context: $0, random: SystemRandomSource()) }
        }
        let start = ends.last ?? 0
        guard start + sealed.count <= Self.maximumBytes else {
            throw ProtocolError(.invalidParameters, "The parts of one write are too large together.")
        }
        guard sealed.withUnsafeBytes({ WholeTransfer.write($0, to: file.rawValue, at: start) }) else {
            throw .system("write", errno)
        }
        ends.append(start + sealed.count)
        count += identities.count
    }

    /// Hands every part to `body`, in order.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` or `damaged`, or what `body` throws.
    func forEachPart(_ body: ([CredentialIdentity]) throws -> Void) throws {
        for index in ends.indices { try body(try part(index)) }
    }

    private func part(_ index: Int) throws(ProtocolError) -> [CredentialIdentity] {
        let start = index == 0 ? 0 : ends[index - 1]
        var sealed = [UInt8](repeating: 0, count: ends[index] - start)
        let count = sealed.withUnsafeMutableBytes { WholeTransfer.read(into: $0, from: file.rawValue, at: start) }
        guard count == sealed.count else { throw .system("read", count == nil ? errno : EIO) }
        guard let bytes = try? key.open(sealed, context: Self.context(index)) else {
            throw ProtocolError(.damaged, "The parts of a write cannot be read.")
        }
        var identities: [CredentialIdentity] = []
        try bytes.withUnsafeBytes { (bytes) throws(ProtocolError) in
            var rest = bytes[...]
            while rest.count > 2 {
                let length = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
                let record = rest.dropFirst(2).prefix(length)
                guard let record = IdentityRecord(decoding: UnsafeRawBufferPointer(rebasing: record)) else {
                    throw ProtocolError(.damaged, "The parts of a write cannot be read.")
                }
                identities.append(record.identity)
                rest = rest.dropFirst(2 + length)
            }
        }
        return identities
    }

    private static func context(_ index: Int) -> [UInt8] { Array("part \(index)".utf8) }

    /// A file whose name is taken away at once.
    private static func unnamedFile(in folder: String) throws(ProtocolError) -> OwnedDescriptor {
        var template = Array("\(folder)/staged-XXXXXX".utf8CString)
        let file = OwnedDescriptor(try SystemCall.check("mkstemp") { mkstemp(&template) })
        _ = fcntl(file.rawValue, F_SETFD, FD_CLOEXEC)
        unlink(template)
        return file
    }
}
