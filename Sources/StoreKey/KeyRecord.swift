import AutoFillProtocol
import FoundationEssentials
import KeywayCrypto

/// Where the key of the stores beside it is kept: `store-key.json`. Nothing in it is secret.
struct KeyRecord: Codable, Hashable, Sendable {
    /// The form of the file.
    let version: Int
    /// Where the key is.
    let source: BrokerStatus.StoreKeyState.Source
    /// Tells this key from those of other folders; random.
    let identifier: String
    /// What the source needs to find it.
    let place: String?

    /// The key `identifier` in `source`.
    init(source: BrokerStatus.StoreKeyState.Source, identifier: String, place: String?) {
        version = 1
        self.source = source
        self.identifier = identifier
        self.place = place
    }

    /// Reads the record in `folder`; nil where there is none, or none that can be read.
    static func read(in folder: String) -> KeyRecord? {
        guard let bytes = KeyFile.read("\(folder)/store-key.json", limit: 64 << 10),
            let record = try? JSONDecoder().decode(KeyRecord.self, from: Data(bytes)), record.version == 1
        else { return nil }
        return record
    }

    /// Writes the record into `folder`.
    func write(in folder: String) throws(KeySourceError) {
        guard let bytes = try? JSONEncoder().encode(self) else {
            throw KeySourceError(.unavailable, "The record of the store key cannot be written.")
        }
        try [UInt8](bytes).lend { (bytes) throws(KeySourceError) in
            try KeyFile.replace("\(folder)/store-key.json", with: bytes)
        }
    }
}
