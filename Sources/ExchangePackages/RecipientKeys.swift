import HybridEncryption
package import KeywayCrypto
import SecretDocuments

/// The private keys of a request: one for each way to share a secret, for one answer.
package struct RecipientKeys: Sendable {
    /// What our requests offer, what is preferred first.
    static let offered = [HPKESuite(.x25519, .sha256, .aes256), HPKESuite(.p256, .sha256, .aes256)]

    private let keys: [HPKESuite.KEM: HPKEPrivateKey]
    /// What was offered with them; nil where nobody says: keys of another program.
    private let suites: Set<HPKESuite>?

    /// New keys.
    ///
    /// - Throws: `failed`.
    init(random: any RandomSource) throws(ExchangePackageError) {
        var keys: [HPKESuite.KEM: HPKEPrivateKey] = [:]
        do throws(HybridEncryptionError) {
            for suite in Self.offered { keys[suite.kem] = try HPKEPrivateKey(suite.kem, random: random) }
        } catch {
            throw ExchangePackageError(error)
        }
        (self.keys, suites) = (keys, Set(Self.offered))
    }

    /// Reads what ``write(to:)`` wrote: an object with a private JWK for each way to share a secret, by its number.
    ///
    /// - Throws: `damaged`.
    package init(_ text: SecretBytes) throws(ExchangePackageError) {
        let object = try asPackage { try text.withUnsafeBytes { try JSONScanner.document(checkedText($0)) }.object }
        guard let object else { throw ExchangePackageError(.damaged, "the keys of the request are damaged") }
        var keys: [HPKESuite.KEM: HPKEPrivateKey] = [:]
        for kem in HPKESuite.KEM.allCases {
            guard let found = object["\(kem.rawValue)"]?.object else { continue }
            keys[kem] = try ExchangeKey.privateKey(found, kem)
        }
        guard !keys.isEmpty else { throw ExchangePackageError(.damaged, "the keys of the request are damaged") }
        self.keys = keys
        suites = object["suites"]?.elements.map { Set($0.compactMap(\.object).compactMap(HPKESuite.init(parameters:))) }
    }

    /// The keys as text.
    package var text: SecretBytes {
        let buffer = SecretBuffer(capacity: 1024)
        let writer = JSONWriter<Never> { buffer.append($0) }
        writer.object { members in
            for (kem, key) in keys.sorted(by: { $0.key.rawValue > $1.key.rawValue }) {
                members.add("\(kem.rawValue)") { ExchangeKey.write(key.publicKey, key, to: $0) }
            }
            guard let suites else { return }
            members.add("suites", each: suites.sorted { $0.kem.rawValue > $1.kem.rawValue }) { writer, suite in
                writer.object { suite.write(to: &$0) }
            }
        }
        writer.end()
        return buffer.finish()
    }

    /// The key for one way to share a secret.
    func key(for kem: HPKESuite.KEM) -> HPKEPrivateKey? { keys[kem] }

    /// Whether an answer may be encrypted so.
    func allow(_ suite: HPKESuite) -> Bool { suites?.contains(suite) ?? true }
}
