@testable import CredentialExchange
@testable import SecretDocuments

/// What is read as a document of CXF is written so that it is read as the same; what is read as JSON, likewise.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExchange(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let text = try? checkedText(bytes) else { return 0 }
    if let value = try? JSONScanner.document(text) {
        let again = written { writer in writer.value(value) }
        precondition(again.withUnsafeBytes { (try? JSONScanner.document($0)) == value }, "the same JSON again")
    }
    if let document = try? ExchangeReader(bytes) { check(document) }
    return 0
}

/// Reads all of a document, and its copy.
private func check(_ document: ExchangeReader) {
    var (found, isWhole) = ([ExchangeItem](), true)
    var copy: [UInt8] = []
    let writer = ExchangeWriter<Never>(document.header) { copy += $0 }
    for account in document.accounts {
        writer.begin(account.account)
        check(ExchangePlaces([account.account]), account.account.id)
        var items = document.items(of: account)
        while isWhole {
            guard let item = try? items.next() else { break }
            for credential in item.credentials {
                try? credential.check()
                _ = try? ExchangePasskey(credential)
            }
            precondition(item.parts.count == item.credentials.count, "each credential is something")
            // What is handed to another manager has one form, in which nothing more is lost.
            let handed = HandedItem(item).item
            let again = HandedItem(handed)
            precondition(again.item == handed && again.losses.isEmpty, "handed over as it was handed over")
            found.append(item)
            writer.add(item)
        }
        isWhole = isWhole && found.count >= account.itemCount
        writer.endAccount()
    }
    writer.end()
    guard isWhole, document.accounts.count == 1 else { return }
    copy.withUnsafeBytes { copy in
        guard let again = try? ExchangeReader(copy) else { preconditionFailure("the copy is a document") }
        var items = again.items(of: again.accounts[0])
        for item in found { precondition((try? items.next()) == item, "the same item again") }
    }
}

/// Puts collections together again from where an item lies.
private func check(_ places: ExchangePlaces, _ account: String) {
    let tree = CollectionTree()
    for place in places[account, ""] {
        precondition(ExchangePlace(place.object()) == place, "the same place again")
        tree.add("", at: place)
    }
    let again = ExchangePlaces([ExchangeAccount(id: account, collections: tree.collections)])
    precondition(again[account, ""].count == places[account, ""].count, "as many places again")
}

private func written(_ write: (JSONWriter<Never>) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    let writer = JSONWriter<Never> { bytes += $0 }
    write(writer)
    writer.end()
    return bytes
}
