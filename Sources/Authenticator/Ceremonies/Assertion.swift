package import KeywayCrypto

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
    package let extensions: AssertionExtensionOutputs
    /// What the caller stores as the passkey's new blob before it answers; nil for no change.
    package let newLargeBlob: SecretBytes?

    /// Makes an answer; extensions are evaluated only now, when the signature is there.
    init(
        identifier: [UInt8], userHandle: [UInt8], authenticatorData: [UInt8], signature: [UInt8],
        extensions inputs: AssertionExtensions, of passkey: Passkey
    ) {
        self.identifier = identifier
        self.userHandle = userHandle
        self.authenticatorData = authenticatorData
        self.signature = signature
        var largeBlob: AssertionExtensionOutputs.LargeBlob?
        var newLargeBlob: SecretBytes?
        switch inputs.largeBlob {
        case .read:
            largeBlob = .read(passkey.largeBlob)
        case .write(let blob):
            if blob.count <= AssertionExtensions.largestBlob { newLargeBlob = blob }
            largeBlob = .written(newLargeBlob != nil)
        case nil:
            break
        }
        self.newLargeBlob = newLargeBlob
        let pseudoRandom = inputs.pseudoRandom.map { prf in
            AssertionExtensionOutputs.PseudoRandom(
                results: prf.salts(for: identifier).flatMap { salts in
                    passkey.pseudoRandomSecret.map { PseudoRandomResults(of: $0, at: salts) }
                })
        }
        extensions = AssertionExtensionOutputs(pseudoRandom: pseudoRandom, largeBlob: largeBlob)
    }
}
