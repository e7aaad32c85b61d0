import AutoFillWire
import FoundationEssentials
import Glibc
package import KeywaySystem

/// The package that a new provider begins with: files in which three words are replaced.
package struct ProviderTemplate: Sendable {
    /// The folder of the files.
    private let source: String
    /// Where Keyway lies that the package is built against: an installed prefix, or a source tree.
    private let keyway: String

    /// The template in `source`, for packages that are built against `keyway`.
    package init(source: String, keyway: String) {
        self.source = source
        self.keyway = keyway
    }

    /// The template that belongs to this program: of the installed tree, or of the source tree that it was built in.
    ///
    /// - Throws: ``ProtocolError`` with the code `notFound`.
    package static func installed() throws(ProtocolError) -> ProviderTemplate {
        let program = PathName.real("/proc/self/exe")
        var folder = program
        while folder != "/" {
            folder = parent(of: folder)
            for place in ["share/keyway/templates/provider", "Providers/Template"] {
                let source = folder == "/" ? "/\(place)" : "\(folder)/\(place)"
                if FileManager.default.fileExists(atPath: source + "/Package.swift") {
                    return ProviderTemplate(source: source, keyway: folder)
                }
            }
        }
        throw ProtocolError(.notFound, "The template is not installed; share/keyway/templates/provider is missing.")
    }

    /// Makes the package `name` in `folder`, or in the folder where this process is.
    ///
    /// - Returns: the new folder.
    /// - Throws: ``ProtocolError``: `invalidParameters` for a name that is none, `exists` when something is there
    ///   already, `system` when it cannot be written.
    package func make(_ name: String, in folder: String?) throws(ProtocolError) -> String {
        guard Self.isName(name) else {
            throw ProtocolError(
                .invalidParameters,
                "“\(DisplayText.line(name))” cannot name a Swift type: a capital letter, then letters and digits, "
                    + "40 at most.")
        }
        guard !Self.modules.contains(name) else {
            throw ProtocolError(
                .invalidParameters,
                "“\(name)” is the name of a module that the package is built with; two cannot have it.")
        }
        let parent = folder ?? FileManager.default.currentDirectoryPath
        let target = "\(parent)/\(name)"
        try SystemCall.check("make \(parent)") { Self.makeFolders(parent) }
        guard mkdir(target, 0o777) == 0 else {
            guard errno == EEXIST else { throw .system("make \(target)", errno) }
            throw ProtocolError(.exists, "\(target) is there already; nothing was changed.")
        }
        do {
            for path in try FileManager.default.subpathsOfDirectory(atPath: source).sorted() {
                try write(path, name, to: target)
            }
        } catch {
            throw ProtocolError(.system, "The package cannot be written to \(target).")
        }
        return target
    }

    /// Names that are taken: modules of the system, of the compiler, and of Keyway's source tree.
    package static let modules: Set<String> = [
        "Swift", "SwiftOnoneSupport", "SwiftShims", "Builtin", "Cxx", "CxxStdlib", "Distributed", "Observation",
        "RegexBuilder", "Synchronization", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking",
        "FoundationInternationalization", "FoundationXML", "Glibc", "CRT", "Testing", "XCTest",
        "Adwaita", "AuthenticationServices", "Authenticator", "AutoFillBroker", "AutoFillClient", "AutoFillProtocol",
        "AutoFillWire", "BrokerBase", "BrowserHost", "BrowserPasswords", "CAdwaita", "CAdwaitaShims", "CCurl",
        "CExpat", "CGcrypt", "CIDN2", "CLandlock", "CLibCrypto", "CLibGcrypt", "CNSS", "CObservation", "CPAM", "CPNG",
        "CPSL", "CQREncode", "CSQLite", "CSeccomp", "CSecret", "CSodium", "CSys", "CSystemd", "CTSS2", "CTurboJPEG",
        "CWayland", "CWaylandShims", "CXCB", "CZBar", "CZip", "CZlib", "CZxcvbn", "ClipboardService", "CodeLinks",
        "Confinement", "ConfinementEntry", "CredentialExchange", "CryptoKit", "ExchangePackages", "ExportWriting",
        "HybridEncryption", "IdentityIndex", "ImportReading", "ImportedErrors", "Importing", "KeePassDatabases",
        "KeywayCommand", "KeywayCrypto", "KeywayProvider", "KeywaySQLite", "KeywaySystem", "LocalAuthentication",
        "LoginMonitor", "OneTimeCodes", "OtherCiphers", "PNGPictures", "PassEntries", "PassReading",
        "PasskeySignatures", "PasswordRules", "PasswordStrength", "PasswordsApp", "PasswordsExtension",
        "PasswordsProtocol", "PasswordsService", "PersonCheck", "ProviderHosting", "ProviderKit", "QRReading",
        "QRWriting", "RelatedOrigins", "SecretDocuments", "ServiceMatching", "SheetInterface", "StoreKey", "SystemBus",
        "TerminalInterface", "Vault", "VaultExchange", "WebAuthnValues", "ZipArchives",
    ]

    /// Whether `name` can name the package, the program and the class.
    package static func isName(_ name: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
        }
        func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
        guard let first = name.utf8.first, isLetter(first), first & 0x20 == 0 else { return false }
        return name.utf8.count <= 40 && name.utf8.allSatisfy { isLetter($0) || isDigit($0) }
    }

    private func write(_ path: String, _ name: String, to target: String) throws {
        // A name with a dot would hide the file in the source tree, too.
        let destination = "\(target)/\(path == "gitignore" ? ".gitignore" : replaced(path, name))"
        var isFolder = false
        guard FileManager.default.fileExists(atPath: "\(source)/\(path)", isDirectory: &isFolder) else { return }
        if isFolder {
            return try FileManager.default.createDirectory(atPath: destination, withIntermediateDirectories: true)
        }
        let text = String(decoding: try Data(contentsOf: URL(filePath: "\(source)/\(path)")), as: UTF8.self)
        try Data(replaced(text, name).utf8).write(to: URL(filePath: destination), options: .withoutOverwriting)
    }

    private func replaced(_ text: String, _ name: String) -> String {
        text.replacing("__NAME__", with: name).replacing("__name__", with: name.lowercased())
            .replacing("__KEYWAY__", with: keyway)
    }

    private static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    private static func makeFolders(_ path: String) -> CInt {
        let isMade = (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) != nil
        return isMade ? 0 : -1
    }
}
