package import KeywayCrypto
package import WebAuthnValues

/// What signing in came to.
package struct Assertion: Sendable {
    /// The ID of the passkey.
    package let identifier: [UInt8]
    /// What the relying party calls the account.
    package let userHandle: [UInt8]
    /// The authenticator data, which is signed.
    package let authenticatorData: [UInt8]
    /// The signature over authenticator data and client data hash.
    package let signature: [UInt8]
    /// What extensions answer.
    package let extensions: AssertionOutputs<SecretBytes>
    /// What the caller stores as the passkey's new blob before it answers; nil for no change.
    package let newLargeBlob: SecretBytes?

    /// Makes an answer; extensions are evaluated only now, when the signature is there.
    init(
        identifier: [UInt8], userHandle: [UInt8], authenticatorData: [UInt8], signature: [UInt8],
        extensions inputs: AssertionInputs<SecretBytes>, of passkey: Passkey
    ) {
        self.identifier = identifier
        self.userHandle = userHandle
        self.authenticatorData = authenticatorData
        self.signature = signature
        var largeBlob: AssertionOutputs<SecretBytes>.LargeBlob?
        var newLargeBlob: SecretBytes?
        switch inputs.largeBlob {
        case .read:
            largeBlob = .read(passkey.largeBlob)
        case .write(let blob):
            if blob.count <= Passkey.largestBlob { newLargeBlob = blob }
            largeBlob = .wrote(newLargeBlob != nil)
        case nil:
            break
        }
        self.newLargeBlob = newLargeBlob
        let prf = inputs.prf?.values(for: identifier).flatMap { values in
            passkey.pseudoRandomSecret.map { PRFOutputs(of: $0, at: values) }
        }
        extensions = AssertionOutputs(largeBlob: largeBlob, prf: prf)
    }
}
