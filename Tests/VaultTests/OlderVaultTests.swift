import FoundationEssentials
import KeywayCrypto
import Testing

@testable import Vault

/// Vaults that programs of older commits made, in `Tests/Vectors/vault/older`, each described by the second implementation
/// as it was then: opened, brought to the newest version and put under a new key, and nothing of them is lost.
@Suite struct OlderVaultTests {
    private struct Made: Decodable {
        var file: String
        var password: String
        var version: UInt16
        var items: [String: Item]
    }

    private struct Item: Decodable {
        var title: String
        var userName: String
        var addresses: [String]
        var tags: [String]
        var created: Int64
        var modified: Int64
        var password: String?
        var notes: String?
        var fields: [Field]
        var history: [Past]
        var isWithoutPassword: Bool?
        var relyingParty: String?
        var userHandle: String?
        var credentialId: String?
        var isBackupEligible: Bool?
        var privateKey: String?
        var pseudoRandomSecret: String?
        var largeBlob: String?
        var hidden: Int64?
        var formerUser: String?
    }

    private struct Field: Decodable {
        let field: CustomField

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let (name, value) = (try values.decode(String.self), try values.decode(String.self))
            field = CustomField(name: name, value: secret(value), isHidden: try values.decode(Bool.self))
        }
    }

    private struct Past: Decodable {
        let past: PastPassword

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let replaced = StoredDate.date(try values.decode(Int64.self))
            past = PastPassword(password: secret(try values.decode(String.self)), replaced: replaced)
        }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/vault/older")

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func hex(_ secret: SecretBytes?) -> String? { secret.map { $0.withUnsafeBytes { hex(Array($0)) } } }

    /// Compares everything about an item with what it was; what an edit changes by itself aside.
    private func check(_ id: ItemID, _ wanted: Item, _ vault: UnlockedVault, isEdited: Bool) throws {
        let (found, body) = (try vault.summary(of: id), try vault.body(of: id))
        #expect(found.title == wanted.title && found.userName == wanted.userName)
        #expect(found.addresses == wanted.addresses && found.tags == wanted.tags)
        #expect(StoredDate.milliseconds(found.created) == wanted.created)
        #expect(isEdited || StoredDate.milliseconds(found.modified) == wanted.modified)
        #expect(found.hasPassword == !(wanted.isWithoutPassword ?? false))
        #expect(found.passkey?.relyingParty == wanted.relyingParty)
        #expect(found.passkey.map { hex($0.userHandle) } == wanted.userHandle)
        #expect(found.passkey.map { hex($0.credentialID) } == wanted.credentialId)
        #expect(found.passkey?.isBackupEligible == wanted.isBackupEligible)
        #expect(found.hidden.map(StoredDate.milliseconds) == wanted.hidden && found.formerName == wanted.formerUser)
        #expect(body.password == wanted.password.map(secret) && body.notes == wanted.notes.map(secret))
        #expect(body.fields == wanted.fields.map(\.field) && body.history == wanted.history.map(\.past))
        #expect(hex(body.privateKey) == wanted.privateKey && hex(body.largeBlob) == wanted.largeBlob)
        #expect(hex(body.pseudoRandomSecret) == wanted.pseudoRandomSecret)
    }

    @Test(arguments: ["v1-20b7061", "v2-4f598ce"]) func nothingIsLostOnTheWayToTheNewestVersion(name: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let made = try decoder.decode(
            Made.self, from: Data(contentsOf: Self.folder.appending(path: "\(name).json")))
        let scratch = try TemporaryFolder()
        let path = scratch.file("old.vault")
        try FileManager.default.copyItem(atPath: Self.folder.appending(path: made.file).path, toPath: path)
        let environment = VaultEnvironment(epochs: TestEpochs())
        func checkAll(_ vault: UnlockedVault, isEdited: Bool) throws {
            #expect(try vault.count == made.items.count)
            for (name, item) in made.items {
                try check(try #require(ItemID(name)), item, vault, isEdited: isEdited)
            }
            try vault.verify()
        }
        let vault = try LockedVault.open(at: path, environment: environment).unlock(password: secret(made.password))
        #expect(try vault.opened().header.version == made.version)
        try checkAll(vault, isEdited: false)
        for name in made.items.keys {
            try vault.edit(try #require(ItemID(name)), ItemChanges(sections: [.add(SectionTests.card)]))
        }
        #expect(try vault.opened().header.version == 3)
        try vault.changeMasterPassword(old: secret(made.password), new: secret("the newest"))
        vault.lock()
        let again = try LockedVault.open(at: path, environment: environment).unlock(password: secret("the newest"))
        try checkAll(again, isEdited: true)
        for name in made.items.keys {
            #expect(try again.section(1, of: try #require(ItemID(name))) == SectionTests.card)
        }
    }
}
