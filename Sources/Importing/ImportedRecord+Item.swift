package import CredentialExchange
import SecretDocuments

extension ImportedRecord {
    /// The record that an item of a document is, for formats that have no place for items as they are.
    ///
    /// - Parameter origin: where it stands, and in which collections.
    package init(_ item: ExchangeItem, _ origin: ImportOrigin) {
        self.init(place: origin.place)
        title = item.title
        urls = item.urls.filter { !$0.isEmpty } + item.androidApps.map { "androidapp://\($0)" }
        folder = origin.places.first?.titles ?? []
        isFavorite = item.isFavorite
        isForHTTP = origin.isForHTTP
        tags = item.tags
        (created, modified) = (item.created, item.modified)
        notices = origin.notices
        for part in item.parts { add(part) }
    }

    private mutating func add(_ part: ExchangePart) {
        switch part {
        case .login(let credential):
            userName = credential.field("username")?.value?.publicText ?? ""
            set(password: credential.field("password")?.value)
            // As drafts of 2024 had it.
            for url in credential.object["urls"]?.elements ?? [] { add(url: url.publicText ?? "") }
        case .notes(let credential): set(notes: credential.field("content")?.value)
        case .code(let setup, _): codes.append(setup)
        case .codeLinks(let setups, _): codes += setups
        case .passkey(let passkey, _): passkeys.append(passkey)
        case .fields(let credential, let found):
            codes += found
            for field in credential.fields where field.codes == nil {
                add(field: field.label ?? "", field.value, isHidden: field.isHidden)
            }
        case .file(let credential):
            if let content = credential.fileContent {
                let mark = ImportedFile.Mark(hash: content.hash, size: content.size)
                files.append(ImportedFile(name: credential.object.publicText("name"), mark))
            } else {
                credentials.append(credential)
            }
        case .other(let credential), .unusable(let credential, _):
            credentials.append(credential)
        case .brokenPasskey: break
        }
    }
}
