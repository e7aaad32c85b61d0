extension ASImportableCredential {
    /// A postal address; `address` in the exchange format.
    public struct Address: Codable, Hashable, Sendable {
        /// Street and number, lines apart by a line feed.
        public var streetAddress: ASImportableEditableField?
        /// The postal code.
        public var postalCode: ASImportableEditableField?
        /// The city.
        public var city: ASImportableEditableField?
        /// State or province, as an ISO 3166-2 code with the country: `US-CA`.
        public var territory: ASImportableEditableField?
        /// The country, as an ISO 3166-1 alpha-2 code: `GB`.
        public var country: ASImportableEditableField?
        /// The telephone number.
        public var telephone: ASImportableEditableField?

        /// A postal address, of its parts.
        public init(
            streetAddress: ASImportableEditableField?,
            postalCode: ASImportableEditableField?,
            city: ASImportableEditableField?,
            territory: ASImportableEditableField?,
            country: ASImportableEditableField?,
            telephone: ASImportableEditableField?
        ) {
            self.streetAddress = streetAddress
            self.postalCode = postalCode
            self.city = city
            self.territory = territory
            self.country = country
            self.telephone = telephone
        }

        private enum CodingKeys: String, CodingKey {
            case telephone = "tel"
            case streetAddress, postalCode, city, territory, country
        }
    }
}
