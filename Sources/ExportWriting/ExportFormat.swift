/// A format that is written from a document of CXF. The raw value is its name on the command line, and where a file of it is
/// read.
package enum ExportFormat: String, Sendable, CaseIterable {
    case appleCSV = "apple-csv"
    case bitwardenCSV = "bitwarden-csv"
    case chromeCSV = "chrome-csv"
    case exchangePackage = "cxp"
    case firefoxCSV = "firefox-csv"
    case keepassDatabase = "kdbx"

    /// How it is written, where it is a table.
    var table: (any ExportTable.Type)? {
        switch self {
        case .appleCSV: AppleTable.self
        case .bitwardenCSV: BitwardenTable.self
        case .chromeCSV: ChromeTable.self
        case .firefoxCSV: FirefoxTable.self
        case .exchangePackage, .keepassDatabase: nil
        }
    }
}
