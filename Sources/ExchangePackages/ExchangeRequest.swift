package import HybridEncryption
package import KeywayCrypto
import SecretDocuments

/// What an importing program asks for: an Export Request (CXP, working draft of 2024-10-03), of which what is not known is
/// passed over.
package struct ExchangeRequest: Sendable {
    /// The longest request, in bytes.
    package static let longest = 1 << 16
    /// The most ways to encrypt that one may list.
    static let mostSuites = 100

    /// The algorithms to answer with: the first of the request that Keyway knows.
    package let suite: HPKESuite
    /// The key to encrypt for.
    package let key: HPKEPublicKey
    /// Who asks, as it claims: a domain.
    package let importer: String
    /// The types of credentials that it asks for; nil for all.
    package let types: [String]?
    /// The extensions that it reads; nil where it doesn't say.
    package let extensions: [String]?

    /// Whether it asks for nothing but who the account is.
    package var wantsAccountsAlone: Bool { types?.isEmpty ?? false }

    /// Reads a request.
    ///
    /// - Throws: ``ExchangePackageError``: `damaged`, `tooLarge`; `unsupported` for another version, another packing, and
    ///   where there is no way to encrypt that Keyway knows.
    package init(_ bytes: UnsafeRawBufferPointer) throws(ExchangePackageError) {
        guard bytes.count <= Self.longest else { throw ExchangePackageError(.tooLarge, "the request is too long") }
        let object = try asPackage { try JSONScanner.document(checkedText(bytes)).object }
        guard let object, let entries = object["hpke"]?.elements, !entries.isEmpty, object["payload"] == nil else {
            throw ExchangePackageError(.damaged, "this isn't a request for an export")
        }
        guard (object["version"]?.integer ?? 0) == 0 else {
            throw ExchangePackageError(.unsupported, "the request is of a version that Keyway doesn't know")
        }
        guard entries.count <= Self.mostSuites else {
            throw ExchangePackageError(.tooLarge, "the request lists too many ways to encrypt")
        }
        // Some implementations leave these out: the packing, and how the messages travel.
        if let archives = object["archive"]?.elements, !archives.contains(where: { $0.publicText == "deflate" }) {
            throw ExchangePackageError(.unsupported, "the request asks for a way of packing that Keyway doesn't know")
        }
        guard let first = entries.lazy.compactMap(\.object).compactMap(Self.offer).first else {
            throw ExchangePackageError(
                .unsupported, "the request offers no way to encrypt that Keyway knows")
        }
        suite = first.suite
        key = try ExchangeKey.publicKey(first.key, suite.kem)
        importer = object.publicText("importer")
        guard importer.utf8.count <= 253 else {
            throw ExchangePackageError(.damaged, "the request says at too great length who asks")
        }
        types = object["credentialTypes"]?.elements?.compactMap(\.publicText)
        extensions = object["knownExtensions"]?.elements?.compactMap(\.publicText)
    }

    /// A way to encrypt that Keyway knows; nil for any other. Base mode says nothing of who encrypts, and needs no key of
    /// theirs; of the ciphers, those count that JOSE has names for.
    private static func offer(_ object: JSONObject) -> (suite: HPKESuite, key: JSONObject?)? {
        guard let suite = HPKESuite(parameters: object), SealedPart.names[suite.aead] != nil else { return nil }
        return (suite, object["key"]?.object)
    }

    // MARK: - Our own

    /// A new request, and the keys that open the answer.
    ///
    /// - Throws: `failed`.
    package static func make(
        random: any RandomSource
    ) throws(ExchangePackageError) -> (text: [UInt8], keys: RecipientKeys) {
        let keys = try RecipientKeys(random: random)
        var text: [UInt8] = []
        let writer = JSONWriter<Never> { text += $0 }
        writer.object { members in
            members.add("version", number: 0)
            members.add("hpke", each: RecipientKeys.offered) { writer, suite in
                writer.object { members in
                    suite.write(to: &members)
                    members.add("key") { writer in
                        if let key = keys.key(for: suite.kem) { ExchangeKey.write(key.publicKey, to: writer) }
                    }
                }
            }
            members.add("archive", each: ["deflate"]) { $0.text($1) }
            members.add("mode", text: "indirect")
            members.add("importer", text: "keyway.org")
            members.add("knownExtensions", each: ["keyway.org/import"]) { $0.text($1) }
        }
        writer.raw("\n")
        writer.end()
        return (text, keys)
    }
}

extension HPKESuite {
    /// The suite of `HPKEParameters` in base mode; nil where it isn't one that is known.
    init?(parameters object: JSONObject) {
        guard object.publicText("mode") == "base", let kem = object["kem"]?.integer, let kdf = object["kdf"]?.integer,
            let aead = object["aead"]?.integer
        else { return nil }
        self.init(kem: kem, kdf: kdf, aead: aead)
    }

    /// Writes all of `HPKEParameters` but the key.
    func write<Failure>(to members: inout JSONMembers<Failure>) throws(Failure) {
        try members.add("mode", text: "base")
        try members.add("kem", number: Int64(kem.rawValue))
        try members.add("kdf", number: Int64(kdf.rawValue))
        try members.add("aead", number: Int64(aead.rawValue))
    }
}
