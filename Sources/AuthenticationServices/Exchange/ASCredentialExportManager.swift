/// Hands the credentials of this manager to another one.
///
/// An export is two calls on the same manager: ``requestExport(for:)`` asks the person where to, and
/// ``exportCredentials(_:)`` hands over.
public class ASCredentialExportManager {
    /// What both sides agreed on.
    public struct ExportOptions: Codable, Hashable, Sendable {
        /// The version of the format that the data is to be written for.
        public let formatVersion: ASExportedCredentialData.FormatVersion
    }

    private let link: ExchangeLink
    /// What the person agreed to, until the data comes.
    private var agreement: String?

    /// A manager that reaches the broker over `link`.
    init(over link: ExchangeLink = .process) {
        self.link = link
    }

    /// A manager that asks the person over the window `presentationAnchor`.
    public convenience init(presentationAnchor: ASPresentationAnchor) {
        self.init()
    }

    /// Asks the person which manager is to have the credentials, and verifies them.
    ///
    /// `extensionBundleIdentifier` is the exporting application's own extension; nil where it has only one. What was agreed
    /// on counts for one export, and for ten minutes. Throws `ASAuthorizationError` with `credentialExport`, or `canceled`
    /// when the person backed out.
    public nonisolated(nonsending) func requestExport(
        for extensionBundleIdentifier: String? = nil
    ) async throws -> ASCredentialExportManager.ExportOptions {
        agreement = nil
        let (name, version) = try await link.request(extensionBundleIdentifier)
        agreement = name
        return ExportOptions(formatVersion: version)
    }

    /// Hands `credentialData` over, and returns when the other manager is done with it. Without a
    /// ``requestExport(for:)`` before, the person is asked now.
    ///
    /// Throws `ASAuthorizationError` with `credentialExport`, or `canceled` when the person backed out here or in the other
    /// manager.
    public nonisolated(nonsending) func exportCredentials(_ credentialData: ASExportedCredentialData) async throws {
        let name = agreement
        agreement = nil
        try await link.export(credentialData, as: name)
    }
}
