import CredentialExchange
import KeePassDatabases
import SecretDocuments
import ZipArchives

/// A format that is recognised. The raw value is its name in `keyway import --json`.
package enum ImportFormat: String, Sendable, CaseIterable {
    case cxf
    case exchangePackage = "cxp"
    case appleCSV = "apple-csv"
    case appleZip = "apple-zip"
    case bitwardenCSV = "bitwarden-csv"
    case bitwardenJSON = "bitwarden-json"
    case chromeCSV = "chrome-csv"
    case dashlaneCSV = "dashlane-csv"
    case dashlaneJSON = "dashlane-json"
    case dashlaneZip = "dashlane-zip"
    case enpassCSV = "enpass-csv"
    case enpassJSON = "enpass-json"
    case firefoxCSV = "firefox-csv"
    case keepass1CSV = "keepass1-csv"
    case keepassDatabase = "kdbx"
    case keepassXML = "keepass-xml"
    case keepassXCCSV = "keepassxc-csv"
    case keeperCSV = "keeper-csv"
    case keeperJSON = "keeper-json"
    case lastPassCSV = "lastpass-csv"
    case nordPassCSV = "nordpass-csv"
    case onePasswordCSV = "1password-csv"
    case onePassword7CSV = "1password7-csv"
    case onePasswordPIF = "1password-1pif"
    case onePasswordPUX = "1password-1pux"
    case pass
    case protonCSV = "proton-csv"
    case protonJSON = "proton-json"
    case protonZip = "proton-zip"
    case roboFormCSV = "roboform-csv"
    case aegis
    case andOTP = "andotp"
    case freeOTP = "freeotp"
    case twoFAS = "2fas"
    case codeLinks = "otpauth"

    /// Its name for people.
    package var displayName: String {
        switch self {
        case .cxf: "Credential Exchange Format"
        case .exchangePackage: "Credential Exchange Protocol"
        case .appleCSV: "Apple Passwords CSV"
        case .appleZip: "Safari browser data"
        case .bitwardenCSV: "Bitwarden CSV"
        case .bitwardenJSON: "Bitwarden JSON"
        case .chromeCSV: "Chrome CSV"
        case .dashlaneCSV: "Dashlane CSV"
        case .dashlaneJSON: "Dashlane JSON"
        case .dashlaneZip: "Dashlane zip"
        case .enpassCSV: "Enpass CSV"
        case .enpassJSON: "Enpass JSON"
        case .firefoxCSV: "Firefox CSV"
        case .keepass1CSV: "KeePass 1 CSV"
        case .keepassDatabase: "KeePass database"
        case .keepassXML: "KeePass XML"
        case .keepassXCCSV: "KeePassXC CSV"
        case .keeperCSV: "Keeper CSV"
        case .keeperJSON: "Keeper JSON"
        case .lastPassCSV: "LastPass CSV"
        case .nordPassCSV: "NordPass CSV"
        case .onePasswordCSV: "1Password CSV"
        case .onePassword7CSV: "1Password 7 CSV"
        case .onePasswordPIF: "1Password 1PIF"
        case .onePasswordPUX: "1Password 1PUX"
        case .pass: "pass"
        case .protonCSV: "Proton Pass CSV"
        case .protonJSON: "Proton Pass JSON"
        case .protonZip: "Proton Pass zip"
        case .roboFormCSV: "RoboForm CSV"
        case .aegis: "Aegis"
        case .andOTP: "andOTP"
        case .freeOTP: "FreeOTP+"
        case .twoFAS: "2FAS"
        case .codeLinks: "links for one-time codes"
        }
    }

    /// How each is read.
    static let readers: [ImportFormat: @Sendable (ImportSource, ImportSink) throws(ImportError) -> Void] = [
        .cxf: CXFImport.read,
        .exchangePackage: ExchangePackageImport.read,
        .codeLinks: CodeLinkLines.read,
        .pass: PassImport.read,
        .bitwardenJSON: JSONFormat.reader(BitwardenJSON.read),
        .protonJSON: JSONFormat.reader(ProtonJSON.read),
        .dashlaneJSON: JSONFormat.reader(DashlaneJSON.read),
        .enpassJSON: JSONFormat.reader(EnpassJSON.read),
        .keeperJSON: JSONFormat.reader(KeeperJSON.read),
        .onePasswordPUX: OnePasswordData.reader,
        .protonZip: ZipImport.proton,
        .dashlaneZip: ZipImport.dashlaneArchive,
        .appleZip: ZipImport.apple,
        .keepassDatabase: KeePassDatabaseImport.read,
        .keepassXML: JSONFormat.reader(KeePassXML.read),
        .onePasswordPIF: JSONFormat.reader(OnePasswordPIF.read),
        .aegis: JSONFormat.reader(AegisJSON.read),
        .twoFAS: JSONFormat.reader(TwoFASJSON.read),
        .andOTP: JSONFormat.reader(AndOTPJSON.read),
        .freeOTP: JSONFormat.reader(FreeOTPJSON.read),
        .appleCSV: CSVTable.reader(AppleCSV.self),
        .bitwardenCSV: CSVTable.reader(BitwardenCSV.self),
        .chromeCSV: CSVTable.reader(ChromeCSV.self),
        .dashlaneCSV: CSVTable.reader(DashlaneCSV.self),
        .enpassCSV: CSVTable.reader(EnpassCSV.self),
        .firefoxCSV: CSVTable.reader(FirefoxCSV.self),
        .keepass1CSV: CSVTable.reader(KeePass1CSV.self),
        .keepassXCCSV: CSVTable.reader(KeePassXCCSV.self),
        .keeperCSV: CSVTable.reader(KeeperCSV.self),
        .lastPassCSV: CSVTable.reader(LastPassCSV.self),
        .nordPassCSV: CSVTable.reader(NordPassCSV.self),
        .onePasswordCSV: CSVTable.reader(OnePasswordCSV.self),
        .onePassword7CSV: CSVTable.reader(OnePassword7CSV.self),
        .protonCSV: CSVTable.reader(ProtonCSV.self),
        .roboFormCSV: CSVTable.reader(RoboFormCSV.self),
    ]

    /// Those that are CSV, in the order in which they are tried: the ones with the most telling columns first.
    static let tables: [(ImportFormat, any CSVFormat.Type)] = [
        (.onePassword7CSV, OnePassword7CSV.self), (.onePasswordCSV, OnePasswordCSV.self),
        (.firefoxCSV, FirefoxCSV.self), (.bitwardenCSV, BitwardenCSV.self), (.lastPassCSV, LastPassCSV.self),
        (.nordPassCSV, NordPassCSV.self), (.dashlaneCSV, DashlaneCSV.self), (.protonCSV, ProtonCSV.self),
        (.roboFormCSV, RoboFormCSV.self), (.keepassXCCSV, KeePassXCCSV.self), (.keepass1CSV, KeePass1CSV.self),
        (.appleCSV, AppleCSV.self), (.chromeCSV, ChromeCSV.self), (.enpassCSV, EnpassCSV.self),
        (.keeperCSV, KeeperCSV.self),
    ]

    /// The format of a file, by what is in it.
    ///
    /// - Parameter mayBeArchive: false for what lies in an archive: another one in there is no export, and could hold
    ///   itself.
    /// - Throws: ``ImportError``: `unknownFormat`, `damaged`, `tooLarge`.
    package static func recognize(
        _ bytes: UnsafeRawBufferPointer, mayBeArchive: Bool = true
    ) throws(ImportError) -> ImportFormat {
        do {
            if mayBeArchive, ZipArchive.fits(bytes) { return try ZipImport.format(of: bytes) }
            if mayBeArchive, KeePassDatabase.fits(bytes) { return .keepassDatabase }
            if mayBeArchive, PassImport.fits(bytes) { return .pass }
            let text = try checkedText(bytes)
            guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
                throw ImportError(.unknownFormat, "the file is empty")
            }
            if OnePasswordPIF.fits(text) { return .onePasswordPIF }
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["): return try JSONShape.format(of: text)
            default: break
            }
            if KeePassXML.fits(text) { return .keepassXML }
            if CodeLinkLines.fits(text) { return .codeLinks }
            return try CSVTable.format(of: text)
        } catch let error as DocumentError {
            throw ImportError(error)
        } catch let error as ZipError {
            throw ImportError(error)
        } catch let error as ImportError {
            throw error
        } catch {
            throw ImportError(.failed, "the file couldn't be looked at")
        }
    }

    static let unknown = ImportError(.unknownFormat, "Keyway doesn't know a format that looks like this file")
}
