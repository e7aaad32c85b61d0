public import Foundation

extension ASImportableCredential {
    /// A section of fields that the person made up; `custom-fields` in the exchange format.
    public struct CustomFields: Codable, Hashable, Sendable {
        /// What tells the section from others; at most 64 bytes.
        public var id: Data?
        /// The name of the section.
        public var label: String?
        /// The fields, in their order.
        public var fields: [ASImportableEditableField]

        /// A section with its fields.
        public init(id: Data?, label: String?, fields: [ASImportableEditableField]) {
            self.id = id
            self.label = label
            self.fields = fields
        }

        // MARK: Coding

        private enum CodingKeys: CodingKey {
            case id, label, fields
        }

        /// Reads custom fields of the exchange format.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.bytesIfPresent(forKey: .id)
            label = try container.decodeIfPresent(String.self, forKey: .label)
            fields = try container.list(forKey: .fields)
        }

        /// Writes custom fields of the exchange format.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(bytes: id, forKey: .id)
            try container.encodeIfPresent(label, forKey: .label)
            try container.encode(fields, forKey: .fields)
        }
    }
}
