package import FoundationEssentials
import KeywayCrypto
import WebAuthnValues

/// The JSON that pages send for extensions (`AuthenticationExtensionsClientInputsJSON`). Members that we do not know, at
/// any depth, are not looked at.
private struct InputsJSON: Decodable {
    struct Values: Decodable {
        let first: String
        let second: String?

        func salts() throws(AuthenticatorError) -> PseudoRandomSalts {
            let first = try bytes(of: first, "prf: first")
            guard let second else { return PseudoRandomSalts(hashing: first) }
            return PseudoRandomSalts(hashing: first, try bytes(of: second, "prf: second"))
        }

        private func bytes(of text: String, _ field: String) throws(AuthenticatorError) -> [UInt8] {
            guard let bytes = Base64URL.bytes(of: text) else {
                throw AuthenticatorError(.invalidRequest, "\(field) is no base64url")
            }
            return bytes
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

extension RegistrationExtensions {
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
        var pseudoRandom: PseudoRandom?
        if let prf = inputs.prf {
            pseudoRandom = .support
            if let values = prf.eval { pseudoRandom = .evaluate(try values.salts()) }
        }
        self.init(
            wantsProperties: inputs.credProps == true, pseudoRandom: pseudoRandom,
            wantsLargeBlob: inputs.largeBlob != nil)
    }
}

extension AssertionExtensions {
    /// Reads what a page sent with signing in.
    ///
    /// - Throws: `invalidRequest` for another JSON than WebAuthn's; `notSupported` for what only a registration can ask,
    ///   and for reading and writing at once; `syntax` for a credential ID that is none.
    package init(json: Data) throws(AuthenticatorError) {
        let inputs = try InputsJSON.read(json)
        self.init(pseudoRandom: try Self.pseudoRandom(inputs.prf), largeBlob: try Self.largeBlob(inputs.largeBlob))
    }

    private static func pseudoRandom(_ inputs: InputsJSON.PseudoRandom?) throws(AuthenticatorError) -> PseudoRandom? {
        guard let inputs else { return nil }
        var byCredential: [[UInt8]: PseudoRandomSalts] = [:]
        for (name, values) in inputs.evalByCredential ?? [:] {
            guard let identifier = Base64URL.bytes(of: name), !identifier.isEmpty else {
                throw AuthenticatorError(.syntax, "prf: evalByCredential has a key that is no credential ID")
            }
            byCredential[identifier] = try values.salts()
        }
        var general: PseudoRandomSalts?
        if let values = inputs.eval { general = try values.salts() }
        return PseudoRandom(general, byCredential: byCredential)
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
