extension ASImportableCredential {
    /// A name, in its parts; `person-name` in the exchange format.
    public struct PersonName: Codable, Hashable, Sendable {
        /// Before the name: `Dr.`.
        public var title: ASImportableEditableField?
        /// The given name.
        public var given: ASImportableEditableField?
        /// How friends call the person.
        public var givenInformal: ASImportableEditableField?
        /// Further given names.
        public var given2: ASImportableEditableField?
        /// Between the names: `van der`.
        public var surnamePrefix: ASImportableEditableField?
        /// The surname.
        public var surname: ASImportableEditableField?
        /// A second surname.
        public var surname2: ASImportableEditableField?
        /// Degrees, after the name.
        public var credentials: ASImportableEditableField?
        /// After the name: `Jr.`.
        public var generation: ASImportableEditableField?

        /// A name, in its parts, of its parts.
        public init(
            title: ASImportableEditableField?,
            given: ASImportableEditableField?,
            givenInformal: ASImportableEditableField?,
            given2: ASImportableEditableField?,
            surnamePrefix: ASImportableEditableField?,
            surname: ASImportableEditableField?,
            surname2: ASImportableEditableField?,
            credentials: ASImportableEditableField?,
            generation: ASImportableEditableField?
        ) {
            self.title = title
            self.given = given
            self.givenInformal = givenInformal
            self.given2 = given2
            self.surnamePrefix = surnamePrefix
            self.surname = surname
            self.surname2 = surname2
            self.credentials = credentials
            self.generation = generation
        }
    }
}
