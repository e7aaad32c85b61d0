/// Hands the credentials of this manager to another one.
///
/// An export is two calls on the same manager: ``requestExport(for:)`` asks the person where to, and
/// ``exportCredentials(_:)`` hands over. Nothing takes credentials over yet, so both end in
/// `ASAuthorizationError.credentialExport`.
public class ASCredentialExportManager {
    /// What both sides agreed on.
    public struct ExportOptions: Codable, Hashable, Sendable {
        /// The version of the format that the data is to be written for.
        public let formatVersion: ASExportedCredentialData.FormatVersion
    }

    init() {}

    /// A manager that asks the person over the window `presentationAnchor`.
    public convenience init(presentationAnchor: ASPresentationAnchor) {
        self.init()
    }

    /// Asks the person which manager is to have the credentials.
    ///
    /// `extensionBundleIdentifier` is the exporting application's own extension; nil where it has only one. Throws
    /// `ASAuthorizationError.credentialExport`.
    public nonisolated(nonsending) func requestExport(
        for extensionBundleIdentifier: String? = nil
    ) async throws -> ASCredentialExportManager.ExportOptions {
        throw ASAuthorizationError.notServed(.credentialExport, "Nothing takes credentials over yet.")
    }

    /// Hands `credentialData` over. Throws `ASAuthorizationError.credentialExport`.
    public nonisolated(nonsending) func exportCredentials(_ credentialData: ASExportedCredentialData) async throws {
        throw ASAuthorizationError.notServed(.credentialExport, "Nothing takes credentials over yet.")
    }
}
