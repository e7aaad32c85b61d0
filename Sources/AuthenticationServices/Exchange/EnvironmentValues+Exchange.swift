extension EnvironmentValues {
    /// Hands the credentials of this manager to another one.
    public var credentialExportManager: ASCredentialExportManager { ASCredentialExportManager() }

    /// Takes over the credentials of another manager.
    public var credentialImportManager: ASCredentialImportManager { ASCredentialImportManager() }
}
