import FoundationEssentials
import KeywayCrypto
import Testing

/// The vectors of RFC 9180, Appendix A, in base mode: `Tests/Vectors/crypto/hpke.json` says where they come from.
struct Vectors: Decodable {
    struct Vector: Decodable, CustomTestStringConvertible {
        struct Message: Decodable { let seq: UInt64, pt: Hex, aad: Hex, ct: Hex }
        struct Secret: Decodable {
            let context: Hex, count: Int, value: Hex

            enum CodingKeys: String, CodingKey {
                case context = "exporter_context"
                case count = "L"
                case value = "exported_value"
            }
        }

        let kem: Int64, kdf: Int64, aead: Int64, info: Hex
        /// The sender's key of one use; of one vector nobody tells it.
        let senderKey: Hex?
        let recipient: Hex, recipientKey: Hex, encapsulation: Hex, shared: Hex
        let encryptions: [Message], exports: [Secret]

        enum CodingKeys: String, CodingKey {
            case kem = "kem_id"
            case kdf = "kdf_id"
            case aead = "aead_id"
            case info, encryptions, exports
            case senderKey = "skEm"
            case recipient = "pkRm"
            case recipientKey = "skRm"
            case encapsulation = "enc"
            case shared = "shared_secret"
        }

        var testDescription: String { "KEM \(kem), KDF \(kdf), AEAD \(aead)" }
    }

    let vectors: [Vector]

    static let all: [Vector] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try? Data(contentsOf: folder.appending(path: "Vectors/crypto/hpke.json"))
        return data.flatMap { try? JSONDecoder().decode(Vectors.self, from: $0).vectors } ?? []
    }()
}

/// Bytes written as hexadecimal digits.
struct Hex: Decodable, Equatable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let digits = try decoder.singleValueContainer().decode(String.self).compactMap(\.hexDigitValue)
        bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    var secret: SecretBytes { SecretBytes(copying: bytes) }
}

/// Randomness that is known: these bytes, again and again.
struct KnownRandomness: RandomSource {
    let bytes: [UInt8]

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        for index in buffer.indices { buffer[index] = bytes[index % bytes.count] }
    }
}
