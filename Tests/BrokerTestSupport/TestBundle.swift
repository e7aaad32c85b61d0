import Foundation

/// A bundle in a folder of a test.
package enum TestBundle {
    /// Writes the bundle `name` with both programs, under `root` of `folder`; its list holds `information` too.
    package static func install(
        in folder: TemporaryFolder, _ information: [String: Any] = [:], name: String = "vault",
        root: String = ".local/share"
    ) throws {
        let bundle = "\(root)/keyway/providers/\(name).appex"
        var list: [String: Any] = [
            "CFBundleIdentifier": "test.\(name)", "CFBundleName": name, "CFBundleExecutable": "extension",
            "NSExtension": ["NSExtensionPointIdentifier": "com.apple.authentication-services-credential-provider-ui"],
        ]
        list.merge(information) { $1 }
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        try folder.write(data, to: bundle + "/Info.plist")
        for program in ["extension", "service"] {
            try folder.write("#!/bin/true", to: "\(bundle)/\(program)", mode: 0o755)
        }
    }
}
