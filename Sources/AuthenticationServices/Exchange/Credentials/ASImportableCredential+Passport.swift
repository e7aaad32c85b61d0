extension ASImportableCredential {
    /// A passport; `passport` in the exchange format.
    public struct Passport: Codable, Hashable, Sendable {
        /// The country that issued it, as an ISO 3166-1 alpha-2 code.
        public var issuingCountry: ASImportableEditableField?
        /// The type, as ICAO 9303 codes it: `PP`.
        public var passportType: ASImportableEditableField?
        /// The number of the passport.
        public var passportNumber: ASImportableEditableField?
        /// The number by which the country knows the person.
        public var nationalIdentificationNumber: ASImportableEditableField?
        /// The nationality.
        public var nationality: ASImportableEditableField?
        /// The name of the person.
        public var fullName: ASImportableEditableField?
        /// The day of birth.
        public var birthDate: ASImportableEditableField?
        /// The place of birth.
        public var birthPlace: ASImportableEditableField?
        /// The sex, as the document has it.
        public var sex: ASImportableEditableField?
        /// The day on which it was issued.
        public var issueDate: ASImportableEditableField?
        /// The last day on which it is valid.
        public var expiryDate: ASImportableEditableField?
        /// Who issued it.
        public var issuingAuthority: ASImportableEditableField?

        /// A passport, of its parts.
        public init(
            issuingCountry: ASImportableEditableField?,
            passportType: ASImportableEditableField?,
            passportNumber: ASImportableEditableField?,
            nationalIdentificationNumber: ASImportableEditableField?,
            nationality: ASImportableEditableField?,
            fullName: ASImportableEditableField?,
            birthDate: ASImportableEditableField?,
            birthPlace: ASImportableEditableField?,
            sex: ASImportableEditableField?,
            issueDate: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?,
            issuingAuthority: ASImportableEditableField?
        ) {
            self.issuingCountry = issuingCountry
            self.passportType = passportType
            self.passportNumber = passportNumber
            self.nationalIdentificationNumber = nationalIdentificationNumber
            self.nationality = nationality
            self.fullName = fullName
            self.birthDate = birthDate
            self.birthPlace = birthPlace
            self.sex = sex
            self.issueDate = issueDate
            self.expiryDate = expiryDate
            self.issuingAuthority = issuingAuthority
        }
    }
}
