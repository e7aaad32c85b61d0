import Foundation

@testable import CryptoKit

/// A file of vectors in `Tests/Vectors/crypto`; each says where it comes from.
struct Vectors<Vector: Decodable>: Decodable {
    let source: String
    let vectors: [Vector]

    /// The vectors of the file `name`.
    static func read(_ name: String) throws -> [Vector] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Vectors/crypto/\(name).json"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Self.self, from: data).vectors
    }
}

/// Bytes written as hexadecimal digits.
struct Hex: Decodable, Equatable {
    let data: Data

    init(_ digits: String) {
        let digits = digits.compactMap(\.hexDigitValue)
        data = Data(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
    }

    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }
}

/// The function that a file calls `name`.
func function(named name: String) throws -> any HashFunction.Type {
    guard let function = functions[name] else { throw CryptoKitError.invalidParameter }
    return function
}

/// The functions by their names in the files.
let functions: [String: any HashFunction.Type] = [
    "SHA256": SHA256.self, "SHA384": SHA384.self, "SHA512": SHA512.self, "SHA1": Insecure.SHA1.self,
    "MD5": Insecure.MD5.self,
]
