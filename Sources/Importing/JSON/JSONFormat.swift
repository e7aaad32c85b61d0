import CodeLinks
import CredentialExchange
import KeywayCrypto
import SecretDocuments

/// Reads formats that are JSON.
enum JSONFormat {
    /// A reader that is handed the checked text of a file, and whose errors are told as those of an import.
    static func reader(
        _ read: @escaping @Sendable (ImportSource, UnsafeRawBufferPointer, ImportSink) throws -> Void
    ) -> @Sendable (ImportSource, ImportSink) throws(ImportError) -> Void {
        { (source, take) throws(ImportError) in
            do {
                try read(source, checkedText(source.bytes), take)
            } catch let error as DocumentError {
                throw ImportError(error)
            } catch let error as ExchangeError {
                throw ImportError(error)
            } catch let error as ImportError {
                throw error
            } catch {
                throw ImportError(.failed, "the file couldn't be read")
            }
        }
    }

    /// Hands on each element of an array of objects.
    static func each(
        of place: Range<Int>?, in bytes: UnsafeRawBufferPointer, _ take: ImportSink,
        _ read: (JSONObject, ImportedRecord) -> CSVOutcome
    ) throws {
        guard let place, let places = try JSONOutline.elements(at: place, in: bytes) else { return }
        var (values, index) = (JSONValues(at: places, in: bytes), 0)
        while let value = try values.next() {
            index += 1
            let record = ImportedRecord(place: "item \(index)")
            guard let object = value.object else {
                try take(.skipped(SkippedEntry(place: record.place, reason: "It is no entry of this format.")))
                continue
            }
            switch read(object, record) {
            case .record(let record): try take(.record(record))
            case .skipped(let reason): try take(.skipped(SkippedEntry(place: record.place, reason: reason)))
            case .nothing: break
            }
        }
    }
}

/// Tells the formats apart that are JSON, by their members.
enum JSONShape {
    private static let arrays: Set<String> = [
        "accounts", "items", "vaults", "services", "db", "tokens", "records", "AUTHENTIFIANT", "Authenticators",
        "payload",
    ]

    static func format(of text: UnsafeRawBufferPointer) throws -> ImportFormat {
        // An answer of the exchange protocol is one text as long as all that is in it.
        guard let outline = try JSONOutline(text, leaving: arrays, longestText: text.count) else {
            return try format(ofArray: text)
        }
        let (object, has) = (outline.object, { outline.places[$0] != nil })
        if object["hpke"] != nil {
            guard has("payload") else {
                throw ImportError(
                    .unsupported, "this is a request for an export; answer it with `keyway export FILE --to REQUEST`")
            }
            return .exchangePackage
        }
        if has("accounts"), object["version"]?.object != nil { return .cxf }
        if object["encrypted"]?.boolean != nil, has("items") || object["data"] != nil { return .bitwardenJSON }
        if has("items"), object["collections"] != nil { return .cxf }
        if has("vaults"), object["version"] != nil || object["userId"] != nil { return .protonJSON }
        if has("services"), object["schemaVersion"] != nil { return .twoFAS }
        if has("db"), object["header"] != nil { return .aegis }
        if has("tokens"), object["tokenOrder"] != nil { return .freeOTP }
        if has("AUTHENTIFIANT") { return .dashlaneJSON }
        if has("records") { return .keeperJSON }
        if has("items"), object["folders"] != nil { return .enpassJSON }
        if has("accounts") { return .onePasswordPUX }
        throw ImportFormat.unknown
    }

    private static func format(ofArray text: UnsafeRawBufferPointer) throws -> ImportFormat {
        var scanner = JSONScanner(text)
        let place = try scanner.skip()
        guard let first = try JSONOutline.elements(at: place, in: text)?.first,
            let object = try JSONScanner.values(at: [first], in: text).first?.object,
            object["secret"] != nil, object["type"] != nil, object["digits"] != nil
        else { throw ImportFormat.unknown }
        return .andOTP
    }
}

extension JSONObject {
    /// An object in it.
    func object(_ name: String) -> JSONObject { self[name]?.object ?? JSONObject() }

    /// The objects of an array in it.
    func objects(_ name: String) -> [JSONObject] { (self[name]?.elements ?? []).compactMap(\.object) }

    /// Text in it, unless it is empty; also a number, as it is written.
    func filled(_ name: String) -> SecretText? {
        if case .number(let number) = self[name] { return SecretText(copyingUTF8Of: number) }
        return text(name)?.nonEmpty
    }
}
