public import Foundation

/// A value that the person typed or may change, with its kind.
public struct ASImportableEditableField: Codable, Hashable, Sendable {
    /// What a value is; whatever it is, it is written as text.
    public enum FieldType: String, Codable, Hashable, Sendable {
        /// `true` or `false`.
        case boolean
        /// Text that is not shown unless the person asks.
        case concealedString = "concealed-string"
        /// A country, as an ISO 3166-1 alpha-2 code.
        case countryCode = "country-code"
        /// A day: `2029-04-30`.
        case date
        /// An address for mail.
        case email
        /// A number.
        case number
        /// Text.
        case string
        /// A part of a country, as an ISO 3166-2 code.
        case subdivisionCode = "subdivision-code"
        /// How a wireless network is secured: `wpa2-personal` and the like.
        case wifiNetworkSecurityType = "wifi-network-security-type"
        /// A month: `2029-04`.
        case yearMonth = "year-month"
    }

    /// What tells the field from others; at most 64 bytes.
    public var id: Data?
    /// What the value is.
    public var fieldType: FieldType
    /// The value.
    public var value: String
    /// What the field is called, where its place does not say it.
    public var label: String?

    /// A value of a kind.
    public init(id: Data?, fieldType: FieldType, value: String, label: String? = nil) {
        self.id = id
        self.fieldType = fieldType
        self.value = value
        self.label = label
    }

    // MARK: Coding

    private enum CodingKeys: CodingKey {
        case id, fieldType, value, label
    }

    /// Reads a field of the exchange format. A kind that is not known is read as concealed text: nothing is lost, and
    /// nothing is shown that should not be.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.bytesIfPresent(forKey: .id)
        fieldType = FieldType(rawValue: try container.decode(String.self, forKey: .fieldType)) ?? .concealedString
        value = try container.decode(String.self, forKey: .value)
        label = try container.decodeIfPresent(String.self, forKey: .label)
    }

    /// Writes a field of the exchange format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(bytes: id, forKey: .id)
        try container.encode(fieldType, forKey: .fieldType)
        try container.encode(value, forKey: .value)
        try container.encodeIfPresent(label, forKey: .label)
    }
}
