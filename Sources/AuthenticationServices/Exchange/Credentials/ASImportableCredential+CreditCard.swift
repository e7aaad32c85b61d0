extension ASImportableCredential {
    /// A payment card; `credit-card` in the exchange format.
    public struct CreditCard: Codable, Hashable, Sendable {
        /// The number of the card, concealed.
        public var number: ASImportableEditableField?
        /// The name on the card.
        public var fullName: ASImportableEditableField?
        /// The brand of the card.
        public var cardType: ASImportableEditableField?
        /// The number on the back, concealed.
        public var verificationNumber: ASImportableEditableField?
        /// The number that the person types at a machine, concealed.
        public var pin: ASImportableEditableField?
        /// The last month in which it is valid: `2029-04`.
        public var expiryDate: ASImportableEditableField?
        /// The first month in which it is valid: `2025-04`.
        public var validFrom: ASImportableEditableField?

        /// A payment card, of its parts.
        public init(
            number: ASImportableEditableField?,
            fullName: ASImportableEditableField?,
            cardType: ASImportableEditableField?,
            verificationNumber: ASImportableEditableField?,
            pin: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?,
            validFrom: ASImportableEditableField?
        ) {
            self.number = number
            self.fullName = fullName
            self.cardType = cardType
            self.verificationNumber = verificationNumber
            self.pin = pin
            self.expiryDate = expiryDate
            self.validFrom = validFrom
        }
    }
}
