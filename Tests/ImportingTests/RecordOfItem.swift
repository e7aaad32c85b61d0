import CredentialExchange
import SecretDocuments

@testable import Importing

extension ImportedRecord {
    /// The record that would be written as this item.
    init(_ item: ExchangeItem, _ origin: ImportOrigin) {
        self.init(place: origin.place)
        title = item.title
        urls = item.urls.filter { !$0.isEmpty } + item.androidApps.map { "androidapp://\($0)" }
        isFavorite = item.isFavorite
        (folder, isForHTTP, notices) = (origin.folder, origin.isForHTTP, origin.notices)
        (tags, created, modified) = (item.tags, item.created, item.modified)
        for part in item.parts {
            switch part {
            case .login(let credential):
                userName = credential.field("username")?.value?.publicText ?? ""
                set(password: credential.field("password")?.value)
            case .notes(let credential): set(notes: credential.field("content")?.value)
            case .code(let setup, _): codes.append(setup)
            case .codeLinks(let setups, _): codes += setups
            case .passkey(let passkey, _): passkeys.append(passkey)
            case .fields(let credential, let setups):
                codes += setups
                for field in credential.fields where field.codes == nil {
                    add(field: field.label ?? "", field.value, isHidden: field.isHidden)
                }
            case .other(let credential), .file(let credential), .unusable(let credential, _):
                credentials.append(credential)
            case .brokenPasskey: break
            }
        }
    }
}
