import CredentialExchange
import SecretDocuments

/// The Credential Exchange Format of the FIDO Alliance, version 1.0: its items go on as they are. What nobody can use is
/// told; only times that were written wrongly are put right.
enum CXFImport {
    static func read(_ source: ImportSource, _ take: ImportSink) throws(ImportError) {
        do {
            try readAll(source, take)
        } catch let error as ImportError {
            throw error
        } catch let error as ExchangeError {
            throw ImportError(error)
        } catch {
            throw ImportError(.failed, "the file couldn't be read")
        }
    }

    private static func readAll(_ source: ImportSource, _ take: ImportSink) throws {
        var document = try ExchangeReader(source.bytes, bounds: source.bounds)
        // What was exported is no younger than the export.
        let now =
            document.header?.timestamp.flatMap { $0 > 0 && $0 <= source.now + 366 * 86_400 ? $0 : nil } ?? source.now
        let places = document.takePlaces()
        for (accountIndex, account) in document.accounts.enumerated() {
            let id = account.account.id
            var (items, index, known) = (document.items(of: account), 0, Set<String>())
            while var item = try items.next() {
                index += 1
                var origin = ImportOrigin(item).ofTheItem
                origin.place =
                    document.accounts.count > 1 ? "account \(accountIndex + 1), item \(index)" : "item \(index)"
                origin.account = id
                origin.places = places[id, item.id]
                origin.notices = notices(of: item, source.files)
                if !item.id.isEmpty, !known.insert(item.id).inserted {
                    origin.notices.append("It has the same identifier as another item. Both are kept.")
                }
                item.correctTimes(now: now)
                try take(.item(item, origin))
            }
        }
    }

    /// What of an item can't be used, as whoever stores it finds, too.
    private static func notices(of item: ExchangeItem, _ files: FileSink?) -> [String] {
        var (unusable, notices) = (UnusableCredentials(), [String]())
        for part in item.parts {
            switch part {
            case .unusable(let credential, let reason):
                if let notice = unusable.notice(credential, reason) { notices.append(notice) }
            case .file(let credential):
                if let content = credential.fileContent, files?.has(content.hash, size: content.size) == true { break }
                if let notice = unusable.notice(credential, ExchangePart.fileElsewhere) { notices.append(notice) }
            case .brokenPasskey(let reason): notices.append(UnusableCredentials.notice(ofPasskey: reason))
            default: break
            }
        }
        return notices
    }
}

extension ExchangeItem {
    /// Puts times right that say another one than they were meant for; takes those away that stand for none.
    fileprivate mutating func correctTimes(now: Int64) {
        for (name, time) in [("creationAt", created), ("modifiedAt", modified)] where object[name]?.isNull == false {
            let meant = Self.corrected(time, now: now)
            if meant != time { object[name] = meant.map { .integer($0) } }
        }
    }
}
