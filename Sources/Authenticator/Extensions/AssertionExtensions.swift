import WebAuthnValues

extension AssertionInputs {
    /// Checks what can only be said beside the allow list.
    ///
    /// - Throws: `notSupported` for inputs by credential without an allow list, and for writing a blob to other than
    ///   exactly one allowed passkey; `syntax` for inputs of a credential that is not allowed.
    func check(allowed: [[UInt8]]) throws(AuthenticatorError) {
        if let identifiers = prf?.byCredential.map({ Array($0.credentialID) }), !identifiers.isEmpty {
            guard !allowed.isEmpty else {
                throw AuthenticatorError(.notSupported, "prf: evalByCredential without allowCredentials")
            }
            guard Set(identifiers).isSubset(of: allowed) else {
                throw AuthenticatorError(.syntax, "prf: evalByCredential names a credential that is not allowed")
            }
        }
        if case .write = largeBlob, allowed.count != 1 {
            throw AuthenticatorError(.notSupported, "largeBlob: write with \(allowed.count) allowed credentials")
        }
    }
}
