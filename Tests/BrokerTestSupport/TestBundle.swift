import Foundation

/// A bundle in a folder of a test.
package enum TestBundle {
    private static let extensionPoint = "com.apple.authentication-services-credential-provider-ui"

    /// Writes the bundle `name` with both programs, under `root` of `folder`; its list holds `information` too.
    package static func install(
        in folder: TemporaryFolder, _ information: [String: Any] = [:], name: String = "vault",
        root: String = ".local/share"
    ) throws {
        let bundle = "\(root)/keyway/providers/\(name).appex"
        var list: [String: Any] = [
            "CFBundleIdentifier": "test.\(name)", "CFBundleName": name, "CFBundleExecutable": "extension",
            "NSExtension": ["NSExtensionPointIdentifier": extensionPoint],
        ]
        list.merge(information) { $1 }
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        try folder.write(data, to: bundle + "/Info.plist")
        for program in ["extension", "service", "app"] {
            try folder.write("#!/bin/true", to: "\(bundle)/\(program)", mode: 0o755)
        }
    }

    /// Everything that a provider can declare beside codes and text.
    package static let keeps = [
        "ProvidesPasswords", "ProvidesPasskeys", "SupportsConditionalPasskeyRegistration",
        "SupportsSavePasswordCredentials", "SupportsGeneratePasswordCredentials", "SupportsCredentialUpdate",
        "ShowsConfigurationUI",
    ]

    /// An `Info.plist` that declares these capabilities, and `more` by value.
    package static func declares(
        _ capabilities: [String], _ more: [String: Bool] = [:], service: Bool = true
    ) -> [String: Any] {
        var declared = more
        for capability in capabilities { declared[capability] = true }
        var list: [String: Any] = [
            "NSExtension": [
                "NSExtensionPointIdentifier": extensionPoint,
                "NSExtensionAttributes": ["ASCredentialProviderExtensionCapabilities": declared],
            ] as [String: Any]
        ]
        if service { list["KeywayService"] = "service" }
        return list
    }
}
