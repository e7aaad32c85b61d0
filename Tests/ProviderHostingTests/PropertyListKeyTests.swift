import AutoFillProtocol
import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import ProviderHosting

@Suite struct PropertyListKeyTests {
    /// Where in the list a key stands.
    enum Place: CaseIterable {
        case bundle, sandbox, declaration, attributes, capabilities

        func list(_ key: PropertyListKey, _ value: Any) -> [String: Any] {
            let own = [key.rawValue: value]
            switch self {
            case .bundle: return own
            case .sandbox: return ["KeywaySandbox": own]
            case .declaration: return ["NSExtension": own]
            case .attributes: return ["NSExtension": ["NSExtensionAttributes": own]]
            case .capabilities:
                let attributes = ["ASCredentialProviderExtensionCapabilities": own]
                return ["NSExtension": ["NSExtensionAttributes": attributes]]
            }
        }
    }

    private static func read(_ list: [String: Any]) throws -> InfoPropertyList {
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        return try InfoPropertyList(bytes: Array(data))
    }

    private static func capabilities(_ declared: [String: Any]) throws -> ProviderCapabilities {
        let attributes = ["ASCredentialProviderExtensionCapabilities": declared]
        return try read(["NSExtension": ["NSExtensionAttributes": attributes]]).capabilities
    }

    // MARK: - Texts

    @Test(arguments: [
        (PropertyListKey.identifier, \InfoPropertyList.identifier), (.name, \.name), (.displayName, \.displayName),
        (.version, \.version), (.executable, \.executable), (.service, \.service),
        (.interactionCommand, \.interactionCommand), (.group, \.group), (.verificationPurpose, \.verificationPurpose),
    ])
    func textsOfTheBundleAreRead(key: PropertyListKey, part: any KeyPath<InfoPropertyList, String?> & Sendable) throws {
        #expect(try Self.read([key.rawValue: "x"])[keyPath: part] == "x")
        #expect(try Self.read([:])[keyPath: part] == nil)
    }

    @Test func extensionPointIsRead() throws {
        #expect(try Self.read(Place.declaration.list(.extensionPoint, "x")).point == "x")
        #expect(try Self.read([:]).point == nil)
    }

    @Test func serviceRunsAlwaysWhereItIsSaid() throws {
        #expect(try Self.read(Place.bundle.list(.serviceRunsAlways, true)).serviceRunsAlways)
        #expect(try !Self.read([:]).serviceRunsAlways)
    }

    @Test func checksMasterPasswordWhereItIsSaid() throws {
        #expect(try Self.read(Place.bundle.list(.checksMasterPassword, true)).checksMasterPassword)
        #expect(try !Self.read([:]).checksMasterPassword)
    }

    @Test func serviceAsksPermissionWhereItIsSaid() throws {
        #expect(try Self.read(Place.bundle.list(.asksPermission, true)).asksPermission)
        #expect(try !Self.read([:]).asksPermission)
    }

    @Test func sandboxIsRead() throws {
        var expected = DeclaredSandbox()
        #expect(try Self.read([:]).sandbox == nil)
        #expect(try Self.read(["KeywaySandbox": [String: Any]()]).sandbox == expected)
        expected.readPaths = ["~/a"]
        expected.writePaths = ["~/b", "/c/d"]
        expected.sockets = ["/run/e"]
        expected.programs = ["gpg"]
        expected.network = true
        expected.systemBus = true
        let list: [String: Any] = [
            "ReadPaths": ["~/a"], "WritePaths": ["~/b", "/c/d"], "Sockets": ["/run/e"], "Programs": ["gpg"],
            "Network": true, "SystemBus": true,
        ]
        #expect(try Self.read(["KeywaySandbox": list]).sandbox == expected)
    }

    @Test func activitiesAreRead() throws {
        let types = ["ASCredentialExchangeActivity", "other"]
        #expect(try Self.read(Place.bundle.list(.userActivityTypes, types)).userActivityTypes == types)
    }

    // MARK: - Capabilities

    @Test(arguments: [
        (PropertyListKey.providesPasswords, \ProviderCapabilities.providesPasswords),
        (.providesPasskeys, \.providesPasskeys), (.providesOneTimeCodes, \.providesOneTimeCodes),
        (.providesTextToInsert, \.providesTextToInsert), (.showsConfigurationUI, \.showsConfigurationUI),
        (.supportsCredentialUpdate, \.supportsCredentialUpdate),
        (.supportsSavePasswordCredentials, \.supportsSavePasswordCredentials),
    ])
    func capabilityIsOffUnlessItIsSaid(
        key: PropertyListKey, part: any KeyPath<ProviderCapabilities, Bool> & Sendable
    ) throws {
        #expect(try Self.capabilities([key.rawValue: true])[keyPath: part])
        #expect(try !Self.capabilities([key.rawValue: false])[keyPath: part])
        #expect(try !Self.capabilities([:])[keyPath: part])
        #expect(try Self.capabilities([key.rawValue: true]) != ProviderCapabilities())
    }

    @Test(arguments: ["", "<key>NSExtension</key><dict/>", "<key>NSExtensionAttributes</key><dict/>"])
    func bundleWithoutTheDictionaryProvidesPasswordsOnly(keys: String) throws {
        let inner = keys.hasPrefix("<key>NSExtensionA") ? "<key>NSExtension</key><dict>\(keys)</dict>" : keys
        let text = "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(inner)</dict></plist>"
        var expected = ProviderCapabilities()
        expected.providesPasswords = true
        #expect(try InfoPropertyList(bytes: Array(text.utf8)).capabilities == expected)
    }

    /// The older key beside the attributes, in them, and the newer one.
    @Test(
        arguments: [
            (nil, nil, nil, false), (true, nil, nil, true), (nil, true, nil, true), (true, false, nil, false),
            (true, true, false, false), (false, false, true, true), (nil, nil, true, true),
        ] as [(Bool?, Bool?, Bool?, Bool)])
    func newerSpellingOfTheConfigurationWins(beside: Bool?, within: Bool?, newer: Bool?, expected: Bool) throws {
        var attributes: [String: Any] = [:]
        attributes["ASCredentialProviderExtensionShowsConfigurationUI"] = within
        if let newer {
            attributes["ASCredentialProviderExtensionCapabilities"] = ["ShowsConfigurationUI": newer]
        }
        var declared: [String: Any] = ["NSExtensionAttributes": attributes]
        declared["ASCredentialProviderExtensionShowsConfigurationUI"] = beside
        #expect(try Self.read(["NSExtension": declared]).capabilities.showsConfigurationUI == expected)
    }

    @Test(arguments: [(true, true, true), (true, false, false), (false, true, false)])
    func conditionalRegistrationCountsWithPasskeysOnly(passkeys: Bool, conditional: Bool, expected: Bool) throws {
        let read = try Self.capabilities([
            "ProvidesPasskeys": passkeys, "SupportsConditionalPasskeyRegistration": conditional,
        ])
        #expect(read.supportsConditionalPasskeyRegistration == expected)
    }

    @Test(
        arguments: [
            (true, true, nil, true, true), (true, true, true, true, true), (true, true, false, true, false),
            (false, true, nil, false, false), (false, true, true, false, false), (true, false, true, false, false),
        ] as [(Bool, Bool, Bool?, Bool, Bool)])
    func generatingCountsWithSavingOnlyAndHasAnInterfaceUnlessSaid(
        saves: Bool, generates: Bool, interface: Bool?, isOn: Bool, hasInterface: Bool
    ) throws {
        var declared = ["SupportsSavePasswordCredentials": saves, "SupportsGeneratePasswordCredentials": generates]
        declared["SupportsGeneratePasswordCredentialsWithUI"] = interface
        let read = try Self.capabilities(declared)
        #expect(read.supportsGeneratePasswordCredentials == isOn)
        #expect(read.supportsGeneratePasswordCredentialsWithUI == hasInterface)
    }

    @Test(
        arguments: [
            (true, ["1.0", "2.0"], ["1.0", "2.0"]), (true, nil, ["1.0"]), (false, ["1.0"], []), (true, [], []),
        ] as [(Bool, [String]?, [String])])
    func versionsOfTheExchangeCountWithTheExchange(exchanges: Bool, versions: [String]?, expected: [String]) throws {
        var declared: [String: Any] = ["SupportsCredentialExchange": exchanges]
        declared["SupportedCredentialExchangeVersions"] = versions
        #expect(try Self.capabilities(declared).credentialExchangeVersions == expected)
    }

    // MARK: - Types

    /// Every key, where it stands, and a value of another type.
    private static let mistyped: [(PropertyListKey, Place, any Sendable)] =
        PropertyListKey.allCases.map { key in
            switch key {
            case .identifier, .name, .displayName, .version, .executable, .service, .interactionCommand,
                .verificationPurpose, .group, .activityProgram:
                (key, .bundle, 1)
            case .sandbox: (key, .bundle, "text")
            case .readPaths, .writePaths, .sockets, .programs: (key, .sandbox, "text")
            case .network, .systemBus: (key, .sandbox, "YES")
            case .userActivityTypes, .applications: (key, .bundle, "text")
            case .serviceRunsAlways, .checksMasterPassword, .asksPermission: (key, .bundle, "YES")
            case .providerExtension: (key, .bundle, "text")
            case .extensionPoint, .principalClass, .mainStoryboard: (key, .declaration, true)
            case .attributes: (key, .declaration, ["list"])
            case .viewControllerClass: (key, .attributes, 1)
            case .showsConfigurationUIBefore2023: (key, .attributes, "YES")
            case .capabilities: (key, .attributes, true)
            case .supportedCredentialExchangeVersions: (key, .capabilities, [1])
            default: (key, .capabilities, "YES")
            }
        }

    @Test(arguments: mistyped)
    func valueOfAnotherTypeIsAProblemThatNamesTheKey(
        key: PropertyListKey, place: Place, value: any Sendable
    ) throws {
        let list = place.list(key, value)
        let error = #expect(throws: ProtocolError.self) { try Self.read(list) }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(key.rawValue) == true)
    }

    @Test func numberIsNoBoolean() throws {
        #expect(throws: ProtocolError.self) { try Self.capabilities(["ProvidesPasskeys": 1]) }
    }

    @Test func olderConfigurationKeyBesideTheAttributesIsCheckedToo() {
        let list = Place.declaration.list(.showsConfigurationUIBefore2023, "YES")
        #expect(throws: ProtocolError.self) { try Self.read(list) }
    }

    @Test(arguments: [
        (["ASCredentialExchangeActivity"], true), (["ASCredentialExchangeActivityType"], true), (["x"], false),
        ([], false),
    ])
    func bundleThatListsTheExchangeTakesImports(types: [String], expected: Bool) throws {
        let folder = try TemporaryFolder()
        try TestBundle.install(in: folder, ["NSUserActivityTypes": types])
        let path = folder.path + "/.local/share/keyway/providers/vault.appex"
        #expect(ProviderBundle(path: path, scope: .user).takesImports == expected)
    }

    @Test(arguments: [("app", true), ("missing", false), ("../app", false), ("", false)])
    func activitiesAreContinuedByAFileOfTheBundle(name: String, isSound: Bool) throws {
        let folder = try TemporaryFolder()
        try TestBundle.install(in: folder, ["KeywayActivityProgram": name])
        let bundle = ProviderBundle(path: folder.path + "/.local/share/keyway/providers/vault.appex", scope: .user)
        #expect((bundle.problem == nil) == isSound)
        #expect(bundle.activityPath == bundle.path + "/" + name)
    }
}
