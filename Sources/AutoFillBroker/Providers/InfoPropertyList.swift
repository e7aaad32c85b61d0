import AutoFillProtocol
import FoundationEssentials
import Glibc

/// The `Info.plist` of a bundle, as far as the broker reads it: XML or binary.
struct InfoPropertyList: Decodable, Sendable {
    /// The most bytes that one may have.
    static let maximumBytes = 1 << 20
    /// What Apple's credential providers write as `NSExtensionPointIdentifier`.
    static let extensionPoint = "com.apple.authentication-services-credential-provider-ui"

    struct Extension: Decodable, Sendable {
        let point: String?
        let attributes: Attributes?

        private enum CodingKeys: String, CodingKey {
            case point = "NSExtensionPointIdentifier"
            case attributes = "NSExtensionAttributes"
        }
    }

    struct Attributes: Decodable, Sendable {
        let capabilities: Capabilities?

        private enum CodingKeys: String, CodingKey {
            case capabilities = "ASCredentialProviderExtensionCapabilities"
        }
    }

    struct Capabilities: Decodable, Sendable {
        let providesPasswords: Bool?
        let showsConfigurationUI: Bool?

        private enum CodingKeys: String, CodingKey {
            case providesPasswords = "ProvidesPasswords"
            case showsConfigurationUI = "ShowsConfigurationUI"
        }
    }

    let identifier: String?
    let name: String?
    let displayName: String?
    let version: String?
    let executable: String?
    let providerExtension: Extension?
    let service: String?
    let interactionCommand: String?

    private enum CodingKeys: String, CodingKey {
        case identifier = "CFBundleIdentifier"
        case name = "CFBundleName"
        case displayName = "CFBundleDisplayName"
        case version = "CFBundleShortVersionString"
        case executable = "CFBundleExecutable"
        case providerExtension = "NSExtension"
        case service = "KeywayService"
        case interactionCommand = "KeywayInteractionCommand"
    }

    /// Reads a property list.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged`; its message says what is wrong, for the person.
    init(bytes: [UInt8]) throws(ProtocolError) {
        guard PropertyListForm.isSafe(bytes) else {
            throw ProtocolError(.damaged, "Info.plist is no property list.")
        }
        do {
            self = try PropertyListDecoder().decode(InfoPropertyList.self, from: Data(bytes))
        } catch let DecodingError.typeMismatch(_, context) {
            let key = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw ProtocolError(.damaged, "Info.plist: \(key.isEmpty ? "it" : key) has the wrong type.")
        } catch {
            throw ProtocolError(.damaged, "Info.plist is no property list.")
        }
    }

    /// Reads the file at `path`.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged`, or `system` when the file cannot be read.
    init(path: String) throws(ProtocolError) {
        let file = OwnedDescriptor(try SystemCall.check("Info.plist") { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ProtocolError(.damaged, "Info.plist is no file.")
        }
        guard status.st_size <= Self.maximumBytes else {
            throw ProtocolError(.damaged, "Info.plist is larger than \(Self.maximumBytes >> 20) MiB.")
        }
        try self.init(bytes: FileContents.read(file, limit: Self.maximumBytes))
    }
}
