import FoundationEssentials
import KeywaySystem

/// What `keyway-store-key` hands to the broker in a ``ReturnedMemory``: one line of JSON, and behind it the key, where it
/// could be opened.
package struct StoreKeyHandover: Codable, Hashable, Sendable {
    /// The length of the key in bytes.
    package static let keyCount = 32

    /// Where the key comes from; nil when no source could be used.
    package let source: BrokerStatus.StoreKeyState.Source?
    /// Whether the key follows.
    package let isOpen: Bool
    /// Whether the key is a new one: whatever was sealed before cannot be opened any more.
    package let isNew: Bool
    /// Why a better source is not used, or what is wrong, in a sentence.
    package let detail: String?

    /// A handover by its parts.
    package init(source: BrokerStatus.StoreKeyState.Source?, isOpen: Bool, isNew: Bool, detail: String?) {
        self.source = source
        self.isOpen = isOpen
        self.isNew = isNew
        self.detail = detail
    }

    /// The line in front of the key.
    package func line() throws -> [UInt8] {
        try [UInt8](JSONEncoder().encode(self)) + [UInt8(ascii: "\n")]
    }

    /// Reads a handover and lends the key to `body`; nil where there is none.
    ///
    /// - Throws: ``ProtocolError`` with the code `malformed`, or what `body` throws.
    package static func read<Key>(
        _ bytes: UnsafeRawBufferPointer, key body: (UnsafeRawBufferPointer) throws -> Key
    ) throws -> (StoreKeyHandover, Key?) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let handover = try? JSONDecoder().decode(StoreKeyHandover.self, from: Data(bytes[..<end]))
        else { throw ProtocolError(.malformed, "The program of the store key answered something else.") }
        let key = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
        guard key.count == (handover.isOpen ? keyCount : 0) else {
            throw ProtocolError(.malformed, "The program of the store key sent \(key.count) bytes of key.")
        }
        return (handover, handover.isOpen ? try body(key) : nil)
    }
}
