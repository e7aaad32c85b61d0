import CredentialExchange
import KeywayCrypto
import SecretDocuments
import ZipArchives

/// Archives of other managers and of Safari: what is in them is recognised like any other file.
enum ZipImport {
    private static let protonData = "Proton Pass/data.json"
    /// The members of Dashlane's archive.
    private static let dashlane = [
        "credentials.csv", "securenotes.csv", "payments.csv", "ids.csv", "personalInfo.csv", "wifi.csv",
    ]

    static func format(of bytes: UnsafeRawBufferPointer) throws -> ImportFormat {
        let archive = try ZipArchive(bytes)
        if try archive.member(named: "export.data") != nil { return .onePasswordPUX }
        if try archive.member(named: protonData) != nil { return .protonZip }
        if try archive.member(named: "credentials.csv") != nil { return .dashlaneZip }
        if try archive.member(named: "Proton Pass/data.pgp") != nil {
            throw ImportError(.unsupported, "the file is encrypted with PGP")
        }
        // Safari gives its members localized names.
        for member in candidates(in: archive) where try format(of: member, in: archive) == .appleCSV {
            return .appleZip
        }
        throw ImportFormat.unknown
    }

    /// Members that may be a table or JSON; what macOS adds about each file is none.
    private static func candidates(in archive: ZipArchive) -> [ZipArchive.Member] {
        archive.members.filter { member in
            let name = member.name.lowercased()
            return !name.hasPrefix("__macosx/") && (name.hasSuffix(".csv") || name.hasSuffix(".json"))
        }
    }

    private static func format(of member: ZipArchive.Member, in archive: ZipArchive) throws -> ImportFormat? {
        try archive.content(of: member).withUnsafeBytes { try? ImportFormat.recognize($0, mayBeArchive: false) }
    }

    // MARK: - Reading

    static let onePassword = reader { source, archive, take in
        try read("export.data", as: .onePasswordPUX, source, archive, take)
    }

    static let proton = reader { source, archive, take in try read(protonData, as: .protonJSON, source, archive, take) }

    static let dashlaneArchive = reader { source, archive, take in
        for name in dashlane { try read(name, as: .dashlaneCSV, source, archive, take) }
    }

    static let apple = reader { source, archive, take in
        for member in candidates(in: archive) {
            let content = try archive.content(of: member)
            try content.withUnsafeBytes { bytes in
                if (try? ImportFormat.recognize(bytes, mayBeArchive: false)) == .appleCSV {
                    try Importer.read(source.part(bytes), as: .appleCSV, take)
                } else if let cards = try JSONOutline(checkedText(bytes), leaving: ["payment_cards"]) {
                    try readCards(cards, bytes, take)
                }
            }
        }
    }

    private static func readCards(
        _ outline: JSONOutline, _ bytes: UnsafeRawBufferPointer, _ take: ImportSink
    ) throws {
        try JSONFormat.each(of: outline.places["payment_cards"], in: bytes, take) { card, record in
            var record = record
            record.title = card.publicText("card_name")
            let (month, year) = (card["card_expiration_month"]?.integer, card["card_expiration_year"]?.integer)
            let expiry = month.flatMap { month in
                year.flatMap { CardDate.yearMonth(Int(clamping: $0), Int(clamping: month)) }
            }
            record.add(
                .creditCard,
                [
                    ("number", card.filled("card_number")?.field(.concealed)),
                    ("fullName", card.filled("cardholder_name")?.field()), ("expiryDate", expiry?.field(.yearMonth)),
                ])
            return .record(record)
        }
    }

    private static func read(
        _ name: String, as format: ImportFormat, _ source: ImportSource, _ archive: ZipArchive, _ take: ImportSink
    ) throws {
        guard let member = try archive.member(named: name) else { return }
        try archive.content(of: member).withUnsafeBytes { bytes in
            let reader =
                format == .onePasswordPUX ? JSONFormat.reader(OnePasswordData.read) : ImportFormat.readers[format]
            var part = source.part(bytes)
            part.archive = archive
            try reader?(part) { (event) throws(ImportError) in
                // Several members have a first line each.
                switch event {
                case .record(var record):
                    record.place = "\(name), \(record.place)"
                    try take(.record(record))
                case .item(let item, var origin):
                    origin.place = "\(name), \(origin.place)"
                    try take(.item(item, origin))
                case .skipped(let entry):
                    try take(.skipped(SkippedEntry(place: "\(name), \(entry.place)", reason: entry.reason)))
                }
            }
        }
    }

    private static func reader(
        _ read: @escaping @Sendable (ImportSource, ZipArchive, ImportSink) throws -> Void
    ) -> @Sendable (ImportSource, ImportSink) throws(ImportError) -> Void {
        { (source, take) throws(ImportError) in
            do {
                try read(source, ZipArchive(source.bytes), take)
            } catch let error as ZipError {
                throw ImportError(error)
            } catch let error as DocumentError {
                throw ImportError(error)
            } catch let error as ImportError {
                throw error
            } catch {
                throw ImportError(.failed, "the file couldn't be read")
            }
        }
    }
}

extension ImportSource {
    /// Something within the file, with what is known of the file.
    func part(_ bytes: UnsafeRawBufferPointer) -> ImportSource {
        var part = ImportSource(
            bytes, password: password, keyFile: keyFile, derivationMemory: derivationMemory, now: now)
        part.files = files
        return part
    }
}

extension ImportError {
    init(_ error: ZipError) {
        switch error.code {
        case .damaged, .forbidden: self.init(.damaged, error.detail)
        case .tooLarge: self.init(.tooLarge, error.detail)
        case .unsupported: self.init(.unsupported, error.detail)
        case .failed: self.init(.failed, error.detail)
        }
    }
}
