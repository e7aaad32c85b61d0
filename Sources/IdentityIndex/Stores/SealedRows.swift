import KeywayCrypto
import KeywaySQLite

/// Opens and seals rows: XChaCha20-Poly1305 under the provider's key, bound to the row's name and places. A row that
/// was moved to another file, under another name or to another site does not open.
final class SealedRows {
    /// The columns that ``open(_:)`` reads, in this order.
    static let columns = "id, name, host, origin, site, sealed, position"

    /// One row.
    struct Row {
        let number: Int64
        let name: [UInt8]
        let places: IdentityPlaces
        let position: Int64
        let record: IdentityRecord
    }

    private let keys: IdentityKeys
    private let random: any RandomSource
    private let room = SecretBuffer(capacity: IdentityRecord.maximumCount)

    init(keys: IdentityKeys, random: any RandomSource = SystemRandomSource()) {
        self.keys = keys
        self.random = random
    }

    /// The row at which `statement` stands.
    ///
    /// - Throws: `damaged` when it does not open.
    func open(_ statement: Statement) throws(SQLiteError) -> Row {
        let name = [UInt8](statement.bytes(1))
        let places = IdentityPlaces(
            host: statement.integer(2), origin: statement.integer(3),
            site: statement.isNull(4) ? nil : statement.integer(4))
        let record = try open(statement.bytes(5), Self.context(name, places))
        return Row(
            number: statement.integer(0), name: name, places: places, position: statement.integer(6), record: record)
    }

    /// A record as its row keeps it.
    func seal(_ record: IdentityRecord, _ name: [UInt8], _ places: IdentityPlaces) -> [UInt8] {
        record.encoded().withUnsafeBytes { bytes in
            Self.context(name, places).withUnsafeBytes { keys.sealing.seal(bytes, context: $0, random: random) }
        }
    }

    /// Seals bytes of the file that are no row, such as the time of the newest use.
    func seal(_ bytes: [UInt8], as purpose: StaticString) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in
            Array("\(purpose)".utf8).withUnsafeBytes { keys.sealing.seal(bytes, context: $0, random: random) }
        }
    }

    /// Opens what ``seal(_:as:)`` sealed; nil where it does not open.
    func open(_ sealed: UnsafeRawBufferPointer, as purpose: StaticString) -> [UInt8]? {
        guard sealed.count >= SecretKey.sealOverhead else { return nil }
        var bytes = [UInt8](repeating: 0, count: sealed.count - SecretKey.sealOverhead)
        let isOpen = bytes.withUnsafeMutableBytes { bytes in
            Array("\(purpose)".utf8).withUnsafeBytes { context in
                (try? keys.sealing.open(sealed, context: context, into: bytes)) != nil
            }
        }
        return isOpen ? bytes : nil
    }

    private func open(_ sealed: UnsafeRawBufferPointer, _ context: [UInt8]) throws(SQLiteError) -> IdentityRecord {
        let count = sealed.count - SecretKey.sealOverhead
        guard count >= 0, count <= IdentityRecord.maximumCount else { throw .damaged }
        defer { room.removeAll() }
        do {
            try room.append(count: count) { (space) throws(CryptoError) in
                try context.lend { (context) throws(CryptoError) in
                    _ = try keys.sealing.open(sealed, context: context, into: space)
                }
            }
        } catch {
            throw .damaged
        }
        guard let record = room.withUnsafeBytes({ IdentityRecord(decoding: $0) }) else { throw .damaged }
        return record
    }

    private static func context(_ name: [UInt8], _ places: IdentityPlaces) -> [UInt8] {
        var context = name
        context.reserveCapacity(name.count + 25)
        for number in [places.host, places.origin, places.site ?? .min] {
            withUnsafeBytes(of: number.littleEndian) { context.append(contentsOf: $0) }
        }
        context.append(places.site == nil ? 0 : 1)
        return context
    }
}
