package import AutoFillWire
package import AutoFillProtocol
package import FoundationEssentials

/// The passkeys of a relying party.
package enum FindPasskeys: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The relying party ID.
        package let relyingParty: String
        /// The credential IDs that will do; empty means any.
        package let allowedCredentials: [Data]

        /// Asks for the passkeys of `relyingParty`.
        package init(relyingParty: String, allowedCredentials: [Data] = []) {
            self.relyingParty = relyingParty
            self.allowedCredentials = allowedCredentials
        }
    }

    package static let name = "passkeys.find"
    package static let callers: Set<Role> = [.serviceClient]
    package static let summary = "The passkeys of a relying party that are not hidden, by user name; no key is opened."
    package static var sample: (parameters: Parameters, result: MatchItems.Result) {
        (Parameters(relyingParty: "example.com"), MatchItems.Result(items: [.samplePasskey]))
    }
}

/// A signature with a passkey. The private key stays in the service.
package enum SignWithPasskey: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The identifier of the item.
        package let item: String
        /// What is to be signed, for whom, and whether the person was verified for it.
        package let request: PasskeyRequestParameters

        /// Asks `item` to sign.
        package init(item: String, request: PasskeyRequestParameters) {
            self.item = item
            self.request = request
        }
    }

    package static let name = "passkeys.sign"
    package static let callers: Set<Role> = [.serviceClient]
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

/// A new passkey, stored before the answer.
package enum MakePasskey: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// What is wanted, and whether the person was verified for it.
        package let registration: PasskeyRegistration
        /// Whether nobody was asked: then only beside a password of the same account, and where it has no passkey yet.
        package let isConditional: Bool

        /// Asks for `registration`.
        package init(registration: PasskeyRegistration, isConditional: Bool) {
            self.registration = registration
            self.isConditional = isConditional
        }
    }

    package static let name = "passkeys.make"
    package static let callers: Set<Role> = [.serviceClient]
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

/// What a site says of its credentials. Nothing is destroyed for it.
package enum HearReport: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// What is said.
        package let report: CredentialReport

        /// Passes `report` on.
        package init(report: CredentialReport) {
            self.report = report
        }
    }

    package static let name = "items.report"
    package static let callers: Set<Role> = [.serviceClient]
    package static let summary =
        "Renames, hides or offers again what a site reports, for the provider's extension alone; the answer says nothing."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(report: .passkeyUnknown(relyingParty: "example.com", credentialID: Data([3]))), Nothing())
    }
}

/// Takes back what a site reported of an item.
package enum RestoreItem: RemoteMethod {
    package static let name = "items.restore"
    package static let callers: Set<Role> = [.serviceClient]
    package static let summary =
        "Offers an item again that a site reported, or else gives a passkey back the name that its site replaced."
    package static var sample: (parameters: RemoveItem.Parameters, result: AddItem.Result) {
        (RemoveItem.Parameters(item: ItemName("Example")), AddItem.Result(item: .sample))
    }
}
