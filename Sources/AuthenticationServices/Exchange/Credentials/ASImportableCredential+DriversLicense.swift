extension ASImportableCredential {
    /// A licence to drive; `drivers-license` in the exchange format.
    public struct DriversLicense: Codable, Hashable, Sendable {
        /// The name of the person.
        public var fullName: ASImportableEditableField?
        /// The day of birth.
        public var birthDate: ASImportableEditableField?
        /// The day on which it was issued.
        public var issueDate: ASImportableEditableField?
        /// The last day on which it is valid.
        public var expiryDate: ASImportableEditableField?
        /// Who issued it.
        public var issuingAuthority: ASImportableEditableField?
        /// State or province, as an ISO 3166-2 code with the country: `US-CA`.
        public var territory: ASImportableEditableField?
        /// The country, as an ISO 3166-1 alpha-2 code: `GB`.
        public var country: ASImportableEditableField?
        /// The number of the licence.
        public var licenseNumber: ASImportableEditableField?
        /// What may be driven.
        public var licenseClass: ASImportableEditableField?

        /// A licence to drive, of its parts.
        public init(
            fullName: ASImportableEditableField?,
            birthDate: ASImportableEditableField?,
            issueDate: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?,
            issuingAuthority: ASImportableEditableField?,
            territory: ASImportableEditableField?,
            country: ASImportableEditableField?,
            licenseNumber: ASImportableEditableField?,
            licenseClass: ASImportableEditableField?
        ) {
            self.fullName = fullName
            self.birthDate = birthDate
            self.issueDate = issueDate
            self.expiryDate = expiryDate
            self.issuingAuthority = issuingAuthority
            self.territory = territory
            self.country = country
            self.licenseNumber = licenseNumber
            self.licenseClass = licenseClass
        }
    }
}
