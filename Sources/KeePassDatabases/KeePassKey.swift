package import KeywayCrypto
import SecretDocuments

/// What a person opens a database with: a password, a key file, or both.
package struct KeePassKey: Sendable {
    /// SHA-256 over what each of them comes to.
    let composite: SecretBytes

    /// The longest key file, in bytes.
    package static let longestFile = 8 << 20

    /// A key; nil where there is neither.
    ///
    /// - Throws: ``KeePassError``: `damagedKeyFile`, `tooLarge`.
    package init?(password: SecretBytes?, keyFile: SecretBytes?) throws(KeePassError) {
        guard password != nil || keyFile != nil else { return nil }
        let fileKey: SecretBytes?
        if let keyFile { fileKey = try KeyFile.key(of: keyFile) } else { fileKey = nil }
        composite = Hash.sha256 { hash in
            if let password { hash.add(Hash.sha256 { $0.add(password) }) }
            if let fileKey { hash.add(fileKey) }
        }
    }
}

/// The key in a key file, of which there are five kinds.
enum KeyFile {
    static func key(of file: SecretBytes) throws(KeePassError) -> SecretBytes {
        guard file.count <= KeePassKey.longestFile else { throw KeePassError(.tooLarge, "the key file is too large") }
        if let key = try document(file) { return key }
        switch file.count {
        case 32: return file
        case 64: if let key = SecretBytes(hexadecimal: file) { return key }
        default: break
        }
        return Hash.sha256 { $0.add(file) }
    }

    /// The key in XML; nil where the file is none, or none of a key.
    private static func document(_ file: SecretBytes) throws(KeePassError) -> SecretBytes? {
        let found = KeyFileDocument()
        do throws(DocumentError) {
            try file.withUnsafeBytes { (bytes) throws(DocumentError) in
                let reader = try XMLReader(try checkedText(bytes), handler: found)
                while try reader.readOn() {}
            }
        } catch {
            return nil
        }
        guard found.isKeyFile else { return nil }
        let damaged = KeePassError(.damagedKeyFile, "the key file is damaged")
        guard let text = found.data else { throw damaged }
        if found.version.hasPrefix("1.") {
            guard let key = SecretBytes(base64: withoutSpace(text)), key.count == 32 else { throw damaged }
            return key
        }
        guard found.version.hasPrefix("2.") else {
            throw KeePassError(.unsupported, "the key file is of a newer version")
        }
        guard let key = SecretBytes(hexadecimal: withoutSpace(text)), key.count == 32 else { throw damaged }
        if let expected = found.hash {
            // The first bytes of a hash tell of a file that was mistyped; they say next to nothing of the key.
            let start = Hash.sha256 { $0.add(key) }.withUnsafeBytes { Array($0.prefix(4)) }
            let isEqual = SecretBytes(hexadecimal: SecretBytes(copyingUTF8Of: expected)).map {
                $0 == SecretBytes(copying: start)
            }
            guard isEqual == true else { throw damaged }
        }
        return key
    }

    private static func withoutSpace(_ text: SecretText) -> SecretBytes {
        text.withUnsafeBytes { text in
            SecretBytes(upTo: text.count) { room in
                var count = 0
                for byte in text where ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                    room[count] = byte
                    count += 1
                }
                return count
            }
        }
    }
}

/// Follows the tree of a key file.
private final class KeyFileDocument: XMLHandler {
    private var path: [String] = []
    private(set) var isKeyFile = false
    private(set) var version = ""
    private(set) var hash: String?
    private(set) var data: SecretText?

    func start(_ name: String, _ attributes: [String: String]) {
        path.append(name)
        if path == ["KeyFile"] { isKeyFile = true }
        if path == ["KeyFile", "Key", "Data"] { hash = attributes["Hash"] }
    }

    func end(_ name: String, _ text: SecretText) {
        if path == ["KeyFile", "Meta", "Version"] { version = text.publicText }
        if path == ["KeyFile", "Key", "Data"] { data = text }
        path.removeLast()
    }
}
