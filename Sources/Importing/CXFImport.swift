import CodeLinks
import CredentialExchange
import KeywayCrypto
import SecretDocuments

/// The Credential Exchange Format of the FIDO Alliance, version 1.0.
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
        let document = try ExchangeReader(source.bytes, bounds: source.bounds)
        // What was exported is no younger than the export.
        let now =
            document.header?.timestamp.flatMap { $0 > 0 && $0 <= source.now + 366 * 86_400 ? $0 : nil } ?? source.now
        for (accountIndex, account) in document.accounts.enumerated() {
            let folders = account.account.folders
            var (items, index, known) = (document.items(of: account), 0, Set<String>())
            while let item = try items.next() {
                index += 1
                let place = document.accounts.count > 1 ? "account \(accountIndex + 1), item \(index)" : "item \(index)"
                var record = record(item, at: place, now: now)
                record.folder = folders[item.id] ?? []
                if !item.id.isEmpty, !known.insert(item.id).inserted {
                    record.notices.append("It has the same identifier as another item. Both are kept.")
                }
                try take(.record(record))
            }
        }
    }

    /// The record that an item is.
    static func record(_ item: ExchangeItem, at place: String, now: Int64) -> ImportedRecord {
        var record = ImportedRecord(place: place)
        record.title = item.title
        record.urls = item.urls.filter { !$0.isEmpty } + item.androidApps.map { "androidapp://\($0)" }
        record.isFavorite = item.isFavorite
        // As Keyway's own exports have it.
        record.isForHTTP = ImportOrigin(item).isForHTTP
        record.tags = item.tags
        record.created = ExchangeItem.corrected(item.created, now: now)
        record.modified = ExchangeItem.corrected(item.modified, now: now)
        var hasLogin = false
        for credential in item.credentials {
            switch credential.type {
            case .basicAuthentication where !hasLogin:
                hasLogin = true
                record.userName = credential.field("username")?.value?.publicText ?? ""
                record.set(password: credential.field("password")?.value)
                // As drafts of 2024 had it.
                for url in credential.object["urls"]?.elements ?? [] { record.add(url: url.publicText ?? "") }
            default: add(credential, to: &record)
            }
        }
        return record
    }

    private static func add(_ credential: ExchangeCredential, to record: inout ImportedRecord) {
        switch credential.type {
        case .note where record.notes == nil: record.set(notes: credential.field("content")?.value)
        case .totp: addCode(credential, to: &record)
        case .passkey:
            do {
                record.passkeys.append(try ExchangePasskey(credential))
            } catch {
                record.notices.append("A passkey is left out: \(error.detail).")
            }
        case .customFields where credential.object["extensions"] == nil && isUnnamed(credential):
            for field in credential.fields { add(field, to: &record) }
        default: record.credentials.append(credential)
        }
    }

    /// Whether fields stand in no section of the person's: in none, or in that for codes which CXF cannot say otherwise.
    private static func isUnnamed(_ credential: ExchangeCredential) -> Bool {
        let label = credential.object.publicText("label")
        return label.isEmpty
            || label == ImportOrigin.codesLabel && credential.fields.allSatisfy { $0.value.map(isCodeLink) ?? false }
    }

    private static func isCodeLink(_ text: SecretText) -> Bool {
        text.withUnsafeBytes { $0.starts(with: "otpauth://".utf8) }
    }

    private static func add(_ field: ExchangeField, to record: inout ImportedRecord) {
        guard let value = field.value?.nonEmpty else { return }
        // 1Password writes its codes as fields, beside those that are credentials.
        if isCodeLink(value), let setups = try? CodeSetup.read(value.secret) {
            for setup in setups where !record.codes.contains(where: { $0.recipe == setup.recipe }) {
                record.codes.append(setup)
            }
            return
        }
        record.fields.append(ImportedField(label: field.label ?? "", value: value, isHidden: field.isHidden))
    }

    private static func addCode(_ credential: ExchangeCredential, to record: inout ImportedRecord) {
        let object = credential.object
        let algorithm = object.publicText("algorithm").lowercased()
        guard let secret = object.text("secret"), let known = algorithms[algorithm] else {
            record.notices.append("A one-time code is left out: its hash isn't one that Keyway knows.")
            return
        }
        do {
            let secret = try secret.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in try Base32.secret(in: bytes) }
            let period = UInt32(clamping: object["period"]?.integer ?? Int64(CodeRecipe.usualPeriod))
            let recipe = try CodeRecipe(
                algorithm == "steam" ? .steam : .time(period: period), secret: secret, algorithm: known,
                digits: Int(clamping: object["digits"]?.integer ?? Int64(CodeRecipe.usualDigits)))
            record.codes.append(
                try CodeSetup(
                    issuer: object.publicText("issuer"), account: object.publicText("username"), recipe: recipe))
        } catch {
            record.notices.append("A one-time code is left out. \(error.words)")
        }
    }

    private static let algorithms: [String: CodeAlgorithm] = [
        "": .sha1, "sha1": .sha1, "sha-1": .sha1, "sha256": .sha256, "sha-256": .sha256, "sha512": .sha512,
        "sha-512": .sha512, "steam": .sha1,
    ]
}
