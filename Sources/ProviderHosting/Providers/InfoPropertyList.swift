import AutoFillProtocol
import FoundationEssentials
import Glibc
import KeywaySystem

/// The `Info.plist` of a bundle, as far as the broker reads it (``PropertyListKey``): XML or binary.
struct InfoPropertyList: Decodable, Sendable {
    /// The most bytes that one may have.
    static let maximumBytes = 1 << 20
    /// What Apple's credential providers write as `NSExtensionPointIdentifier`.
    static let extensionPoint = "com.apple.authentication-services-credential-provider-ui"

    let identifier: String?
    let name: String?
    let displayName: String?
    let version: String?
    let executable: String?
    let userActivityTypes: [String]
    let verificationPurpose: String?
    let service: String?
    let activityProgram: String?
    let serviceRunsAlways: Bool
    let checksMasterPassword: Bool
    let asksPermission: Bool
    let interactionCommand: String?
    let applications: [String]
    let group: String?
    /// `KeywaySandbox`.
    let sandbox: DeclaredSandbox?
    /// `NSExtensionPointIdentifier`.
    let point: String?
    /// What the extension declares.
    let capabilities: ProviderCapabilities

    init(from decoder: any Decoder) throws {
        let list = try decoder.container(keyedBy: PropertyListKey.self)
        identifier = try list.decodeIfPresent(String.self, forKey: .identifier)
        name = try list.decodeIfPresent(String.self, forKey: .name)
        displayName = try list.decodeIfPresent(String.self, forKey: .displayName)
        version = try list.decodeIfPresent(String.self, forKey: .version)
        executable = try list.decodeIfPresent(String.self, forKey: .executable)
        userActivityTypes = try list.decodeIfPresent([String].self, forKey: .userActivityTypes) ?? []
        verificationPurpose = try list.decodeIfPresent(String.self, forKey: .verificationPurpose)
        service = try list.decodeIfPresent(String.self, forKey: .service)
        activityProgram = try list.decodeIfPresent(String.self, forKey: .activityProgram)
        serviceRunsAlways = try list.decodeIfPresent(Bool.self, forKey: .serviceRunsAlways) ?? false
        checksMasterPassword = try list.decodeIfPresent(Bool.self, forKey: .checksMasterPassword) ?? false
        asksPermission = try list.decodeIfPresent(Bool.self, forKey: .asksPermission) ?? false
        interactionCommand = try list.decodeIfPresent(String.self, forKey: .interactionCommand)
        applications = try list.decodeIfPresent([String].self, forKey: .applications) ?? []
        group = try list.decodeIfPresent(String.self, forKey: .group)
        sandbox = try list.nested(.sandbox).map { try DeclaredSandbox(declaredIn: $0) }
        let declared = try list.nested(.providerExtension)
        point = try declared?.decodeIfPresent(String.self, forKey: .extensionPoint)
        // Which class answers is settled by the program; what is written must still be what the key says.
        _ = try declared?.decodeIfPresent(String.self, forKey: .principalClass)
        _ = try declared?.decodeIfPresent(String.self, forKey: .mainStoryboard)
        capabilities = try ProviderCapabilities(declaredIn: declared)
    }

    /// Reads a property list.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged`; its message says what is wrong, for the person.
    init(bytes: [UInt8]) throws(ProtocolError) {
        guard PropertyListForm.isSafe(bytes) else {
            throw ProtocolError(.damaged, "Info.plist isn't a property list.")
        }
        do {
            self = try PropertyListDecoder().decode(InfoPropertyList.self, from: Data(bytes))
        } catch let DecodingError.typeMismatch(_, context) {
            let key = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw ProtocolError(.damaged, "Info.plist: \(key.isEmpty ? "it" : key) has the wrong type.")
        } catch {
            throw ProtocolError(.damaged, "Info.plist isn't a property list.")
        }
    }

    /// Reads the file at `path`.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged`, or `system` when the file cannot be read.
    init(path: String) throws(ProtocolError) {
        let file = OwnedDescriptor(try SystemCall.check("Info.plist") { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ProtocolError(.damaged, "Info.plist isn't a file.")
        }
        guard status.st_size <= Self.maximumBytes else {
            throw ProtocolError(.damaged, "Info.plist is larger than \(Self.maximumBytes >> 20) MiB.")
        }
        try self.init(bytes: FileContents.read(file, limit: Self.maximumBytes))
    }
}

private typealias Keys = KeyedDecodingContainer<PropertyListKey>

// MARK: - The sandbox

extension DeclaredSandbox {
    fileprivate init(declaredIn keys: Keys) throws {
        self.init()
        readPaths = try keys.decodeIfPresent([String].self, forKey: .readPaths) ?? []
        writePaths = try keys.decodeIfPresent([String].self, forKey: .writePaths) ?? []
        sockets = try keys.decodeIfPresent([String].self, forKey: .sockets) ?? []
        programs = try keys.decodeIfPresent([String].self, forKey: .programs) ?? []
        network = try keys.decodeIfPresent(Bool.self, forKey: .network) ?? false
        systemBus = try keys.decodeIfPresent(Bool.self, forKey: .systemBus) ?? false
    }
}

// MARK: - Capabilities

extension ProviderCapabilities {
    /// What an `NSExtension` dictionary declares; nil where there is none.
    fileprivate init(declaredIn declared: Keys?) throws {
        let attributes = try declared?.nested(.attributes)
        _ = try attributes?.decodeIfPresent(String.self, forKey: .viewControllerClass)
        let older =
            try attributes?.decodeIfPresent(Bool.self, forKey: .showsConfigurationUIBefore2023)
            ?? declared?.decodeIfPresent(Bool.self, forKey: .showsConfigurationUIBefore2023)
        self.init()
        if let keys = try attributes?.nested(.capabilities) {
            try read(keys)
            showsConfigurationUI =
                try keys.decodeIfPresent(Bool.self, forKey: .showsConfigurationUI) ?? older ?? false
        } else {
            // As before there was the dictionary.
            providesPasswords = true
            showsConfigurationUI = older ?? false
        }
    }

    private mutating func read(_ keys: Keys) throws {
        providesPasswords = try keys.isOn(.providesPasswords)
        providesPasskeys = try keys.isOn(.providesPasskeys)
        providesOneTimeCodes = try keys.isOn(.providesOneTimeCodes)
        let setsUpCodes = try keys.isOn(.setsUpOneTimeCodes)
        setsUpOneTimeCodes = providesOneTimeCodes && setsUpCodes
        providesTextToInsert = try keys.isOn(.providesTextToInsert)
        let isConditional = try keys.isOn(.supportsConditionalPasskeyRegistration)
        supportsConditionalPasskeyRegistration = providesPasskeys && isConditional
        supportsCredentialUpdate = try keys.isOn(.supportsCredentialUpdate)
        supportsSavePasswordCredentials = try keys.isOn(.supportsSavePasswordCredentials)
        let generates = try keys.isOn(.supportsGeneratePasswordCredentials)
        supportsGeneratePasswordCredentials = supportsSavePasswordCredentials && generates
        let hasInterface = try keys.isOn(.supportsGeneratePasswordCredentialsWithUI, unlessSaid: true)
        supportsGeneratePasswordCredentialsWithUI = supportsGeneratePasswordCredentials && hasInterface
        let exchanges = try keys.isOn(.supportsCredentialExchange)
        let versions = try keys.decodeIfPresent([String].self, forKey: .supportedCredentialExchangeVersions)
        // The list of versions is younger than the exchange, and knows one.
        credentialExchangeVersions = exchanges ? versions ?? ["1.0"] : []
    }
}

extension Keys {
    /// The dictionary behind `key`, where there is something.
    fileprivate func nested(_ key: PropertyListKey) throws -> Keys? {
        contains(key) ? try nestedContainer(keyedBy: PropertyListKey.self, forKey: key) : nil
    }

    fileprivate func isOn(_ key: PropertyListKey, unlessSaid value: Bool = false) throws -> Bool {
        try decodeIfPresent(Bool.self, forKey: key) ?? value
    }
}
