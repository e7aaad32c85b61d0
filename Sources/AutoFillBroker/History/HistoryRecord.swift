import AutoFillProtocol
import AutoFillWire
import FoundationEssentials

/// An entry as its row keeps it: version and time in eight bytes, little-endian, the entry as JSON, zeros up to the next
/// step, so that a sealed length says little about names.
struct HistoryRecord {
    /// The most bytes of one; ``HistoryEntry/bounded`` makes less.
    static let maximumCount = 16384
    private static let step = 128
    private static let version: UInt8 = 1
    private static let headCount = 9

    let entry: HistoryEntry

    /// Zeros at the end mean nothing: JSON holds none.
    func encoded() throws -> [UInt8] {
        var bytes: [UInt8] = [Self.version]
        withUnsafeBytes(of: entry.time.littleEndian) { bytes.append(contentsOf: $0) }
        bytes += try JSONEncoder().encode(entry)
        return bytes + Array(repeating: 0, count: (Self.step - bytes.count % Self.step) % Self.step)
    }

    init(_ entry: HistoryEntry) {
        self.entry = entry
    }

    /// Reads ``encoded()``; nil for anything else.
    init?(decoding bytes: [UInt8]) {
        guard let time = Self.time(of: bytes) else { return nil }
        let end = bytes.lastIndex { $0 != 0 } ?? 0
        guard end >= Self.headCount,
            let entry = try? JSONDecoder().decode(HistoryEntry.self, from: Data(bytes[Self.headCount...end])),
            entry.time == time
        else { return nil }
        self.entry = entry
    }

    /// The time alone, for whoever looks for a time among many.
    static func time(of bytes: [UInt8]) -> Int64? {
        guard bytes.count >= headCount, bytes[0] == version else { return nil }
        return Int64(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: Int64.self) })
    }
}

extension HistoryEntry {
    /// The same with every text made one harmless line, at another time.
    func bounded(at time: Int64) -> HistoryEntry {
        HistoryEntry(
            time: time, event: event, client: DisplayText.line(client),
            provider: provider.map {
                ProviderReference(identifier: DisplayText.line($0.identifier), name: DisplayText.line($0.name))
            },
            service: service.map(DisplayText.line), account: account.map(DisplayText.line), kind: kind, method: method,
            detail: detail.map(DisplayText.line))
    }
}
