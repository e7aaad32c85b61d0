package import CredentialExchange
import HybridEncryption
package import KeywayCrypto
import SecretDocuments
import ZipArchives

/// Answers a request: a package that only the keys of the request open. Nothing of it ever stands anywhere unencrypted.
package final class PackageWriter {
    private let request: ExchangeRequest
    private let random: any RandomSource
    private let context: HPKEContext
    private let encapsulation: [UInt8]
    private let part: SealedPart
    private let names: SecretBytes
    private let archive: ZipWriter
    private var accounts: [ExchangeAccount] = []
    private var files: [(path: String, hash: [UInt8])] = []
    private var fileBytes = 0
    private var entries: [(path: String, account: String, item: String)] = []

    /// Begins an answer.
    ///
    /// - Throws: ``ExchangePackageError``: `damaged` where nothing can be encrypted for the key; `failed`.
    package init(_ request: ExchangeRequest, random: any RandomSource) throws(ExchangePackageError) {
        self.request = request
        self.random = random
        (context, encapsulation, part, names, archive) = try asPackage {
            let (context, encapsulation) = try HPKEContext.sender(
                request.suite, to: request.key, info: [], random: random)
            return (
                context, encapsulation, try SealedPart(context, request.suite.aead),
                try context.export(Array("CXP document names".utf8), count: 32), try ZipWriter()
            )
        }
    }

    /// Begins an account.
    package func begin(_ account: ExchangeAccount) {
        var account = account
        if request.wantsAccountsAlone { account.object["collections"] = .array([]) }
        accounts.append(account)
    }

    /// Adds an item to the account that was begun last, as it is.
    ///
    /// - Throws: ``ExchangePackageError``: `failed`.
    package func add(_ item: ExchangeItem) throws(ExchangePackageError) {
        let account = accounts.last?.id ?? ""
        let path = "\(ExchangeResponse.documentFolder)\(name(of: item.id, in: account)).jwe"
        let text = SecretBuffer(capacity: 1 << 12)
        let writer = JSONWriter<Never> { text.append($0) }
        writer.value(.object(item.object))
        writer.end()
        try add(path, text)
        entries.append((path, account, item.id))
    }

    /// Adds what is in a file that an item names, once.
    ///
    /// - Parameter hash: its SHA-256.
    /// - Returns: whether there was room for it.
    /// - Throws: ``ExchangePackageError``: `failed`.
    package func add(
        file hash: [UInt8], _ content: UnsafeRawBufferPointer
    ) throws(ExchangePackageError) -> Bool {
        guard !files.contains(where: { $0.hash == hash }) else { return true }
        guard fileBytes + content.count <= ExchangeResponse.mostFileBytes else { return false }
        fileBytes += content.count
        let path = "\(ExchangeResponse.fileFolder)\(name(of: hash[...].base64URL, in: "files")).jwe"
        try asPackage { try archive.add(path, try part.seal(content, random: random)) }
        files.append((path, hash))
        return true
    }

    /// Ends the answer; `write` gets it in pieces.
    ///
    /// - Parameter header: the header of the document, whose accounts were begun.
    /// - Throws: ``ExchangePackageError``, also what `write` throws.
    package func finish(
        _ header: ExchangeHeader, _ write: @escaping (UnsafeRawBufferPointer) throws(ExchangePackageError) -> Void
    ) throws(ExchangePackageError) {
        try add(ExchangeResponse.indexPath, index(header))
        let payload = try asPackage { try archive.finish() }
        let writer = JSONWriter<ExchangePackageError>(write)
        try writer.object { (members) throws(ExchangePackageError) in
            try members.add("version", number: 0)
            try members.add("hpke") { (writer) throws(ExchangePackageError) in
                try writer.object { (members) throws(ExchangePackageError) in
                    try request.suite.write(to: &members)
                    let key = try asPackage { try HPKEPublicKey(request.suite.kem, encapsulation) }
                    try members.add("key") { (writer) throws(ExchangePackageError) in
                        try ExchangeKey.write(key, to: writer)
                    }
                }
            }
            try members.add("archive", text: "deflate")
            try members.add("exporter", text: header.exporter)
            try members.add("payload") { (writer) throws(ExchangePackageError) in
                try writer.raw("\"")
                // Without a rest, so that the parts are one text.
                for start in stride(from: 0, to: payload.count, by: 3 << 14) {
                    try writer.raw(payload[start..<min(start + 3 << 14, payload.count)].base64URL)
                }
                try writer.raw("\"")
            }
        }
        try writer.raw("\n")
        try writer.end()
    }

    private func index(_ header: ExchangeHeader) -> SecretBuffer {
        var header = header
        header.object["accounts"] = .array(
            accounts.map { account in
                var object = account.object
                object["items"] = .array([])
                return .object(object)
            })
        let text = SecretBuffer(capacity: 1 << 12)
        let writer = JSONWriter<Never> { text.append($0) }
        writer.object { members in
            members.add("header", .object(header.object))
            members.add("documents", each: entries) { writer, entry in
                writer.object { members in
                    members.add("path", text: entry.path)
                    members.add("account", text: entry.account)
                    members.add("item", text: entry.item)
                }
            }
            guard !files.isEmpty else { return }
            members.add("files", each: files) { writer, file in
                writer.object { members in
                    members.add("path", text: file.path)
                    members.add("integrityHash", text: file.hash[...].base64URL)
                }
            }
        }
        writer.end()
        return text
    }

    private func add(_ path: String, _ text: SecretBuffer) throws(ExchangePackageError) {
        try asPackage { try archive.add(path, try text.withUnsafeBytes { try part.seal($0, random: random) }) }
    }

    /// A name that says nothing of the item to whoever has not the key.
    private func name(of item: String, in account: String) -> String {
        let text = Array("\(account)\0\(item)".utf8)
        let code = text.withUnsafeBytes { MessageAuthentication.hmacSHA256($0, key: names) }
        return code.withUnsafeBytes { Array($0.prefix(12)) }[...].base64URL
    }
}
