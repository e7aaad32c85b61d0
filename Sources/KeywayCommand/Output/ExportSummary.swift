import CredentialExchange

/// What is said of a file without its entries: made in one walk through its document.
struct ExportSummary: Sendable {
    /// An entry of which something was said when it was read.
    struct Remark: Sendable {
        /// Which one, counted from 0.
        let number: Int
        /// Where it stood in the file.
        let place: String
        /// Its title.
        let title: String
        /// What was said: sentences.
        let notices: [String]
    }

    /// The file in one line, with its format and what there is in it.
    let heading: String
    /// How many entries there are.
    let count: Int
    /// The entries that were left out.
    let skipped: [ImportSummary.Skipped]
    /// What was said of others.
    let remarks: [Remark]

    /// Walks through a document.
    ///
    /// - Parameter opened: the document, where it was looked through already.
    /// - Throws: ``CommandError``: `damaged` where the document is none.
    init(of export: ReadExport, _ opened: OpenedExport? = nil) throws {
        var counts: [ImportedAccount.Part: Int] = [:]
        var (remarks, number) = ([Remark](), 0)
        let (name, summary, count) = try export.walk(opened) { header, summary, count in
            (header.displayName, summary, count)
        } _: { account in
            for part in account.parts { counts[part, default: 0] += 1 }
            if !account.origin.notices.isEmpty {
                remarks.append(
                    Remark(
                        number: number, place: account.origin.place, title: account.item.title,
                        notices: account.origin.notices))
            }
            number += 1
        }
        let parts = ImportedAccount.Part.allCases.compactMap { part in
            counts[part].map { Strings.imported(part, $0) }
        }
        heading = Strings.importSummary(export.file.path, format: name, count: count, parts: parts)
        self.count = count
        skipped = summary.skipped
        self.remarks = remarks
    }
}
