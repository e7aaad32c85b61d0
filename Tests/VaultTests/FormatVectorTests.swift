import ClockTestSupport
import FoundationEssentials
import Glibc
import KeywayCrypto
import Testing

@testable import Vault

/// The vectors in `Tests/Vectors/vault`: every byte of a small vault, for other implementations, and headers that must
/// be refused. With `KEYWAY_WRITE_VECTORS=1` they are written anew; a change of them is a change of the format.
@Suite struct FormatVectorTests {
    private struct Vector: Codable, Equatable {
        var source: String
        var file: String
        var password = "correct horse battery staple"
        var memoryMiB = PasswordDerivation.floor.memoryMiB
        var passes = PasswordDerivation.floor.passes
        var vault = ""
        var vaultKey = ""
        var header = ""
        var headerKey = ""
        var manifestFields = ""
        var manifestSealed = ""
        var records: [Record] = []
        var parts: [Part]?

        init(version: UInt16) {
            source = "Docs/vault-format.md, version \(version)"
            file = "v\(version).vault"
        }
    }

    private struct Record: Codable, Equatable {
        var item: String
        var version: UInt64
        var summaryFields: String
        var summarySealed: String
        var bodyFields: String
        var bodySealed: String
        var element: String
        var title: String
        var password: String?
        var passkey: Secrets?
        var sections: [Section]?
    }

    /// What is opened of a section: of each member name, kind and value; nothing where the version is another.
    private struct Section: Codable, Equatable {
        var number: UInt16
        var type: String
        var version: UInt16
        var members: [Member]
    }

    private struct Member: Codable, Equatable {
        var name: String
        var kind: UInt8
        var value: String
        var label: String?
    }

    /// A part of a file.
    private struct Part: Codable, Equatable {
        var item: String
        var seed: String
        var position: Int
        var record: String
        var version: UInt64
        var summaryFields: String
        var summarySealed: String
        var bodyFields: String
        var bodySealed: String
        var element: String
    }

    /// What is opened of a passkey.
    private struct Secrets: Codable, Equatable {
        var relyingParty: String
        var userHandle: String
        var credentialID: String
        var privateKey: String
        var pseudoRandomSecret: String?
        var largeBlob: String?
    }

    private struct Refusal: Codable, Equatable {
        var name: String
        var header: String
        var code: String
    }

    private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/vault")
    private let environment = VaultEnvironment(
        epochs: TestEpochs(), random: TestRandom(seed: 2026), clock: ManualClock.ofVectors())

    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func hex(_ secret: SecretBytes) -> String { secret.withUnsafeBytes { hex($0) } }

    /// Makes the small vault of a version at `path` and describes it: from version 2 on it has passkeys, one of them
    /// hidden.
    private func make(_ version: UInt16, at path: String) throws -> Vector {
        var vector = Vector(version: version)
        let random = environment.random
        let (key, id) = (SecretKey(random: random), VaultID(random: random))
        let slot = try PasswordSlot(
            sealing: key, of: id, password: secret(vector.password), derivation: .floor, random: random)
        let (header, manifest) = Vault.seal(id, key, slot, random)
        try VaultFile.create(at: path, random: random) { (draft) throws(VaultError) in
            try SQLiteStore.create(at: draft, header: header, manifest: manifest)
        }
        let vault = try LockedVault.open(at: path, environment: environment).unlock(with: key)
        let first = try vault.add(ItemTests.draft)
        try vault.add(ItemDraft(title: "Größe 東京", password: secret(String(repeating: "long ", count: 60))))
        try vault.edit(first, ItemChanges(password: secret("second password")))
        if version > 1 {
            try vault.add(ItemDraft(title: "Example", userName: "anna", passkey: PasskeyTests.passkey("example.com")))
            let other = PasskeyTests.passkey("example.org", id: [7, 7], blob: nil, isBackupEligible: false)
            let hidden = try vault.add(ItemDraft(title: "Other", passkey: other))
            try vault.edit(hidden, ItemChanges(isHidden: true))
        }
        if version > 2 { try SectionTests.fill(vault) }
        if version > 3 { try FileTests.fill(vault) }
        let contents = try vault.opened()
        #expect(contents.header.version == version)
        vector.vault = id.description
        vector.vaultKey = hex(key.bytes)
        vector.header = hex(try vault.store.header())
        vector.headerKey = hex(contents.keys.header.bytes)
        vector.manifestFields = hex(contents.manifest.bytes)
        vector.manifestSealed = hex(contents.sealedManifest)
        for summary in try vault.search("") { vector.records.append(try record(summary, vault)) }
        vector.records.sort { $0.item < $1.item }
        let parts = try vault.search("").flatMap { item in
            try item.files.flatMap { file in try file.positions.map { try part($0, file, item.id, vault) } }
        }
        vector.parts = parts.isEmpty ? nil : parts
        return vector
    }

    private func part(_ position: Int, _ file: FileHead, _ item: ItemID, _ vault: UnlockedVault) throws -> Part {
        let (name, keys) = (file.part(position, of: item), try vault.opened().keys)
        let version = try #require(try vault.opened().index.parts[name])
        let record = try vault.authenticRecord(of: name, version)
        let fields = SecretBuffer()
        PartSummary(item: item, position: UInt32(position)).encode(into: fields)
        return Part(
            item: item.description, seed: hex(file.seed ?? []), position: position, record: name.description,
            version: version, summaryFields: hex(fields.finish()), summarySealed: hex(record.summary),
            bodyFields: hex(try keys.openBody(record)), bodySealed: hex(record.body),
            element: hex(RecordSealer(keys, environment.random).element(of: record).bytes))
    }

    private func record(_ summary: ItemSummary, _ vault: UnlockedVault) throws -> Record {
        let record = try vault.authenticRecord(of: summary.id)
        let keys = try vault.opened().keys
        let (fields, buffer) = (SecretBuffer(), SecretBuffer())
        summary.encode(into: fields)
        let body = try keys.openBody(record)
        body.withUnsafeBytes { buffer.append($0) }
        return Record(
            item: summary.id.description, version: record.version, summaryFields: hex(fields.finish()),
            summarySealed: hex(record.summary), bodyFields: hex(buffer.finish()), bodySealed: hex(record.body),
            element: hex(RecordSealer(keys, environment.random).element(of: record).bytes), title: summary.title,
            password: try vault.password(of: summary.id).map {
                $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }, passkey: try summary.passkey.map { _ in try secrets(summary.id, vault) },
            sections: summary.sections.isEmpty ? nil : try sections(summary, vault))
    }

    private func sections(_ summary: ItemSummary, _ vault: UnlockedVault) throws -> [Section] {
        try summary.sections.map { head in
            let members = head.isReadable ? try vault.section(head.number, of: summary.id).members : []
            return Section(
                number: head.number, type: head.type.rawValue, version: head.version,
                members: members.map {
                    Member(name: $0.name, kind: $0.kind.rawValue, value: hex($0.value), label: $0.label)
                })
        }
    }

    private func secrets(_ item: ItemID, _ vault: UnlockedVault) throws -> Secrets {
        let passkey = try vault.passkey(of: item)
        return Secrets(
            relyingParty: passkey.relyingParty, userHandle: hex(passkey.userHandle),
            credentialID: hex(passkey.identifier), privateKey: hex(passkey.key),
            pseudoRandomSecret: passkey.pseudoRandomSecret.map { hex($0) }, largeBlob: passkey.largeBlob.map { hex($0) }
        )
    }

    private func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(value) + Data("\n".utf8)
    }

    private var writes: Bool { getenv("KEYWAY_WRITE_VECTORS") != nil }

    @Test(arguments: VaultHeader.versions)
    func writesTheVaultOfTheVectorsByteForByte(version: UInt16) throws {
        let name = "v\(version)"
        let scratch = try TemporaryFolder()
        let made = try make(version, at: scratch.file("\(name).vault"))
        if writes {
            try encode(made).write(to: folder.appending(path: "\(name).json"))
            try Data(contentsOf: URL(filePath: scratch.file("\(name).vault"))).write(
                to: folder.appending(path: "\(name).vault"))
        }
        let stored = try JSONDecoder().decode(
            Vector.self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
        #expect(made == stored)
    }

    @Test(arguments: VaultHeader.versions)
    func opensTheVaultOfTheVectors(version: UInt16) throws {
        let name = "v\(version)"
        let vector = try JSONDecoder().decode(
            Vector.self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
        // A copy: a vault is opened for writing too.
        let scratch = try TemporaryFolder()
        let path = scratch.file("\(name).vault")
        try FileManager.default.copyItem(atPath: folder.appending(path: "\(name).vault").path, toPath: path)
        let vault = try LockedVault.open(at: path, environment: environment).unlock(password: secret(vector.password))
        try vault.verify()
        #expect(vault.id.description == vector.vault)
        #expect(try vault.count == vector.records.count)
        for record in vector.records {
            let found = try #require(try vault.find(record.item).first)
            #expect(found.title == record.title)
            #expect(try vault.password(of: found.id) == record.password.map(secret))
            if record.passkey != nil { #expect(try secrets(found.id, vault) == record.passkey) }
            #expect(try sections(found, vault) == record.sections ?? [])
        }
    }

    @Test func anOldVaultTakesAPasskeyAndKeepsEveryRecord() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.file("v1.vault")
        try FileManager.default.copyItem(atPath: folder.appending(path: "v1.vault").path, toPath: path)
        let old = try JSONDecoder().decode(Vector.self, from: Data(contentsOf: folder.appending(path: "v1.json")))
        let vault = try LockedVault.open(at: path, environment: environment).unlock(password: secret(old.password))
        let id = try vault.add(ItemDraft(title: "t", passkey: PasskeyTests.passkey("example.com")))
        let again = try LockedVault.open(at: path, environment: environment).unlock(password: secret(old.password))
        #expect(try again.opened().header.version == 2)
        #expect(try again.passkey(of: id).key == secret("private key"))
        for record in old.records {
            let item = try #require(ItemID(record.item))
            let stored = try again.authenticRecord(of: item)
            #expect(hex(stored.summary) == record.summarySealed && hex(stored.body) == record.bodySealed)
            #expect(try again.password(of: item) == record.password.map(secret))
        }
    }

    @Test(arguments: [1, 2] as [UInt16])
    func anOldVaultTakesASectionAndKeepsEveryRecord(version: UInt16) throws {
        let scratch = try TemporaryFolder()
        let path = scratch.file("old.vault")
        try FileManager.default.copyItem(atPath: folder.appending(path: "v\(version).vault").path, toPath: path)
        let old = try JSONDecoder().decode(
            Vector.self, from: Data(contentsOf: folder.appending(path: "v\(version).json")))
        let vault = try LockedVault.open(at: path, environment: environment).unlock(password: secret(old.password))
        let code = StoredCode(CodeRecord(), secret: secret("12345678901234567890"))
        let id = try vault.add(ItemDraft(title: "t", sections: [code.section]))
        let again = try LockedVault.open(at: path, environment: environment).unlock(password: secret(old.password))
        #expect(try again.opened().header.version == 3)
        #expect(try again.code(of: id) == code)
        for record in old.records {
            let item = try #require(ItemID(record.item))
            let stored = try again.authenticRecord(of: item)
            #expect(hex(stored.summary) == record.summarySealed && hex(stored.body) == record.bodySealed)
            #expect(try again.password(of: item) == record.password.map(secret))
            if record.passkey != nil { #expect(try secrets(item, again) == record.passkey) }
            // The old items take sections too, and keep all they had.
            let before = try again.body(of: item)
            try again.edit(item, ItemChanges(sections: [.add(code.section)]))
            let after = try again.body(of: item)
            #expect(after.password == before.password && after.notes == before.notes && after.fields == before.fields)
            #expect(after.history == before.history && after.privateKey == before.privateKey)
            #expect(after.pseudoRandomSecret == before.pseudoRandomSecret && after.largeBlob == before.largeBlob)
            #expect(try again.code(of: item) == code)
        }
        try again.verify()
    }

    @Test func refusesTheHeadersOfTheVectors() throws {
        if writes { try encode(refusals()).write(to: folder.appending(path: "v1-refused.json")) }
        let stored = try JSONDecoder().decode(
            [Refusal].self, from: Data(contentsOf: folder.appending(path: "v1-refused.json")))
        #expect(stored == refusals())
        for refusal in stored {
            let store = MemoryStore(header: Self.bytes(refusal.header), manifest: [])
            #expect(code { _ = try LockedVault(store, environment) }?.rawValue == refusal.code, "\(refusal.name)")
        }
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    /// Headers made by one change each; all but those with "checksum" in the name have a right checksum.
    private func refusals() -> [Refusal] {
        let random = TestRandom(seed: 7)
        let sound = TestVault.empty(SecretKey(random: random), random).header
        func changed(
            _ name: String, _ code: VaultError.Code, checksum: Bool = true, _ change: (inout [UInt8]) -> Void
        ) -> Refusal {
            var bytes = sound
            change(&bytes)
            if checksum {
                let content = Array(bytes.dropLast(16))
                bytes = content + content.withUnsafeBytes { Digest.blake2b($0, count: 16) }
            }
            return Refusal(name: name, header: hex(bytes), code: code.rawValue)
        }
        // Magic 0, version 8, suite 10, slots 11, vault 12, slot kind 28, length 29, algorithm 31, memory 32, passes 36.
        return [
            changed("empty", .damaged, checksum: false) { $0 = [] },
            changed("magic", .damaged) { $0[0] ^= 1 },
            changed("version-0", .unsupported) { $0[8] = 0 },
            changed("version-5", .unsupported) { $0[8] = 5 },
            changed("suite-2", .unsupported) { $0[10] = 2 },
            changed("no-slot", .damaged) { $0[11] = 0 },
            changed("two-slots", .damaged) { $0[11] = 2 },
            changed("slot-of-kind-2", .unsupported) { $0[28] = 2 },
            changed("slot-too-long", .damaged) { $0[29] += 1 },
            changed("algorithm-2", .unsupported) { $0[31] = 2 },
            changed("63-mib", .weakDerivation) { $0[32] = 63 },
            changed("2-passes", .weakDerivation) { $0[36] = 2 },
            changed("4096-mib", .excessiveDerivation) { ($0[32], $0[33]) = (0, 16) },
            changed("17-passes", .excessiveDerivation) { $0[36] = 17 },
            changed("bytes-after-the-slots", .damaged) { $0.insert(0, at: $0.count - 48) },
            changed("checksum", .damaged, checksum: false) { $0[$0.count - 1] ^= 1 },
            changed("version-5-with-wrong-checksum", .damaged, checksum: false) { $0[8] = 5 },
        ]
    }
}
