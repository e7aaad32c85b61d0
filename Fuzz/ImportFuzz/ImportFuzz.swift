@testable import CodeLinks
@testable import CredentialExchange
@testable import Importing
@testable import SecretDocuments

/// Whatever a file holds, it is recognised and read, or refused; and what was read is the same once it was an item of CXF.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImports(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    let source = ImportSource(bytes, now: 1_790_000_000)
    check { take throws(ImportError) in _ = try Importer.read(source, take) }
    // Whatever it is, as rows of one format: what is recognised are few of the possible headers.
    let format = ImportFormat.tables[count % ImportFormat.tables.count].0
    check { take throws(ImportError) in try Importer.read(source, as: format, take) }
    _ = ImportFailure(bytes)
    return 0
}

private func check(_ read: ((ImportEvent) throws(ImportError) -> Void) throws(ImportError) -> Void) {
    var (records, document) = ([ImportedRecord](), [UInt8]())
    try? read { event in if case .record(let record) = event { records.append(record) } }
    let header = ExchangeHeader(exporter: ImportOrigin.exporter, displayName: "", timestamp: 1)
    let writer = ExchangeWriter<Never>(header) { document += $0 }
    writer.begin(ExchangeAccount(id: "AAAA"))
    for record in records { writer.addItem { record.write(asItem: "AAAA", to: $0) } }
    writer.endAccount { ImportSummary(format: "csv", skipped: []).write(to: $0) }
    writer.end()
    document.withUnsafeBytes { bytes in
        guard let reader = try? ExchangeReader(bytes) else { preconditionFailure("it is a document") }
        var items = reader.items(of: reader.accounts[0])
        for record in records {
            // An entry of more parts than are read of an item is refused, never changed.
            guard let item = try? items.next() else { return }
            compare(record, item, ImportOrigin(item))
        }
    }
}

private func compare(_ record: ImportedRecord, _ found: ExchangeItem, _ origin: ImportOrigin) {
    precondition(found.title == record.title && found.tags == record.tags, "the same names")
    precondition(found.isFavorite == record.isFavorite, "as dear")
    precondition(origin.folder == record.folder && origin.notices == record.notices, "the same folder and notices")
    precondition(origin.place == record.place && origin.isForHTTP == record.isForHTTP, "the same place")
    var (codes, passkeys, notes) = ([CodeRecipe](), [ExchangePasskey](), SecretText?.none)
    for part in found.parts {
        switch part {
        case .login(let credential) where !record.userName.isEmpty || record.password != nil:
            precondition(credential.field("password")?.value == record.password, "the same password")
            precondition((credential.field("username")?.value?.publicText ?? "") == record.userName, "the same user")
        case .notes(let credential): notes = credential.field("content")?.value
        case .code(let setup, _): codes.append(setup.recipe)
        case .codeLinks(let setups, _), .fields(_, let setups): codes += setups.map(\.recipe)
        case .passkey(let passkey, _): passkeys.append(passkey)
        default: break
        }
    }
    if let expected = record.notes { precondition(notes == expected, "the same notes") }
    precondition(passkeys.starts(with: record.passkeys), "the same passkeys")
    for code in record.codes { precondition(codes.contains(code.recipe), "the same codes") }
}
