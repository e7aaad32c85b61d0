import FoundationEssentials
import Testing

/// Bytes from hexadecimal digits.
func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] * 16 + values[$0 + 1]) }
}

/// The ceremonies that the specification publishes, with their source, in `Tests/Vectors/webauthn/ceremonies.json`.
struct CeremonyVector: Decodable, CustomTestStringConvertible {
    struct Step: Decodable {
        let challenge, clientDataJson, authenticatorData: String
        let attestationObject, signature: String?
    }

    let name: String
    let algorithm: Int
    let crossOrigin: Bool
    let topOrigin: String?
    let privateKey, privateKeyPkcs8: String?
    let aaguid, credentialId: String
    let registration, authentication: Step

    var testDescription: String { name }

    private struct File: Decodable { let vectors: [CeremonyVector] }

    static let all: [CeremonyVector] = (try? load("ceremonies", as: File.self).vectors) ?? []

    /// Reads a file of vectors.
    static func load<Contents: Decodable>(_ name: String, as type: Contents.Type) throws -> Contents {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Vectors/webauthn/\(name).json"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: data)
    }
}
