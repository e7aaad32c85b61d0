@testable import CodeLinks
import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import SecretDocuments
import Testing

@testable import Importing

/// Exports: those of the repository, and those that lie beside it, whose licences keep them out.
enum Fixtures {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let own = root.appending(path: "Tests/Vectors/imports")
    static let others = root.deletingLastPathComponent().appending(path: "shared/fixtures")
    static let othersAreHere = FileManager.default.fileExists(atPath: others.path)

    static func bytes(_ name: String, in folder: URL = own) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    /// The records from which the exports were generated.
    static func records() throws -> [Record] {
        try JSONDecoder().decode([Record].self, from: Data(contentsOf: own.appending(path: "generated-records.json")))
    }
}

/// What an import comes to.
struct Import {
    var format: ImportFormat?
    var records: [ImportedRecord] = []
    var skipped: [SkippedEntry] = []

    init(
        _ bytes: [UInt8], password: String? = nil, keyFile: [UInt8]? = nil,
        memory: Int = ImportSource.usualDerivationMemory
    ) throws {
        (format, records, skipped) = try bytes.withUnsafeBytes { bytes in
            var (records, skipped) = ([ImportedRecord](), [SkippedEntry]())
            let source = ImportSource(
                bytes, password: password.map { SecretBytes(copying: Array($0.utf8)) },
                keyFile: keyFile.map { SecretBytes(copying: $0) }, derivationMemory: memory, now: 1_790_000_000)
            let format = try Importer.read(source) { event in
                switch event {
                case .record(let record): records.append(record)
                case .item(let item, let origin): records.append(ImportedRecord(item, origin))
                case .skipped(let entry): skipped.append(entry)
                }
            }
            return (format, records, skipped)
        }
    }

    init(_ text: String) throws { try self.init(Array(text.utf8)) }

    init(own name: String, password: String? = nil) throws { try self.init(Fixtures.bytes(name), password: password) }

    init(others name: String, password: String? = nil) throws {
        try self.init(Fixtures.bytes(name, in: Fixtures.others), password: password)
    }

    /// The records that are logins: without the cards and notes that stand beside them in some exports.
    func logins(_ titles: [String]) -> [Record] { records.map(Record.init).filter { titles.contains($0.title) } }
}

/// A record in the shape of `generated-records.json`.
struct Record: Codable, Equatable, CustomStringConvertible {
    struct Code: Codable, Equatable {
        var secret: String
        var issuer = ""
        var account = ""
        var algorithm: String?
        var digits: Int?
        var period: Int?
    }

    struct Passkey: Codable, Equatable {
        var credentialId, rpId, username, userDisplayName, userHandle, key: String
    }

    struct Field: Codable, Equatable {
        var label: String
        var value: String
        var isHidden: Bool

        init(_ label: String, _ value: String, _ isHidden: Bool) {
            self.label = label
            self.value = value
            self.isHidden = isHidden
        }

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            label = try values.decode(String.self)
            value = try values.decode(String.self)
            isHidden = try values.decode(Bool.self)
        }

        func encode(to encoder: any Encoder) throws {}
    }

    var title: String
    var username: String
    var password: String
    var urls: [String]
    var notes: String
    var totp: Code?
    var folder: [String]
    var favorite: Bool
    var custom: [Field]
    var passkey: Passkey?
    var created: Int64?
    var modified: Int64?

    init(_ record: ImportedRecord) {
        title = record.title
        username = record.userName
        password = record.password?.publicText ?? ""
        urls = record.urls
        notes = record.notes?.publicText ?? ""
        totp = record.codes.first.map(Code.init)
        folder = record.folder
        favorite = record.isFavorite
        custom = record.fields.map { Field($0.label, $0.value.publicText, $0.isHidden) }
        passkey = record.passkeys.first.map(Passkey.init)
        created = record.created
        modified = record.modified
    }

    var description: String {
        "“\(title)”, folder \(folder), urls \(urls), notes “\(notes)”, \(custom.count) fields, totp \(totp.map { "\($0)" } ?? "none"), \(created ?? 0) \(modified ?? 0), \(favorite), user “\(username)”, password “\(password)”, \(custom)"
    }
}

extension Record.Code {
    init(_ setup: CodeSetup) {
        var characters: [UInt8] = []
        Base32.write(setup.recipe.secret) { characters.append($0) }
        self.init(secret: String(decoding: characters, as: UTF8.self), issuer: setup.issuer, account: setup.account)
        if setup.recipe.algorithm != .sha1 { algorithm = setup.recipe.algorithm.rawValue.lowercased() }
        if setup.recipe.digits != 6 { digits = setup.recipe.digits }
        if case .time(let period) = setup.recipe.kind, period != 30 { self.period = Int(period) }
    }
}

extension Record.Passkey {
    init(_ passkey: ExchangePasskey) {
        func text(_ bytes: [UInt8]) -> String {
            Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
        self.init(
            credentialId: text(passkey.credentialID), rpId: passkey.relyingParty, username: passkey.userName,
            userDisplayName: passkey.userDisplayName, userHandle: text(passkey.userHandle),
            key: text(passkey.key.withUnsafeBytes { Array($0) }))
    }
}
