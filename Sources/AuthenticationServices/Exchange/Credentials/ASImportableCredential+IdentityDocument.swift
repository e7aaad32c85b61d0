extension ASImportableCredential {
    /// An identity card or the like; `identity-document` in the exchange format.
    public struct IdentityDocument: Codable, Hashable, Sendable {
        /// The country that issued it, as an ISO 3166-1 alpha-2 code.
        public var issuingCountry: ASImportableEditableField?
        /// The number of the document.
        public var documentNumber: ASImportableEditableField?
        /// The number by which the country knows the person.
        public var identificationNumber: ASImportableEditableField?
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

        /// An identity card or the like, of its parts.
        public init(
            issuingCountry: ASImportableEditableField?,
            documentNumber: ASImportableEditableField?,
            identificationNumber: ASImportableEditableField?,
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
            self.documentNumber = documentNumber
            self.identificationNumber = identificationNumber
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
