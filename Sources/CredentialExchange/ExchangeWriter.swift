package import SecretDocuments

/// Writes a document of CXF 1.0 piece by piece: the header, then each account with its items. What was read is written as it
/// was: every member, in its order.
package final class ExchangeWriter<Failure: Error> {
    private let writer: JSONWriter<Failure>
    private let hasHeader: Bool
    private var accountCount = 0
    private var itemCount = 0

    /// Begins a document, or an account alone where there is no header; `write` gets it in pieces of some 64 KiB.
    package init(
        _ header: ExchangeHeader?, _ write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        writer = JSONWriter(write)
        hasHeader = header != nil
        guard let header else { return }
        try writer.raw("{")
        try writer.members(header.object)
        try writer.raw(header.object.members.isEmpty ? "\"accounts\":[" : ",\"accounts\":[")
    }

    /// Begins an account.
    package func begin(_ account: ExchangeAccount) throws(Failure) {
        if accountCount > 0 { try writer.raw(",") }
        accountCount += 1
        itemCount = 0
        try writer.raw("{")
        try writer.members(account.object)
        try writer.raw(account.object.members.isEmpty ? "\"items\":[" : ",\"items\":[")
    }

    /// Adds an item to the account.
    package func add(_ item: ExchangeItem) throws(Failure) {
        try addItem { (writer) throws(Failure) in try writer.value(.object(item.object)) }
    }

    /// Adds an item that `write` writes, an object: without memory for each of its texts.
    package func addItem(_ write: (JSONWriter<Failure>) throws(Failure) -> Void) throws(Failure) {
        if itemCount > 0 { try writer.raw(",") }
        itemCount += 1
        try write(writer)
    }

    /// Ends the account.
    package func endAccount() throws(Failure) { try writer.raw("]}") }

    /// Ends the account with an extension that was not known at its beginning; `write` writes it, an object.
    package func endAccount(extension write: (JSONWriter<Failure>) throws(Failure) -> Void) throws(Failure) {
        try writer.raw("],\"extensions\":[")
        try write(writer)
        try writer.raw("]}")
    }

    /// Ends the account, which was begun without them, with its collections.
    package func endAccount(collections: [ExchangeCollection]) throws(Failure) {
        try writer.raw("],\"collections\":")
        try writer.value(.array(collections.map { .object($0.object) }))
        try writer.raw("}")
    }

    /// Ends the document.
    package func end() throws(Failure) {
        if hasHeader { try writer.raw("]}") }
        try writer.end()
    }
}
