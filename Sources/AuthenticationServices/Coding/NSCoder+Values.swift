import Foundation

/// Values of Swift in archives of Foundation. Reading gives nil for what is missing and for what is something else.
extension NSCoder {
    func encode(text: String?, forKey key: String) {
        encode(text.map { $0 as NSString }, forKey: key)
    }

    func decodeText(forKey key: String) -> String? {
        decodeObject(of: NSString.self, forKey: key) as String?
    }

    func encode(data: Data?, forKey key: String) {
        encode(data.map { $0 as NSData }, forKey: key)
    }

    func decodeData(forKey key: String) -> Data? {
        decodeObject(of: NSData.self, forKey: key).map { Data(referencing: $0) }
    }

    /// Writes `value` as a property list of its own.
    func encode(propertyList value: (some Encodable)?, forKey key: String) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // An array around it: a property list has no bare number or text at its top.
        encode(data: value.flatMap { try? encoder.encode([$0]) }, forKey: key)
    }

    func decodePropertyList<Value: Decodable>(_ type: Value.Type, forKey key: String) -> Value? {
        decodeData(forKey: key).flatMap { try? PropertyListDecoder().decode([Value].self, from: $0).first }
    }
}
