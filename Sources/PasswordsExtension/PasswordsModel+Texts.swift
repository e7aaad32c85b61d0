import AutoFillProtocol
import KeywaySystem

/// Choosing a text to insert: first the item, then what of it.
extension PasswordsModel {
    /// The next step after a row of one of the two lists.
    mutating func choseText(_ row: String) -> Effect? {
        switch screen {
        case .list:
            guard let record = PasswordsScreens.record(ofRow: row) else { return nil }
            return .ask(.texts(record: record))
        case .texts(_, let listing, let search) where row == PasswordsScreens.backRow:
            screen = .list(listing, search: search)
            return nil
        case .texts(let texts, _, _):
            guard let place = PasswordsScreens.place(ofText: row), texts.entries.indices.contains(place) else {
                return nil
            }
            return .ask(.text(texts.entries[place].text, record: texts.record))
        default: return nil
        }
    }

    /// The texts of the item that was chosen.
    mutating func arrived(_ result: Result<ItemTexts, ProtocolError>) -> Effect? {
        switch result {
        case .success(let texts):
            guard case .list(let shown, let search) = screen else { return nil }
            screen = .texts(texts, from: shown, search: search)
            return nil
        case .failure(let error): return failed(error)
        }
    }

    /// The text that was chosen.
    mutating func arrived(_ result: Result<SealedPassword, ProtocolError>) -> Effect? {
        switch result {
        case .success(let text):
            guard case .texts(let texts, _, _) = screen else { return nil }
            return .insert(text, of: texts.title)
        case .failure(let error): return failed(error)
        }
    }
}
