import CredentialExchange
import Foundation
import HybridEncryption
import KeywayCrypto
import SecretDocuments

@testable import ExchangePackages

/// Messages of the exchange protocol: those that were generated for tests, and ones of our own.
enum Packages {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/exchange/cxp")

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "\(name).json")))
    }

    static func keys() throws -> RecipientKeys {
        try RecipientKeys(SecretBytes(copying: try bytes("generated-importer-keys")))
    }

    static let items: [ExchangeItem] = (0..<3).map { number in
        ExchangeItem(
            id: "AAA\(number)", title: "Item \(number)",
            credentials: [
                ExchangeCredential(
                    .note,
                    [("content", .object(ExchangeField(.string, SecretText(copyingUTF8Of: "n\(number)")).object))])
            ])
    }

    static let header = ExchangeHeader(exporter: "exporter.example", displayName: "Exporter", timestamp: 1_790_000_000)

    /// An answer to a request.
    static func response(
        to request: ExchangeRequest, _ items: [ExchangeItem] = items, account: String = "BBBB"
    ) throws -> [UInt8] {
        let writer = try PackageWriter(request, random: SystemRandomSource())
        writer.begin(ExchangeAccount(id: account))
        for item in items { try writer.add(item) }
        var bytes: [UInt8] = []
        try writer.finish(header) { (piece) throws(ExchangePackageError) in bytes += piece }
        return bytes
    }

    static func request(_ bytes: [UInt8]) throws -> ExchangeRequest {
        try bytes.withUnsafeBytes { (bytes) throws(ExchangePackageError) in try ExchangeRequest(bytes) }
    }

    /// What is in an answer.
    static func document(_ response: [UInt8], _ keys: RecipientKeys) throws -> [UInt8] {
        try response.withUnsafeBytes { (bytes) throws(ExchangePackageError) in
            try ExchangeResponse(bytes).document(for: keys).withUnsafeBytes { Array($0) }
        }
    }

    /// The items of a document.
    static func items(_ document: [UInt8]) throws -> [ExchangeItem] {
        try document.withUnsafeBytes { bytes in
            let reader = try ExchangeReader(bytes)
            return try reader.accounts.flatMap { account in
                var (items, found) = (reader.items(of: account), [ExchangeItem]())
                while let item = try items.next() { found.append(item) }
                return found
            }
        }
    }

    /// JSON with something else in it.
    static func changed(_ bytes: [UInt8], _ change: (inout [String: Any]) -> Void) throws -> [UInt8] {
        var object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
        change(&object)
        return Array(try JSONSerialization.data(withJSONObject: object))
    }

    /// The failure of something.
    static func failure(_ body: () throws -> Void) -> ExchangePackageError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ExchangePackageError)?.code
        }
    }
}
