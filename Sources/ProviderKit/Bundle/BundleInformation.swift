import FoundationEssentials

/// The `Info.plist` of a bundle that the registry takes, read once more for what the registry ignores.
struct BundleInformation: Sendable {
    private static let capabilityPath = [
        "NSExtension", "NSExtensionAttributes", "ASCredentialProviderExtensionCapabilities",
    ]
    private static let capabilities: Set<String> = [
        "ProvidesPasswords", "ProvidesPasskeys", "ProvidesOneTimeCodes", "ProvidesTextToInsert",
        "ShowsConfigurationUI", "SupportsConditionalPasskeyRegistration", "SupportsCredentialUpdate",
        "SupportsSavePasswordCredentials", "SupportsGeneratePasswordCredentials",
        "SupportsGeneratePasswordCredentialsWithUI", "SupportsCredentialExchange",
        "SupportedCredentialExchangeVersions", "KeywaySetsUpOneTimeCodes",
    ]

    private let root: PropertyValue

    /// Takes the bytes of a property list; one that cannot be read is as good as an empty one.
    init(bytes: [UInt8]) {
        root = (try? PropertyListDecoder().decode(PropertyValue.self, from: Data(bytes))) ?? .dictionary([:])
    }

    /// Keys of the capability dictionary that mean nothing.
    var unknownCapabilities: [String] {
        guard case .dictionary(let declared) = root.value(at: Self.capabilityPath) else { return [] }
        return declared.keys.filter { !Self.capabilities.contains($0) }.sorted()
    }

    /// The text under a key at the top; nil where there is none.
    func text(_ key: String) -> String? {
        guard case .string(let text) = root.value(at: [key]) else { return nil }
        return text
    }

    /// Combinations of capabilities that mean less than they say, in sentences.
    var contradictions: [String] {
        func declares(_ name: String) -> Bool { root.value(at: Self.capabilityPath + [name]) == .bool(true) }
        var found: [String] = []
        if declares("SupportsGeneratePasswordCredentials") && !declares("SupportsSavePasswordCredentials") {
            found.append("SupportsGeneratePasswordCredentials counts only with SupportsSavePasswordCredentials")
        }
        if declares("SupportsConditionalPasskeyRegistration") && !declares("ProvidesPasskeys") {
            found.append("SupportsConditionalPasskeyRegistration counts only with ProvidesPasskeys")
        }
        if declares("KeywaySetsUpOneTimeCodes") && !declares("ProvidesOneTimeCodes") {
            found.append("KeywaySetsUpOneTimeCodes counts only with ProvidesOneTimeCodes")
        }
        return found
    }
}
