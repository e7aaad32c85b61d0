package import AutoFillProtocol
package import AutoFillWire
import FoundationEssentials
import WebAuthnValues

extension PasskeySupport: DocumentedMethod {
    package static let summary = "Whether there is anybody for passkeys here, and what they can do."
    package static var sample: (parameters: Nothing, result: Result) {
        (Nothing(), Result(isAvailable: true, canVerify: true, makesInBackground: false))
    }
}

extension RegisterPasskey: DocumentedMethod {
    package static let summary = "A new passkey, kept by one provider; conditional ones never ask anybody."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(registration: .sample, provider: nil, isConditional: false, presents: true),
            Result(credential: .sample, provider: .sample)
        )
    }
}

extension PasskeyRegistration {
    static let sample = PasskeyRegistration(
        relyingParty: "example.com", userName: "ada", userHandle: Data([1]), clientDataHash: Data([2]),
        userVerification: .preferred, algorithms: [-7])
}

extension PasskeyRegistrationCredential {
    static let sample = PasskeyRegistrationCredential(
        relyingParty: "example.com", clientDataHash: Data([2]), credentialID: Data([3]), attestationObject: Data([4]),
        extensions: nil)
}
