import Foundation

/// What a request says of largeBlob, for an archive.
struct CodedLargeBlob: Codable {
    private var isRequired: Bool?
    private var isRead: Bool?
    private var written: Data?

    init(registration input: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput) {
        isRequired = input.supportRequirement == .required
    }

    init(assertion input: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput) {
        switch input.operation {
        case .read: isRead = true
        case .write(let data): written = data
        }
    }

    var registration: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput? {
        isRequired.map { $0 ? .supportRequired : .supportPreferred }
    }

    var assertion: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput? {
        written.map { .write($0) } ?? (isRead == true ? .read : nil)
    }
}

/// What a request says of PRF, for an archive: each pair of salts as a list of one or two.
struct CodedPRF: Codable {
    private var salts: [Data]?
    private var saltsOfCredentials: [Data: [Data]]?

    init(registration input: ASAuthorizationPublicKeyCredentialPRFRegistrationInput) {
        salts = input.inputValues.map(Self.list(of:))
    }

    init(assertion input: ASAuthorizationPublicKeyCredentialPRFAssertionInput) {
        salts = input.inputValues.map(Self.list(of:))
        saltsOfCredentials = input.perCredentialInputValues?.mapValues(Self.list(of:))
    }

    var registration: ASAuthorizationPublicKeyCredentialPRFRegistrationInput? {
        guard let salts else { return .checkForSupport }
        return Self.values(of: salts).map { .inputValues($0) }
    }

    var assertion: ASAuthorizationPublicKeyCredentialPRFAssertionInput? {
        let general = salts.flatMap(Self.values(of:))
        let special = saltsOfCredentials?.compactMapValues(Self.values(of:))
        if let general { return .inputValues(general, perCredentialInputValues: special) }
        return special.map { .perCredentialInputValues($0) }
    }

    private static func list(
        of values: ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues
    ) -> [Data] {
        [values.saltInput1] + (values.saltInput2.map { [$0] } ?? [])
    }

    private static func values(
        of salts: [Data]
    ) -> ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues? {
        salts.first.map { .init(saltInput1: $0, saltInput2: salts.dropFirst().first) }
    }
}
