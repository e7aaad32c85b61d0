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

    /// Reads the record in `folder`; nil where there is none.
    ///
    /// - Throws: ``KeySourceError``: `unavailable` for a record that is there and tells nothing now. A new key would wipe
    ///   every store, and what keeps a record from being read may pass: a disk, permissions, an older Keyway.
    static func read(in folder: String) throws(KeySourceError) -> KeyRecord? {
        let path = "\(folder)/store-key.json"
        guard let bytes = try KeyFile.read(path, limit: 64 << 10) else { return nil }
        let decoder = JSONDecoder()
        if let form = try? decoder.decode(Form.self, from: Data(bytes)), form.version != 1 {
            throw KeySourceError(.unavailable, "\(path) was written by another version of Keyway (\(form.version)).")
        }
        guard let record = try? decoder.decode(KeyRecord.self, from: Data(bytes)) else {
            throw KeySourceError(.unavailable, "\(path) is damaged.")
        }
        return record
    }

    /// What every version of the file has.
    private struct Form: Decodable {
        let version: Int
    }

    /// Writes the record into `folder`.
    func write(in folder: String) throws(KeySourceError) {
        guard let bytes = try? JSONEncoder().encode(self) else {
            throw KeySourceError(.unavailable, "Couldn't write the record of the store key.")
        }
        try [UInt8](bytes).lend { (bytes) throws(KeySourceError) in
            try KeyFile.replace("\(folder)/store-key.json", with: bytes)
        }
    }
}
