package import AutoFillProtocol
package import AutoFillWire
package import FoundationEssentials

/// The passkeys of a relying party.
package enum FindPasskeys: RemoteMethod {
    package typealias Result = MatchItems.Result

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
}

/// A signature with a passkey. The private key stays in the service.
package enum SignWithPasskey: RemoteMethod {
    package typealias Result = PasskeyAssertionCredential

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
}

/// A new passkey, stored before the answer.
package enum MakePasskey: RemoteMethod {
    package typealias Result = PasskeyRegistrationCredential

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
}

/// What a site says of its credentials. Nothing is destroyed for it.
package enum HearReport: RemoteMethod {
    package typealias Result = Nothing

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
}

/// Takes back what a site reported of an item.
package enum RestoreItem: RemoteMethod {
    package typealias Parameters = RemoveItem.Parameters
    package typealias Result = AddItem.Result

    package static let name = "items.restore"
    package static let callers: Set<Role> = [.serviceClient]
}
