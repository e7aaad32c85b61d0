import AutoFillProtocol
import FoundationEssentials

/// The file by which a browser finds the native host, and knows whom it serves.
package struct HostManifest: Codable, Hashable, Sendable {
    /// The name that the extension asks for.
    package let name: String
    /// For people who look into the folder.
    package let description: String
    /// The program, an absolute path.
    package let path: String
    /// Always `stdio`.
    package let type: String
    /// Chromium's list of extensions that may start it.
    package let allowedOrigins: [String]?
    /// Firefox's list of extensions that may start it.
    package let allowedExtensions: [String]?

    private enum CodingKeys: String, CodingKey {
        case name, description, path, type
        case allowedOrigins = "allowed_origins"
        case allowedExtensions = "allowed_extensions"
    }

    /// The manifest that starts `path` for our extension in browsers of `family`.
    package init(path: String, family: Browser.Family) {
        name = BrowserExtension.hostName
        description = "Keyway AutoFill"
        self.path = path
        type = "stdio"
        allowedOrigins = family == .chromium ? [BrowserExtension.chromiumOrigin] : nil
        allowedExtensions = family == .firefox ? [BrowserExtension.firefoxIdentifier] : nil
    }

    /// The manifest that a file holds.
    package init(reading bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(HostManifest.self, from: Data(bytes))
    }

    /// What is written into the file.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// What is wrong with it in a browser of `family` where the host should be `expected`; nil when nothing is.
    package func fault(family: Browser.Family, expected: String, on machine: any Machine) -> String? {
        guard name == BrowserExtension.hostName, type == "stdio" else { return Strings.manifestNotOurs }
        let allows =
            family == .chromium
            ? allowedOrigins == [BrowserExtension.chromiumOrigin]
            : allowedExtensions == [BrowserExtension.firefoxIdentifier]
        guard allows else { return Strings.manifestAllowsOthers }
        guard machine.isExecutable(path) else { return Strings.manifestPathMissing(path) }
        return path == expected ? nil : Strings.manifestPathDiffers(path)
    }
}
