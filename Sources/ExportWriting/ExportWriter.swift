package import CredentialExchange
package import ExchangePackages
package import Importing
import KeePassDatabases
package import KeywayCrypto
import SecretDocuments

/// Writes a document of CXF, which our own vault has written, in another program's format.
package struct ExportWriter {
    /// How a file is handed on: in pieces.
    package typealias Sink = (UnsafeRawBufferPointer) throws(ImportError) -> Void

    private let document: UnsafeRawBufferPointer
    /// What is in the files that it names.
    private let bundle: ExchangeBundle?
    private let now: Int64
    private let random: any RandomSource

    /// A writer of that document, which must stay meanwhile; `now` is in seconds since 1970.
    package init(_ document: UnsafeRawBufferPointer, now: Int64, random: any RandomSource) {
        // One that is no bundle is read as a document, and refused there.
        bundle = try? ExchangeBundle(document)
        self.document = bundle?.document ?? document
        self.now = now
        self.random = random
    }

    /// Writes a table.
    ///
    /// - Throws: ``ImportError``: `unsupported` for a format that is none; what `write` throws.
    package func table(_ format: ExportFormat, _ write: @escaping Sink) throws(ImportError) -> ExportReport {
        guard let table = format.table else { throw ImportError(.unsupported, "\(format.rawValue) is no table") }
        return try table.write(random: random, write) { (take) throws(ImportError) in try records(take) }
    }

    /// Writes a database of KeePass that opens with `password`.
    ///
    /// - Throws: ``ImportError``: `tooLarge`, `failed`; what `write` throws.
    package func database(_ password: SecretBytes, _ write: Sink) throws(ImportError) -> ExportReport {
        var (all, report) = ([ImportedRecord](), ExportReport())
        try records { record in
            let files = record.files.filter { bundle?[$0.mark.hash] == nil }.map { Self.loss(ofFile: $0.name) }
            for reason in record.notices + files + KeePassExport.losses(of: record) { report.add(record.loss(reason)) }
            all.append(record)
        }
        report.entries = all.count
        try bytes(of: all, password).lend { (bytes) throws(ImportError) in try write(bytes) }
        return report
    }

    private func bytes(of records: [ImportedRecord], _ password: SecretBytes) throws(ImportError) -> [UInt8] {
        do throws(KeePassError) {
            guard let key = try KeePassKey(password: password, keyFile: nil) else { return [] }
            let export = KeePassExport(records, name: "Keyway", now: now, random: random) { bundle?[$0] != nil }
            let files = export.files.compactMap { bundle?[$0] }
            return try KeePassWriter(key: key, random: random).write(files: files) { export.write($0) }
        } catch {
            throw ImportError(error.code == .tooLarge ? .tooLarge : .failed, error.detail)
        }
    }

    /// Answers a request: with what it asks for, encrypted for its keys.
    ///
    /// - Throws: ``ImportError``.
    package func package(for request: ExchangeRequest, _ write: @escaping Sink) throws(ImportError) -> ExportReport {
        do {
            return try package(request) { (bytes) throws(ExchangePackageError) in
                do throws(ImportError) { try write(bytes) } catch {
                    throw ExchangePackageError(.failed, error.detail)
                }
            }
        } catch let error as ExchangePackageError {
            throw ImportError(error)
        } catch let error as ExchangeError {
            throw ImportError(.damaged, error.detail, error.place)
        } catch {
            throw ImportError(.failed, "the answer couldn't be written")
        }
    }

    private func package(
        _ request: ExchangeRequest, _ write: @escaping (UnsafeRawBufferPointer) throws(ExchangePackageError) -> Void
    ) throws -> ExportReport {
        let reader = try ExchangeReader(document, bounds: .ours)
        guard let header = reader.header else { throw ExchangePackageError(.damaged, "the document has no header") }
        let writer = try PackageWriter(request, random: random)
        var report = ExportReport()
        for account in reader.accounts {
            writer.begin(account.account)
            guard !request.wantsAccountsAlone else { continue }
            var items = reader.items(of: account)
            while let item = try items.next() {
                let asked = RequestedItem(item, by: request)
                for reason in asked.losses { report.add(.init(title: item.title, user: item.userName, reason: reason)) }
                guard var item = asked.item else { continue }
                for reason in try add(filesOf: &item, to: writer) {
                    report.add(.init(title: item.title, user: item.userName, reason: reason))
                }
                try writer.add(item)
                report.entries += 1
            }
        }
        if request.wantsAccountsAlone { report.notices.append("The request asks for no items.") }
        try writer.finish(header, write)
        return report
    }

    /// Adds what is in the files of an item; those for which there is no room leave the item.
    ///
    /// - Returns: what is lost, in sentences.
    private func add(filesOf item: inout ExchangeItem, to writer: PackageWriter) throws -> [String] {
        guard item.credentials.contains(where: { $0.type == .file }) else { return [] }
        var (kept, losses) = ([SecretDocuments.JSONValue](), [String]())
        for credential in item.credentials {
            // One whose content was never there stays as it is.
            if let hash = credential.fileContent?.hash, let bytes = bundle?[hash] {
                guard try writer.add(file: hash, bytes) else {
                    losses.append(Self.loss(ofFile: credential.object.publicText("name")))
                    continue
                }
            }
            kept.append(.object(credential.object))
        }
        item.object["credentials"] = .array(kept)
        return losses
    }

    private static func loss(ofFile name: String) -> String { "What is in its file “\(name)” is left out." }

    /// The records of the document, one after another.
    private func records(_ take: (ImportedRecord) throws(ImportError) -> Void) throws(ImportError) {
        var source = ImportSource(document, now: now)
        source.bounds = .ours
        // What is in files is there: nothing of it is told as missing.
        let files = FileSink { _, _ in false }
        for hash in bundle?.hashes ?? [] { files.note(hash, size: bundle?[hash]?.count ?? 0) }
        source.files = files
        try Importer.read(source, as: .cxf) { (event) throws(ImportError) in
            guard case .item(let item, let origin) = event else { return }
            var record = ImportedRecord(item, origin)
            record.notices += ItemRest.losses(of: item)
            try take(record)
        }
    }
}

extension ExchangeItem {
    /// The name of the account that it signs in to; empty where it is for none.
    fileprivate var userName: String {
        credentials.lazy.compactMap { credential -> String? in
            switch credential.type {
            case .basicAuthentication: credential.field("username")?.value?.publicText
            case .passkey: credential.object.publicText("username")
            default: nil
            }
        }.first ?? ""
    }
}
