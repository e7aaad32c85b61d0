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
    private let now: Int64
    private let random: any RandomSource

    /// A writer of that document, which must stay meanwhile; `now` is in seconds since 1970.
    package init(_ document: UnsafeRawBufferPointer, now: Int64, random: any RandomSource) {
        self.document = document
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
            for reason in record.notices + KeePassExport.losses(of: record) { report.add(record.loss(reason)) }
            all.append(record)
        }
        report.entries = all.count
        try bytes(of: all, password).lend { (bytes) throws(ImportError) in try write(bytes) }
        return report
    }

    private func bytes(of records: [ImportedRecord], _ password: SecretBytes) throws(ImportError) -> [UInt8] {
        do throws(KeePassError) {
            guard let key = try KeePassKey(password: password, keyFile: nil) else { return [] }
            let export = KeePassExport(records, name: "Keyway", now: now, random: random)
            return try KeePassWriter(key: key, random: random).write { export.write($0) }
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
                guard let item = asked.item else { continue }
                try writer.add(item)
                report.entries += 1
            }
        }
        if request.wantsAccountsAlone { report.notices.append("The request asks for no items.") }
        try writer.finish(header, write)
        return report
    }

    /// The records of the document, one after another.
    private func records(_ take: (ImportedRecord) throws(ImportError) -> Void) throws(ImportError) {
        var source = ImportSource(document, now: now)
        source.bounds = .ours
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
