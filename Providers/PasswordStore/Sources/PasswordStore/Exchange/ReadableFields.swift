import AuthenticationServices

/// Credentials that a password store has no kind for, as lines that people read.
struct ReadableFields {
    /// What the credential is called.
    let kind: String
    /// Its members, by names for people; those without a value are among them.
    let values: [(name: String, value: String?)]

    /// The lines of a credential; nil for one that has a place of its own, or none.
    init?(_ credential: ASImportableCredential) {
        switch credential {
        case .creditCard(let card): self.init(card)
        case .address(let address): self.init(address)
        case .personName(let name): self.init(name)
        case .driversLicense(let licence): self.init(licence)
        case .identityDocument(let document): self.init(document)
        case .passport(let passport): self.init(passport)
        case .apiKey(let key):
            self.init(
                "API key",
                [
                    ("key", key.key), ("user of the key", key.userName), ("kind of key", key.keyType),
                    ("address of the key", key.url), ("valid from", key.validFrom), ("expires", key.expiryDate),
                ])
        case .wifi(let network):
            self.init(
                "wireless network",
                [
                    ("network", network.ssid), ("security", network.networkSecurityType),
                    ("passphrase", network.passphrase), ("hidden", network.hidden),
                ])
        case .sshKey(let key):
            self.init(
                kind: "SSH key",
                values: [
                    ("SSH key", key.keyType), ("private key (PKCS #8)", key.privateKey.base64EncodedString()),
                    ("comment", key.keyComment), ("created", key.creationDate?.value),
                    ("expires", key.expiryDate?.value),
                    ("made by", key.keyGenerationSource?.value),
                ])
        default: return nil
        }
    }

    private init(kind: String, values: [(name: String, value: String?)]) {
        self.kind = kind
        self.values = values
    }

    private init(_ kind: String, _ fields: [(String, ASImportableEditableField?)]) {
        self.init(kind: kind, values: fields.map { ($0, $1?.value) })
    }

    private init(_ card: ASImportableCredential.CreditCard) {
        self.init(
            "card",
            [
                ("card number", card.number), ("name on card", card.fullName), ("card brand", card.cardType),
                ("security code", card.verificationNumber), ("PIN", card.pin), ("expires", card.expiryDate),
                ("valid from", card.validFrom),
            ])
    }

    private init(_ address: ASImportableCredential.Address) {
        self.init(
            "address",
            [
                ("street", address.streetAddress), ("postal code", address.postalCode), ("city", address.city),
                ("territory", address.territory), ("country", address.country), ("telephone", address.telephone),
            ])
    }

    private init(_ name: ASImportableCredential.PersonName) {
        self.init(
            "name",
            [
                ("name title", name.title), ("given name", name.given), ("called", name.givenInformal),
                ("second given name", name.given2), ("surname prefix", name.surnamePrefix), ("surname", name.surname),
                ("second surname", name.surname2), ("degrees", name.credentials), ("generation", name.generation),
            ])
    }

    private init(_ licence: ASImportableCredential.DriversLicense) {
        self.init(
            "driving licence",
            [
                ("name", licence.fullName), ("born", licence.birthDate), ("issued", licence.issueDate),
                ("expires", licence.expiryDate), ("issued by", licence.issuingAuthority),
                ("territory", licence.territory), ("country", licence.country),
                ("licence number", licence.licenseNumber), ("licence class", licence.licenseClass),
            ])
    }

    private init(_ document: ASImportableCredential.IdentityDocument) {
        self.init(
            "identity document",
            [
                ("country", document.issuingCountry), ("document number", document.documentNumber),
                ("identification number", document.identificationNumber), ("nationality", document.nationality),
                ("name", document.fullName), ("born", document.birthDate), ("place of birth", document.birthPlace),
                ("sex", document.sex), ("issued", document.issueDate), ("expires", document.expiryDate),
                ("issued by", document.issuingAuthority),
            ])
    }

    private init(_ passport: ASImportableCredential.Passport) {
        self.init(
            "passport",
            [
                ("country", passport.issuingCountry), ("kind of passport", passport.passportType),
                ("passport number", passport.passportNumber),
                ("national identification number", passport.nationalIdentificationNumber),
                ("nationality", passport.nationality), ("name", passport.fullName), ("born", passport.birthDate),
                ("place of birth", passport.birthPlace), ("sex", passport.sex), ("issued", passport.issueDate),
                ("expires", passport.expiryDate), ("issued by", passport.issuingAuthority),
            ])
    }
}
