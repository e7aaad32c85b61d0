import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywaySystem
import ServiceMatching

/// Bounds on what a client asks, before any provider hears of it.
enum RequestBounds {
    /// The bytes of a SHA-256.
    private static let hashBytes = 32
    private static let maximumCredentials = 1024
    private static let rulesBytes = 4096

    /// Checks what is to be signed.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters`, as all of these do.
    static func check(_ assertion: PasskeyAssertion) throws(ProtocolError) {
        try require(assertion.clientDataHash.count == hashBytes, "The hash of the client data has 32 bytes.")
        try check(credentials: assertion.allowedCredentials)
        if case .write(let blob) = assertion.extensions?.largeBlob { try check(secret: blob, AnswerJudge.textBytes) }
    }

    /// Checks which passkeys a page takes.
    static func check(_ filter: PasskeyFilter) throws(ProtocolError) {
        try check(credentials: filter.allowedCredentials)
    }

    /// Checks a passkey that is wanted.
    static func check(_ passkey: PasskeyRegistration) throws(ProtocolError) {
        try require(passkey.clientDataHash.count == hashBytes, "The hash of the client data has 32 bytes.")
        try check(line: passkey.userName)
        try check(handle: passkey.userHandle)
        try require((1...64).contains(passkey.algorithms.count), "A passkey names 1 to 64 algorithms.")
        try check(credentials: passkey.excludedCredentials)
    }

    /// Checks a password to keep.
    static func check(_ password: PasswordToSave) throws(ProtocolError) {
        try check(secret: password.password, AnswerJudge.passwordBytes)
        for text in [password.user, password.serviceName, password.title, password.session, password.generatedKind] {
            try check(line: text ?? "")
        }
    }

    /// Checks what passwords are wanted.
    static func check(_ passwords: PasswordsToGenerate) throws(ProtocolError) {
        try check(line: passwords.serviceName ?? "")
        for rules in [passwords.passwordRules, passwords.confirmationRules, passwords.quirkRules] {
            try require((rules?.utf8.count ?? 0) <= rulesBytes, "Password rules have \(rulesBytes) bytes at most.")
        }
    }

    /// Checks a report; `suffixes` tell what is a relying party.
    static func check(_ report: CredentialReport, suffixes: PublicSuffixes) throws(ProtocolError) {
        switch report {
        case .passkeyUpdated(let party, let handle, let name):
            try check(party, suffixes)
            try check(handle: handle)
            try check(line: name)
        case .passkeyUnknown(let party, let credential):
            try check(party, suffixes)
            try check(credentials: [credential])
        case .passkeysAccepted(let party, let handle, let credentials):
            try check(party, suffixes)
            try check(handle: handle)
            try check(credentials: credentials)
        case .passwordUnused(let domain, let user):
            let service = ServiceIdentifier(domain, kind: .domain)
            try require(ServiceAddress(service, suffixes: suffixes) != nil, "The domain isn't valid.")
            try check(line: user)
        }
    }

    /// The relying party called that.
    @discardableResult
    static func check(_ identifier: String, _ suffixes: PublicSuffixes) throws(ProtocolError) -> RelyingParty {
        guard let party = RelyingParty(identifier, suffixes: suffixes) else {
            throw ProtocolError(.invalidParameters, "`\(DisplayText.line(identifier))` isn't a relying party.")
        }
        return party
    }

    // MARK: - Parts

    private static func check(line: String) throws(ProtocolError) {
        try require(
            line.utf8.count <= AnswerJudge.lineBytes, "A line of text has \(AnswerJudge.lineBytes) bytes at most.")
    }

    private static func check(handle: Data) throws(ProtocolError) {
        try require((1...AnswerJudge.userHandleBytes).contains(handle.count), "A user handle has 1 to 64 bytes.")
    }

    private static func check(credentials: [Data]) throws(ProtocolError) {
        try require(credentials.count <= maximumCredentials, "At most \(maximumCredentials) credential IDs at a time.")
        try require(
            credentials.allSatisfy { (1...AnswerJudge.credentialIDBytes).contains($0.count) },
            "A credential ID has 1 to 1023 bytes.")
    }

    private static func check(secret: Attachment, _ limit: Int) throws(ProtocolError) {
        try require(try secret.sealedMemory().count <= limit, "The secret is over the limit of \(limit) bytes.")
    }

    private static func require(_ isKept: Bool, _ rule: String) throws(ProtocolError) {
        guard isKept else { throw ProtocolError(.invalidParameters, rule) }
    }
}
