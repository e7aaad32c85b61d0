package import FoundationEssentials
import KeywayCrypto
package import WebAuthnValues

/// The JSON that pages send for extensions (`AuthenticationExtensionsClientInputsJSON`). Members that we do not know, at
/// any depth, are not looked at.
private struct InputsJSON: Decodable {
    struct Values: Decodable {
        let first: String
        let second: String?

        func values() throws(AuthenticatorError) -> PRFValues {
            let first = try bytes(of: first, "prf: first")
            guard let second else { return PRFValues(first: first) }
            return PRFValues(first: first, second: try bytes(of: second, "prf: second"))
        }

        private func bytes(of text: String, _ field: String) throws(AuthenticatorError) -> Data {
            guard let bytes = Base64URL.bytes(of: text) else {
                throw AuthenticatorError(.invalidRequest, "\(field) is no base64url")
            }
            return Data(bytes)
        }
    }

    struct PseudoRandom: Decodable {
        let eval: Values?
        let evalByCredential: [String: Values]?
    }

    struct LargeBlob: Decodable {
        let support: String?
        let read: Bool?
        let write: String?
    }

    let credProps: Bool?
    let prf: PseudoRandom?
    let largeBlob: LargeBlob?

    static func read(_ json: Data) throws(AuthenticatorError) -> InputsJSON {
        do {
            return try JSONDecoder().decode(InputsJSON.self, from: json)
        } catch {
            // The decoder's own error quotes what it read.
            throw AuthenticatorError(.invalidRequest, "inputs of extensions")
        }
    }
}

extension RegistrationInputs {
    /// Reads what a page sent with a registration.
    ///
    /// - Throws: `invalidRequest` for another JSON than WebAuthn's; `notSupported` for what only signing in can ask.
    package init(json: Data) throws(AuthenticatorError) {
        let inputs = try InputsJSON.read(json)
        guard inputs.prf?.evalByCredential == nil else {
            throw AuthenticatorError(.notSupported, "prf: evalByCredential at a registration")
        }
        guard inputs.largeBlob?.read == nil, inputs.largeBlob?.write == nil else {
            throw AuthenticatorError(.notSupported, "largeBlob: read or write at a registration")
        }
        var prf: PRFRegistrationInput?
        if let asked = inputs.prf {
            var values: PRFValues?
            if let stated = asked.eval { values = try stated.values() }
            prf = PRFRegistrationInput(values: values)
        }
        // Required or preferred, we have it; another word is `preferred`.
        let largeBlob = inputs.largeBlob.map { $0.support.flatMap(LargeBlob.init(rawValue:)) ?? .preferred }
        self.init(credProps: inputs.credProps == true ? true : nil, largeBlob: largeBlob, prf: prf)
    }
}

extension AssertionInputs<SecretBytes> {
    /// Reads what a page sent with signing in.
    ///
    /// - Throws: `invalidRequest` for another JSON than WebAuthn's; `notSupported` for what only a registration can ask,
    ///   and for reading and writing at once; `syntax` for a credential ID that is none.
    package init(json: Data) throws(AuthenticatorError) {
        let inputs = try InputsJSON.read(json)
        self.init(largeBlob: try Self.largeBlob(inputs.largeBlob), prf: try Self.prf(inputs.prf))
    }

    private static func prf(_ inputs: InputsJSON.PseudoRandom?) throws(AuthenticatorError) -> PRFAssertionInput? {
        guard let inputs else { return nil }
        var byCredential: [PRFCredentialValues] = []
        for (name, stated) in inputs.evalByCredential ?? [:] {
            guard let identifier = Base64URL.bytes(of: name), !identifier.isEmpty else {
                throw AuthenticatorError(.syntax, "prf: evalByCredential has a key that is no credential ID")
            }
            byCredential.append(
                PRFCredentialValues(credentialID: Data(identifier), values: try stated.values()))
        }
        var general: PRFValues?
        if let stated = inputs.eval { general = try stated.values() }
        return PRFAssertionInput(values: general, byCredential: byCredential)
    }

    private static func largeBlob(_ inputs: InputsJSON.LargeBlob?) throws(AuthenticatorError) -> LargeBlob? {
        guard let inputs else { return nil }
        guard inputs.support == nil else {
            throw AuthenticatorError(.notSupported, "largeBlob: support outside of a registration")
        }
        switch (inputs.read, inputs.write) {
        case (.some, .some):
            throw AuthenticatorError(.notSupported, "largeBlob: read and write at once")
        case (nil, .some(let text)):
            guard let bytes = Base64URL.bytes(of: text) else {
                throw AuthenticatorError(.invalidRequest, "largeBlob: write is no base64url")
            }
            return .write(SecretBytes(copying: bytes))
        case (true, nil):
            return .read
        default:
            return nil
        }
    }
}
