package import AutoFillWire
package import FoundationEssentials

/// What a relying party says of credentials (`ASCredentialDataManager`; WebAuthn Level 3, section 5.1.10).
package enum CredentialReport: Codable, Hashable, Sendable {
    /// An account has another name now.
    case passkeyUpdated(relyingParty: String, userHandle: Data, newName: String)
    /// The relying party does not know this passkey.
    case passkeyUnknown(relyingParty: String, credentialID: Data)
    /// These are all that the relying party accepts for the account.
    case passkeysAccepted(relyingParty: String, userHandle: Data, credentialIDs: [Data])
    /// The account has no password any more.
    case passwordUnused(domain: String, userName: String)
}

/// Tells every enabled provider that takes such reports. Whether anybody acts on it is told to nobody.
package enum ReportCredential: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// What is told.
        package let report: CredentialReport
        /// The page that tells it; from a browser always, and then it tells of its own relying parties alone.
        package let services: [ServiceIdentifier]?
        /// Whether the page is in a private window: then nothing of this is remembered.
        package let isPrivate: Bool?

        /// Tells `report`.
        package init(report: CredentialReport, services: [ServiceIdentifier]? = nil, isPrivate: Bool? = nil) {
            self.report = report
            self.services = services
            self.isPrivate = isPrivate
        }
    }

    package static let name = "credentials.report"
    package static let callers: Set<Role> = [.terminal, .browser, .application]
}
