package import AutoFillProtocol
package import AutoFillWire
import FoundationEssentials
package import PasswordsProtocol

extension FindPasskeys: DocumentedMethod {
    package static let summary = "The passkeys of a relying party that are not hidden, by user name; no key is opened."
    package static var sample: (parameters: Parameters, result: MatchItems.Result) {
        (Parameters(relyingParty: "example.com"), MatchItems.Result(items: [.samplePasskey]))
    }
}

extension SignWithPasskey: DocumentedMethod {
    package static let summary =
        "A signature with a passkey, for the provider's extension alone; `notVerified` where the person must be verified."
    package static var sample: (parameters: Parameters, result: PasskeyAssertionCredential) {
        (
            Parameters(
                item: ItemSummary.samplePasskey.id,
                request: PasskeyRequestParameters(
                    relyingParty: "example.com",
                    assertion: PasskeyAssertion(clientDataHash: Data([2]), userVerification: .preferred),
                    isPersonVerified: true)),
            PasskeyAssertionCredential(
                userHandle: Data([1]), relyingParty: "example.com", signature: Data([5]), clientDataHash: Data([2]),
                authenticatorData: Data([4]), credentialID: Data([3]), extensions: nil)
        )
    }
}

extension MakePasskey: DocumentedMethod {
    package static let summary =
        "Makes and stores a passkey, for the provider's extension alone; `exists` where an excluded one is there."
    package static var sample: (parameters: Parameters, result: PasskeyRegistrationCredential) {
        (
            Parameters(
                registration: PasskeyRegistration(
                    relyingParty: "example.com", userName: "ada", userHandle: Data([1]), clientDataHash: Data([2]),
                    userVerification: .preferred, algorithms: [-7], isPersonVerified: true),
                isConditional: false),
            PasskeyRegistrationCredential(
                relyingParty: "example.com", clientDataHash: Data([2]), credentialID: Data([3]),
                attestationObject: Data([4]), extensions: nil)
        )
    }
}

extension HearReport: DocumentedMethod {
    package static let summary =
        "Renames, hides or offers again what a site reports, for the provider's extension alone; the answer says nothing."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(report: .passkeyUnknown(relyingParty: "example.com", credentialID: Data([3]))), Nothing())
    }
}

extension RestoreItem: DocumentedMethod {
    package static let summary =
        "Offers an item again that a site reported, or else gives a passkey back the name that its site replaced."
    package static var sample: (parameters: RemoveItem.Parameters, result: AddItem.Result) {
        (RemoveItem.Parameters(item: ItemName("Example")), AddItem.Result(item: .sample))
    }
}
