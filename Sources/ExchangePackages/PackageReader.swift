import CredentialExchange
import KeywayCrypto
import SecretDocuments
import ZipArchives

/// Puts the files of a package together: a document of CXF whose items lie in files of their own.
struct PackageReader {
    private let part: SealedPart
    private let archive: ZipArchive
    private let members: [String: ZipArchive.Member]

    /// A file that the index names.
    private struct Entry {
        let path: String
        let item: String
    }

    /// Opens the archive, which must stay meanwhile.
    init(_ part: SealedPart, archive bytes: UnsafeRawBufferPointer) throws {
        self.part = part
        // A file for each item, and the index.
        archive = try ZipArchive(bytes, mostMembers: DocumentLimits.mostItems + 1)
        members = try Dictionary(archive.members.map { ($0.name, $0) }) { _, _ in
            throw ExchangePackageError(.damaged, "a file stands in the package twice")
        }
    }

    /// The document.
    ///
    /// - Parameter takeFile: gets what is in each file that is attached to an item, before the document is put together.
    func document(_ takeFile: (UnsafeRawBufferPointer) throws -> Void) throws -> SecretBuffer {
        let index = try content(ExchangeResponse.indexPath)
        return try index.withUnsafeBytes { bytes in
            let text = try checkedText(bytes)
            guard let outline = try JSONOutline(text, leaving: ["documents", "files"]),
                let header = outline.object["header"]?.object, let place = outline.places["documents"]
            else { throw Self.damaged }
            if let files = outline.places["files"] { try readFiles(at: files, in: text, takeFile) }
            return try document(header, entries(at: place, in: text))
        }
    }

    /// What is in the files that are attached to items: each is what the index says it is.
    private func readFiles(
        at place: Range<Int>, in text: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let places = try JSONOutline.elements(at: place, in: text) else { throw Self.damaged }
        var (values, known) = (JSONValues(at: places, in: text), Set<String>())
        while let value = try values.next() {
            guard let object = value.object, let text = object.text("integrityHash"),
                let hash = SecretBytes(base64: text.secret)
            else { throw Self.damaged }
            let path = object.publicText("path")
            guard known.insert(path).inserted else {
                throw ExchangePackageError(.damaged, "the index of the package names a file twice")
            }
            let content = try content(path)
            try content.withUnsafeBytes { bytes in
                var sum = SHA256Stream()
                sum.update(bytes)
                guard SecretBytes(copying: sum.finish()) == hash else {
                    throw ExchangePackageError(.damaged, "a file of the package is another than the index says")
                }
                try take(bytes)
            }
        }
    }

    /// The files of each account, by its identifier, in their order.
    private func entries(at place: Range<Int>, in text: UnsafeRawBufferPointer) throws -> [String: [Entry]] {
        guard let places = try JSONOutline.elements(at: place, in: text) else { throw Self.damaged }
        var (values, entries, known) = (JSONValues(at: places, in: text), [String: [Entry]](), Set<String>())
        while let value = try values.next() {
            guard let object = value.object else { throw Self.damaged }
            let entry = Entry(path: object.publicText("path"), item: object.publicText("item"))
            guard known.insert(entry.path).inserted else {
                throw ExchangePackageError(.damaged, "the index of the package names a file twice")
            }
            entries[object.publicText("account"), default: []].append(entry)
        }
        return entries
    }

    private func document(_ header: JSONObject, _ entries: [String: [Entry]]) throws -> SecretBuffer {
        let document = SecretBuffer(capacity: 1 << 16)
        var (top, entries) = (ExchangeHeader(header), entries)
        top.object["accounts"] = nil
        let writer = try ExchangeWriter<ExchangePackageError>(top) { (bytes) throws(ExchangePackageError) in
            guard document.count + bytes.count <= DocumentLimits.longestDocument else {
                throw ExchangePackageError(
                    .tooLarge, "what is in the package has more than \(DocumentLimits.longestDocument >> 20) MiB")
            }
            document.append(bytes)
        }
        for value in header["accounts"]?.elements ?? [] {
            guard var account = value.object.map(ExchangeAccount.init) else { throw Self.damaged }
            account.object["items"] = nil
            try writer.begin(account)
            for entry in entries.removeValue(forKey: account.id) ?? [] { try writer.add(try item(entry)) }
            try writer.endAccount()
        }
        guard entries.isEmpty else {
            throw ExchangePackageError(.damaged, "the index of the package names an account that isn't there")
        }
        try writer.end()
        return document
    }

    /// All files are encrypted under one key: only what is in one says which it is.
    private func item(_ entry: Entry) throws -> ExchangeItem {
        let content = try content(entry.path)
        let object = try content.withUnsafeBytes { try JSONScanner.document(checkedText($0)) }.object
        guard let object else { throw Self.damaged }
        let item = ExchangeItem(object)
        guard item.id == entry.item else {
            throw ExchangePackageError(.damaged, "a file of the package is another than the index says")
        }
        return item
    }

    private func content(_ path: String) throws -> SecretBytes {
        guard let member = members[path] else {
            throw ExchangePackageError(.damaged, "a file of the package is missing")
        }
        return try archive.content(of: member).withUnsafeBytes { (bytes) throws(ExchangePackageError) in
            try part.open(bytes)
        }
    }

    private static let damaged = ExchangePackageError(.damaged, "the package isn't one of the exchange protocol")
}
