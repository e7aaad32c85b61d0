public import Foundation

/// What one credential manager hands to another: accounts with all that is in them.
///
/// As JSON it is the header of the Credential Exchange Format 1.0; set the coder's dates to `.secondsSince1970`.
public struct ASExportedCredentialData: Codable, Hashable, Sendable {
    /// The versions of the format that both sides can agree on.
    public enum FormatVersion: String, Codable, Hashable, Sendable {
        /// Version 1.0.
        case v1 = "1.0"
    }

    /// The accounts of the person at the exporting manager.
    public var accounts: [ASImportableAccount]
    /// The version that the data is written for.
    public let formatVersion: ASExportedCredentialData.FormatVersion
    /// The domain of the exporting manager.
    public let exporterRelyingPartyIdentifier: String
    /// The name of the exporting manager, for people.
    public let exporterDisplayName: String
    /// When the data was put together.
    public let timestamp: Date

    /// What the manager `exporterDisplayName` exports.
    public init(
        accounts: [ASImportableAccount], formatVersion: ASExportedCredentialData.FormatVersion,
        exporterRelyingPartyIdentifier: String, exporterDisplayName: String, timestamp: Date
    ) {
        self.accounts = accounts
        self.formatVersion = formatVersion
        self.exporterRelyingPartyIdentifier = exporterRelyingPartyIdentifier
        self.exporterDisplayName = exporterDisplayName
        self.timestamp = timestamp
    }

    // MARK: Coding

    private enum CodingKeys: String, CodingKey {
        case version, timestamp, accounts, exporterDisplayName
        case exporterRelyingPartyIdentifier = "exporterRpId"
    }

    private struct Version: Codable {
        var major: UInt8
        var minor: UInt8
    }

    /// Reads a header. A minor version that is not known only adds; another major version is an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(Version.self, forKey: .version).major == 1 else {
            throw container.corrupted(.version, "a version of the format that is not known")
        }
        formatVersion = .v1
        accounts = try container.list(forKey: .accounts)
        exporterRelyingPartyIdentifier = try container.decode(String.self, forKey: .exporterRelyingPartyIdentifier)
        exporterDisplayName = try container.decode(String.self, forKey: .exporterDisplayName)
        timestamp = try container.decode(Date.self, forKey: .timestamp)
    }

    /// Writes a header.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch formatVersion {
        case .v1: try container.encode(Version(major: 1, minor: 0), forKey: .version)
        }
        try container.encode(exporterRelyingPartyIdentifier, forKey: .exporterRelyingPartyIdentifier)
        try container.encode(exporterDisplayName, forKey: .exporterDisplayName)
        try container.encode(timestamp, forKey: .timestamp)
        try container.encode(accounts, forKey: .accounts)
    }
}
