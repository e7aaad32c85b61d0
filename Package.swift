// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with: no warning passes, imports are private unless a signature needs them.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
    // The old password-only calls of the API are part of what we promise, and so of what we test.
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// A library of ours; `uses` are the rooms that it may import (`ARCHITECTURE.md` draws the arrows).
func library(_ name: String, uses: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: uses, path: path, swiftSettings: strict)
}

/// A program: a thin `main` over the libraries.
func program(_ name: String, uses: [Target.Dependency], path: String? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: uses, path: path ?? "Sources/Programs/\(name)", swiftSettings: strict)
}

/// C of ours, of which there is little.
func shims(_ name: String) -> Target {
    .target(name: name, path: "Sources/C/\(name)")
}

/// A part of the provider `PasswordStore`, which sees of the other targets what is `public`, as in another package.
func outsider(_ name: String, uses: [Target.Dependency], isProgram: Bool = false) -> Target {
    let path = "Providers/PasswordStore/Sources/\(name)"
    return isProgram
        ? .executableTarget(name: name, dependencies: uses, path: path, packageAccess: false, swiftSettings: strict)
        : .target(name: name, dependencies: uses, path: path, packageAccess: false, swiftSettings: strict)
}

/// A part of a sample of the tests, written against what is `public`, as in another package.
func sample(_ name: String, _ folder: String, uses: [Target.Dependency], isProgram: Bool = true) -> Target {
    let path = "Tests/Samples/\(folder)"
    return isProgram
        ? .executableTarget(name: name, dependencies: uses, path: path, packageAccess: false, swiftSettings: strict)
        : .target(name: name, dependencies: uses, path: path, packageAccess: false, swiftSettings: strict)
}

/// The tests of one target.
func tests(
    _ name: String, uses: [Target.Dependency], but exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
    .testTarget(name: name, dependencies: uses, exclude: exclude, resources: resources, swiftSettings: strict)
}

/// A C library of the system, found by pkg-config.
func system(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "keyway",
    products: [
        .library(name: "AuthenticationServices", targets: ["AuthenticationServices"]),
        .library(name: "CryptoKit", targets: ["CryptoKit"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        .executable(name: "keyway", targets: ["keyway"]),
        .executable(name: "keywayd", targets: ["keywayd"]),
        .executable(name: "keyway-store-key", targets: ["keyway-store-key"]),
        .executable(name: "keyway-person-check", targets: ["keyway-person-check"]),
        .executable(name: "keyway-related-origins", targets: ["keyway-related-origins"]),
        .executable(name: "keyway-qr-reader", targets: ["keyway-qr-reader"]),
        .executable(name: "keyway-import-reader", targets: ["keyway-import-reader"]),
        .executable(name: "keyway-export-writer", targets: ["keyway-export-writer"]),
        .executable(name: "keyway-pass-reader", targets: ["keyway-pass-reader"]),
        .executable(name: "keyway-browser-passwords", targets: ["keyway-browser-passwords"]),
        .executable(name: "keyway-confine", targets: ["keyway-confine"]),
        .executable(name: "keyway-vaultd", targets: ["keyway-vaultd"]),
        .executable(name: "keyway-browser-host", targets: ["keyway-browser-host"]),
        .executable(name: "keyway-sheets", targets: ["keyway-sheets"]),
        .executable(name: "keyway-clipboard", targets: ["keyway-clipboard"]),
        .executable(name: "keyway-provider-kit", targets: ["keyway-provider-kit"]),
        .executable(name: "keyway-passwords-extension", targets: ["keyway-passwords-extension"]),
        .executable(name: "keyway-passwords", targets: ["keyway-passwords"]),
        .executable(name: "keyway-password-store", targets: ["keyway-password-store"]),
    ],
    targets: [
        // C: our shims, and the libraries of the system. Each is imported by exactly one target.
        shims("CSys"),
        system("CSodium", "libsodium", "libsodium-dev"),
        system("CSQLite", "sqlite3", "libsqlite3-dev"),
        system("CPSL", "libpsl", "libpsl-dev"),
        system("CIDN2", "libidn2", "libidn2-dev"),
        system("CPAM", "pam", "libpam0g-dev"),
        system("CSystemd", "libsystemd", "libsystemd-dev"),
        system("CAdwaita", "libadwaita-1", "libadwaita-1-dev"),
        shims("CAdwaitaShims"),
        system("CLibCrypto", "libcrypto", "libssl-dev"),
        shims("CObservation"),
        system("CTSS2", "tss2-esys", "libtss2-dev"),
        system("CCurl", "libcurl", "libcurl4-openssl-dev"),
        system("CSecret", "libsecret-1", "libsecret-1-dev"),
        shims("CLandlock"),
        system("CSeccomp", "libseccomp", "libseccomp-dev"),
        system("CPNG", "libpng", "libpng-dev"),
        system("CTurboJPEG", "libturbojpeg", "libturbojpeg0-dev"),
        system("CZBar", "zbar", "libzbar-dev"),
        system("CQREncode", "libqrencode", "libqrencode-dev"),
        // Its package has no file for pkg-config.
        .systemLibrary(name: "CZxcvbn", path: "Sources/C/CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
        system("CZip", "libzip", "libzip-dev"),
        system("CExpat", "expat", "libexpat1-dev"),
        system("CLibGcrypt", "libgcrypt", "libgcrypt20-dev"),
        system("CZlib", "zlib", "zlib1g-dev"),
        system("CNSS", "nss", "libnss3-dev"),
        system("CXCB", "xcb", "libxcb1-dev"),
        system("CWayland", "wayland-client", "libwayland-dev"),
        shims("CWaylandShims"),

        // Foundations.
        library("WebAuthnValues"),
        library("KeywaySystem", uses: ["CSys"]),
        library("AutoFillWire", uses: ["KeywaySystem"]),
        library("AutoFillProtocol", uses: ["WebAuthnValues", "KeywaySystem", "AutoFillWire"]),
        library("AutoFillClient", uses: ["AutoFillWire", "KeywaySystem"]),
        library("KeywayCrypto", uses: ["CSodium"]),
        library("PasswordRules", uses: ["KeywayCrypto"]),
        .target(
            name: "PasswordStrength", dependencies: ["KeywayCrypto", "CZxcvbn"],
            resources: [.embedInCode("Resources/words.txt")], swiftSettings: strict),
        library("KeywaySQLite", uses: ["CSQLite"]),
        library("PasskeySignatures", uses: ["WebAuthnValues", "KeywayCrypto", "CLibCrypto"]),
        library("Authenticator", uses: ["WebAuthnValues", "KeywayCrypto", "PasskeySignatures"]),
        library("CodeLinks", uses: ["KeywayCrypto"]),
        library("OneTimeCodes", uses: ["KeywayCrypto", "CodeLinks", "PasskeySignatures"]),
        library("PNGPictures", uses: ["KeywayCrypto", "CPNG"]),
        library("QRReading", uses: ["KeywayCrypto", "KeywaySystem", "PNGPictures", "CTurboJPEG", "CZBar"]),
        library("QRWriting", uses: ["KeywayCrypto", "PNGPictures", "CQREncode"]),
        library("SecretDocuments", uses: ["KeywayCrypto", "CExpat"]),
        library("CredentialExchange", uses: ["SecretDocuments", "KeywayCrypto", "CodeLinks"]),
        library("ZipArchives", uses: ["KeywayCrypto", "CZip"]),
        library("HybridEncryption", uses: ["PasskeySignatures", "KeywayCrypto"]),
        library(
            "ExchangePackages",
            uses: [
                "HybridEncryption", "CredentialExchange", "SecretDocuments", "ZipArchives", "PasskeySignatures",
                "KeywayCrypto",
            ]),
        library("OtherCiphers", uses: ["KeywayCrypto", "CLibGcrypt"]),
        library(
            "KeePassDatabases",
            uses: ["OtherCiphers", "SecretDocuments", "PasskeySignatures", "KeywayCrypto", "CZlib"]),
        library(
            "Importing",
            uses: [
                "CredentialExchange", "ExchangePackages", "KeePassDatabases", "OtherCiphers", "SecretDocuments",
                "ZipArchives", "CodeLinks", "PasskeySignatures", "PassEntries", "KeywayCrypto",
            ]),
        library(
            "ImportReading",
            uses: ["Importing", "CredentialExchange", "SecretDocuments", "KeywayCrypto", "KeywaySystem"]),
        library(
            "ExportWriting",
            uses: [
                "Importing", "ExchangePackages", "HybridEncryption", "CredentialExchange", "KeePassDatabases",
                "SecretDocuments", "CodeLinks", "KeywayCrypto", "KeywaySystem",
            ]),
        library(
            "BrowserPasswords",
            uses: [
                "ImportReading", "Importing", "CredentialExchange", "SecretDocuments", "PasskeySignatures",
                "KeywaySQLite",
                "KeywayCrypto", "KeywaySystem", "CNSS",
            ]),
        library("PassReading", uses: ["PasswordStore", "PassEntries", "KeywaySystem"]),
        library("SystemBus", uses: ["KeywaySystem", "CSystemd"]),
        library("LoginMonitor", uses: ["SystemBus"]),
        library("Confinement"),
        library("ConfinementEntry", uses: ["Confinement", "CLandlock", "CSeccomp"]),
        library("ServiceMatching", uses: ["AutoFillProtocol", "AutoFillWire", "CPSL", "CIDN2"]),

        // The broker: what its parts stand on, its parts, and the door over them.
        library(
            "BrokerBase", uses: ["AutoFillWire", "KeywaySystem", "AutoFillProtocol", "Confinement", "KeywayCrypto"]),
        library(
            "ProviderHosting",
            uses: [
                "AutoFillWire", "KeywaySystem", "AutoFillProtocol", "BrokerBase", "Confinement", "KeywayCrypto",
                "SystemBus",
            ]),
        library(
            "IdentityIndex",
            uses: [
                "AutoFillWire", "KeywaySystem", "AutoFillProtocol", "BrokerBase", "KeywayCrypto", "KeywaySQLite",
                "LoginMonitor", "ServiceMatching",
            ]),
        library(
            "AutoFillBroker",
            uses: [
                "IdentityIndex", "ProviderHosting", "BrokerBase", "AutoFillProtocol", "AutoFillWire", "KeywaySystem",
                "Confinement", "KeywayCrypto", "KeywaySQLite", "LoginMonitor", "PasswordRules", "ServiceMatching",
                "SystemBus", "WebAuthnValues",
            ]),

        library("PersonCheck", uses: ["AutoFillProtocol", "AutoFillWire", "KeywaySystem", "KeywayCrypto", "CPAM"]),
        library("RelatedOrigins", uses: ["AutoFillWire", "KeywaySystem", "CCurl"]),
        library(
            "StoreKey", uses: ["AutoFillProtocol", "AutoFillWire", "KeywaySystem", "KeywayCrypto", "CTSS2", "CSecret"]),

        // The API for providers.
        library("ImportedErrors"),
        library("CryptoKit", uses: ["KeywayCrypto", "PasskeySignatures"]),
        library("LocalAuthentication", uses: ["AutoFillWire", "KeywaySystem", "AutoFillProtocol", "ImportedErrors"]),
        library(
            "AuthenticationServices",
            uses: [
                "AutoFillWire", "KeywaySystem", "AutoFillClient", "AutoFillProtocol", "CryptoKit", "ImportedErrors",
                "WebAuthnValues",
            ]),

        // Passwords, the provider in the box.
        library("Vault", uses: ["Authenticator", "KeywayCrypto", "KeywaySQLite", "KeywaySystem"]),
        library(
            "VaultExchange",
            uses: [
                "Vault", "Authenticator", "CredentialExchange", "SecretDocuments", "CodeLinks", "PasskeySignatures",
                "KeywayCrypto", "ServiceMatching",
            ]),
        library("PasswordsProtocol", uses: ["AutoFillProtocol", "AutoFillWire", "KeywaySystem"]),
        library(
            "PasswordsExtension",
            uses: [
                "WebAuthnValues", "AuthenticationServices", "LocalAuthentication", "CryptoKit", "PasswordsProtocol",
                "PasswordRules", "KeywayCrypto", "AutoFillProtocol", "AutoFillWire", "KeywaySystem",
            ]),
        library(
            "PasswordsApp",
            uses: [
                "AuthenticationServices", "CredentialExchange", "PasswordsProtocol", "AutoFillProtocol", "AutoFillWire",
                "KeywaySystem",
            ]),
        library(
            "PasswordsService",
            uses: [
                "WebAuthnValues", "Authenticator", "CodeLinks", "CredentialExchange", "OneTimeCodes",
                "SecretDocuments", "Vault", "VaultExchange", "KeywayCrypto", "PasswordRules",
                "PasswordsProtocol", "AutoFillProtocol", "AutoFillWire",
                "KeywaySystem", "LoginMonitor",
                "ServiceMatching",
            ]),

        // The kit that judges providers.
        library(
            "ProviderKit",
            uses: [
                "ProviderHosting", "AutoFillBroker", "AutoFillProtocol", "AutoFillWire", "KeywaySystem", "CObservation",
                "KeywayCrypto", "PasskeySignatures", "WebAuthnValues",
            ]),

        // Front ends.
        library("TerminalInterface", uses: ["AutoFillProtocol", "AutoFillWire", "KeywaySystem", "KeywayCrypto"]),
        library(
            "KeywayCommand",
            uses: [
                "AutoFillWire", "KeywaySystem", "AutoFillClient", "AutoFillProtocol", "PasswordsProtocol",
                "Confinement", "CodeLinks", "CredentialExchange", "SecretDocuments", "QRWriting", "PasswordStrength",
                "TerminalInterface", "KeywayCrypto",
                "WebAuthnValues",
            ]),
        library(
            "BrowserHost",
            uses: [
                "AutoFillWire", "KeywaySystem", "AutoFillClient", "AutoFillProtocol", "KeywayCrypto",
                "PasskeySignatures", "WebAuthnValues",
            ]),
        library(
            "ClipboardService", uses: ["KeywaySystem", "KeywayCrypto", "CXCB", "CWayland", "CWaylandShims"]),
        library("Adwaita", uses: ["CAdwaita", "CAdwaitaShims"]),
        .target(
            name: "SheetInterface",
            dependencies: [
                "Adwaita", "AutoFillProtocol", "AutoFillWire", "KeywaySystem", "KeywayCrypto", "PasswordStrength",
            ],
            resources: ["sheet.ui", "sheet.css", "ar.po", "de.po"].map { .embedInCode("Resources/\($0)") },
            swiftSettings: strict),

        // Programs.
        program("keywayd", uses: ["AutoFillBroker"]),
        program("keyway-store-key", uses: ["StoreKey"]),
        program("keyway-person-check", uses: ["PersonCheck"]),
        program("keyway-related-origins", uses: ["RelatedOrigins"]),
        program("keyway-qr-reader", uses: ["QRReading"]),
        program("keyway-import-reader", uses: ["ImportReading"]),
        program("keyway-export-writer", uses: ["ExportWriting"]),
        program("keyway-pass-reader", uses: ["PassReading"]),
        program("keyway-browser-passwords", uses: ["BrowserPasswords"]),
        program("keyway-confine", uses: ["ConfinementEntry"]),
        program("keyway-vaultd", uses: ["PasswordsService"]),
        program("keyway", uses: ["KeywayCommand"]),
        program("keyway-browser-host", uses: ["BrowserHost"]),
        program("keyway-sheets", uses: ["SheetInterface"]),
        program("keyway-clipboard", uses: ["ClipboardService"]),
        program("keyway-provider-kit", uses: ["ProviderKit"]),
        program("keyway-passwords-extension", uses: ["PasswordsExtension"]),
        program("keyway-passwords", uses: ["PasswordsApp"]),

        // The unix password store, a provider as an outsider writes it.
        .systemLibrary(
            name: "CGcrypt", path: "Providers/PasswordStore/CGcrypt", pkgConfig: "libgcrypt",
            providers: [.apt(["libgcrypt20-dev"])]),
        outsider("PassEntries", uses: []),
        outsider("PasswordStore", uses: ["AuthenticationServices", "PassEntries", "CGcrypt"]),
        outsider("keyway-password-store", uses: ["PasswordStore", "AuthenticationServices"], isProgram: true),

        // Answers WebAuthn requests for the servers that judge the authenticator.
        program(
            "authenticator-probe", uses: ["Authenticator", "KeywayCrypto", "PasskeySignatures", "WebAuthnValues"],
            path: "Tests/AuthenticatorProbe"),
        program("sheet-gallery", uses: ["SheetInterface", "Adwaita", "AutoFillProtocol"], path: "Tests/SheetGallery"),

        // Benchmarks.
        library("Benchmarking", uses: ["KeywaySystem"], path: "Benchmarks/Benchmarking"),
        program(
            "keyway-bench",
            uses: [
                "Benchmarking", "AutoFillClient", "AutoFillProtocol", "AutoFillWire", "KeywaySystem",
                "PasswordsProtocol", "Vault", "KeywayCrypto",
            ],
            path: "Benchmarks/KeywayBench"),

        // A manager for the tests, with an app and an extension.
        sample("SampleAccounts", "SampleManager/Accounts", uses: ["AuthenticationServices"], isProgram: false),
        sample("sample-manager", "SampleManager/App", uses: ["SampleAccounts", "AuthenticationServices"]),
        sample("sample-app", "SampleApp", uses: ["AuthenticationServices"]),
        sample(
            "sample-manager-extension", "SampleManager/Extension", uses: ["SampleAccounts", "AuthenticationServices"]),

        // What the tests of the broker and of its parts share.
        library("ClockTestSupport", uses: ["KeywaySystem"], path: "Tests/ClockTestSupport"),
        library(
            "BrokerTestSupport",
            uses: ["KeywaySystem", "AutoFillProtocol", "BrokerBase", "IdentityIndex", "KeywayCrypto"],
            path: "Tests/BrokerTestSupport"),

        // What the documentation and the tests say of each message.
        library(
            "ProtocolSamples",
            uses: ["WebAuthnValues", "AutoFillProtocol", "AutoFillWire", "KeywaySystem", "PasswordsProtocol"],
            path: "Tests/ProtocolSamples"),

        // Tests.
        tests("AdwaitaTests", uses: ["Adwaita"]),
        tests(
            "SheetInterfaceTests",
            uses: [
                "SheetInterface", "AutoFillProtocol", "AutoFillWire", "KeywaySystem",
                "KeywayCrypto",
                "PasswordStrength",
            ]),
        tests("LoginMonitorTests", uses: ["LoginMonitor", "SystemBus"]),
        tests("ConfinementTests", uses: ["Confinement", "ConfinementEntry"]),
        tests(
            "PasswordsProtocolTests",
            uses: ["ProtocolSamples", "PasswordsProtocol", "AutoFillProtocol", "AutoFillWire", "KeywaySystem"]),
        tests(
            "PasswordsServiceTests",
            uses: [
                "ClockTestSupport", "AutoFillWire", "KeywaySystem", "Authenticator", "PasskeySignatures",
                "PasswordsService", "Vault",
                "PasswordsProtocol", "AutoFillProtocol",
                "KeywayCrypto", "WebAuthnValues",
            ]),
        tests("KeywayCryptoTests", uses: ["KeywayCrypto"]),
        tests("PasswordRulesTests", uses: ["PasswordRules", "KeywayCrypto"]),
        tests("PasswordStrengthTests", uses: ["PasswordStrength", "KeywayCrypto"]),
        tests("KeywaySQLiteTests", uses: ["KeywaySQLite"]),
        tests(
            "VaultTests",
            uses: ["Vault", "Authenticator", "KeywayCrypto", "KeywaySQLite", "KeywaySystem", "ClockTestSupport"]),
        tests("KeywaySystemTests", uses: ["KeywaySystem", "ClockTestSupport", "AutoFillWire", "CSys"]),
        tests(
            "AutoFillWireTests", uses: ["ProtocolSamples", "AutoFillWire", "AutoFillProtocol", "KeywaySystem", "CSys"]),
        tests("AutoFillProtocolTests", uses: ["ProtocolSamples", "AutoFillProtocol", "AutoFillWire", "KeywaySystem"]),
        tests(
            "TerminalInterfaceTests",
            uses: ["TerminalInterface", "AutoFillProtocol", "AutoFillWire", "KeywaySystem", "KeywayCrypto"]),
        tests(
            "KeywayCommandTests",
            uses: [
                "ClockTestSupport", "ProtocolSamples", "KeywayCommand", "Importing", "CredentialExchange",
                "AutoFillProtocol",
                "AutoFillWire", "KeywaySystem",
                "PasswordsProtocol", "PasswordStrength",
                "TerminalInterface", "KeywayCrypto",
            ],
            but: ["Expected", "Fakes"]),
        tests("BenchmarkingTests", uses: ["Benchmarking"]),
        tests(
            "AutoFillBrokerTests",
            uses: [
                "ClockTestSupport", "BrokerTestSupport", "IdentityIndex", "ProviderHosting", "BrokerBase",
                "AutoFillBroker", "LoginMonitor",
                "PasswordRules",
                "SystemBus", "Confinement", "AutoFillProtocol", "AutoFillWire", "KeywaySystem", "KeywayCrypto",
                "KeywaySQLite", "ServiceMatching", "WebAuthnValues",
            ]),
        tests(
            "BrokerBaseTests",
            uses: ["KeywaySystem", "BrokerBase", "BrokerTestSupport", "AutoFillProtocol", "KeywayCrypto"]),
        tests(
            "IdentityIndexTests",
            uses: [
                "ClockTestSupport", "KeywaySystem", "IdentityIndex", "BrokerBase", "BrokerTestSupport",
                "AutoFillProtocol", "KeywayCrypto",
                "KeywaySQLite",
                "ServiceMatching",
            ]),
        tests(
            "ProviderHostingTests",
            uses: [
                "AutoFillWire", "KeywaySystem", "ProviderHosting", "BrokerBase", "BrokerTestSupport", "Confinement",
                "AutoFillProtocol",
            ]),
        tests("ServiceMatchingTests", uses: ["ServiceMatching", "AutoFillProtocol"]),
        tests("RelatedOriginsTests", uses: ["RelatedOrigins"]),
        tests(
            "PersonCheckTests",
            uses: ["KeywaySystem", "ClockTestSupport", "PersonCheck", "AutoFillProtocol", "KeywayCrypto"]),
        tests("StoreKeyTests", uses: ["KeywaySystem", "StoreKey", "AutoFillProtocol", "KeywayCrypto"]),
        tests("AutoFillClientTests", uses: ["AutoFillWire", "KeywaySystem", "AutoFillClient"]),
        tests(
            "BrowserHostTests",
            uses: [
                "ClockTestSupport", "AutoFillWire", "KeywaySystem", "BrowserHost", "Authenticator", "AutoFillProtocol",
                "KeywayCrypto",
                "WebAuthnValues",
            ]),
        tests("PasskeySignaturesTests", uses: ["PasskeySignatures", "KeywayCrypto", "WebAuthnValues"]),
        tests("WebAuthnValuesTests", uses: ["WebAuthnValues"]),
        tests("OneTimeCodesTests", uses: ["OneTimeCodes", "CodeLinks", "KeywayCrypto"]),
        tests("SecretDocumentsTests", uses: ["SecretDocuments", "KeywayCrypto"]),
        tests("ZipArchivesTests", uses: ["ZipArchives", "KeywayCrypto"]),
        tests("OtherCiphersTests", uses: ["OtherCiphers", "KeywayCrypto"]),
        tests(
            "KeePassDatabasesTests",
            uses: ["KeePassDatabases", "OtherCiphers", "PasskeySignatures", "SecretDocuments", "KeywayCrypto"]),
        tests(
            "ImportingTests",
            uses: [
                "Importing", "KeePassDatabases", "OtherCiphers", "CredentialExchange", "SecretDocuments", "CodeLinks",
                "PassEntries", "KeywayCrypto",
            ]),
        tests("HybridEncryptionTests", uses: ["HybridEncryption", "KeywayCrypto"]),
        tests(
            "ExchangePackagesTests",
            uses: [
                "ExchangePackages", "HybridEncryption", "CredentialExchange", "SecretDocuments", "ZipArchives",
                "KeywayCrypto",
            ]),
        tests(
            "ExportWritingTests",
            uses: [
                "ExportWriting", "Importing", "ExchangePackages", "CredentialExchange", "KeePassDatabases",
                "SecretDocuments", "CodeLinks", "KeywayCrypto",
            ]),
        tests(
            "ImportReadingTests",
            uses: ["ImportReading", "Importing", "CredentialExchange", "SecretDocuments", "KeywayCrypto"]),
        tests(
            "VaultExchangeTests",
            uses: [
                "VaultExchange", "Vault", "Authenticator", "CredentialExchange", "SecretDocuments", "CodeLinks",
                "PasskeySignatures", "KeywayCrypto", "ImportReading", "Importing",
            ]),
        tests(
            "BrowserPasswordsTests",
            uses: [
                "BrowserPasswords", "Importing", "CredentialExchange", "SecretDocuments", "PasskeySignatures",
                "KeywaySQLite", "KeywayCrypto",
            ]),
        tests(
            "CredentialExchangeTests",
            uses: ["CredentialExchange", "AuthenticationServices", "SecretDocuments", "KeywayCrypto"]),
        tests("ClipboardServiceTests", uses: ["ClipboardService", "KeywayCrypto", "KeywaySystem"]),
        tests("QRReadingTests", uses: ["QRReading", "KeywayCrypto"]),
        tests("QRWritingTests", uses: ["QRWriting", "QRReading", "KeywayCrypto"]),
        tests(
            "AuthenticatorTests", uses: ["Authenticator", "KeywayCrypto", "PasskeySignatures", "WebAuthnValues"]),
        tests(
            "ProviderKitTests",
            uses: [
                "AutoFillWire", "KeywaySystem", "ProviderKit", "AutoFillProtocol", "KeywayCrypto", "PasskeySignatures",
            ]),
        tests("CryptoKitTests", uses: ["CryptoKit"]),
        tests(
            "LocalAuthenticationTests",
            uses: ["LocalAuthentication", "AutoFillProtocol", "AutoFillWire", "KeywaySystem"]),
        tests(
            "AuthenticationServicesTests",
            uses: [
                "WebAuthnValues", "AuthenticationServices", "CryptoKit", "AutoFillProtocol", "AutoFillWire",
                "KeywaySystem",
            ]),
        tests(
            "PasswordsExtensionTests",
            uses: [
                "WebAuthnValues", "PasswordsExtension", "AuthenticationServices", "LocalAuthentication",
                "PasswordsProtocol", "PasswordRules", "AutoFillProtocol", "AutoFillWire", "KeywaySystem",
            ]),
        tests(
            "PasswordsAppTests",
            uses: [
                "PasswordsApp", "AuthenticationServices", "PasswordsProtocol", "AutoFillProtocol", "AutoFillWire",
                "KeywaySystem",
            ]),
        tests("PasswordStoreTests", uses: ["PasswordStore", "PassEntries", "AuthenticationServices"]),
        .testTarget(
            name: "SourceCompatibility",
            dependencies: [
                "AuthenticationServices", "CryptoKit", "LocalAuthentication", "AutoFillProtocol", "AutoFillWire",
                "KeywaySystem",
            ],
            // Compiled like a provider of somebody else's: without the upcoming features that we hold ourselves to.
            swiftSettings: [
                .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning),
            ]),
        .testTarget(
            name: "SourceCompatibilityOfSwift5",
            dependencies: ["AuthenticationServices", "CryptoKit"],
            // Likewise, and in the language mode of most providers that ship.
            swiftSettings: [
                .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning),
                .swiftLanguageMode(.v5),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// `KEYWAY_TESTS=VaultTests swift test --test-product keywayPackageTests` builds what these tests need, and nothing else.
if let wanted = Context.environment["KEYWAY_TESTS"] {
    let names = wanted.split(separator: ",").map(String.init)
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
