import FoundationEssentials
import KeywayCrypto
import Testing

@testable import CodeLinks
@testable import OneTimeCodes

/// Files of vectors: those of the repository, and those that lie beside it, whose licences keep them out.
enum Vectors {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let own = root.appending(path: "Tests/Vectors/otp")
    static let others = root.deletingLastPathComponent().appending(path: "shared/fixtures/otp")
    static let othersAreHere = FileManager.default.fileExists(atPath: others.path)

    static func json<Value: Decodable>(_ name: String, in folder: URL = own, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: name)))
    }

    static func lines(_ name: String, in folder: URL = own) throws -> [String] {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}

func secretBytes(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

func text(_ secret: SecretBytes) -> String { secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

func base32(_ text: String) throws -> SecretBytes { try Array(text.utf8).lend(Base32.secret(in:)) }

func base32(_ secret: SecretBytes) -> String {
    var characters: [UInt8] = []
    Base32.write(secret) { characters.append($0) }
    return String(decoding: characters, as: UTF8.self)
}

func setup(_ link: String) throws -> CodeSetup { try CodeLink.setup(in: secretBytes(link)) }

extension CodeRecipe {
    /// `totp`, `hotp` or `steam`, as links say it.
    var type: String {
        switch kind {
        case .time: "totp"
        case .counter: "hotp"
        case .steam: "steam"
        }
    }
}
