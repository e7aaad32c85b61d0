import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem

/// The way of credentials to and from the broker: sealed memory files of the format's JSON, which nobody between the two
/// applications reads.
struct ExchangeLink: Sendable {
    /// That of this process.
    static let process = ExchangeLink(broker: .process)

    let broker: BrokerLink

    /// Asks the person who is to have the credentials.
    ///
    /// - Returns: what they agreed to, and the version of the format.
    /// - Throws: ``ASAuthorizationError``.
    func request(
        _ provider: String?
    ) async throws -> (agreement: String, version: ASExportedCredentialData.FormatVersion) {
        let result = try await exporting {
            try await broker.connection().call(RequestExport.self, .init(provider: provider))
        }
        guard let version = ASExportedCredentialData.FormatVersion(rawValue: result.formatVersion) else {
            throw ASAuthorizationError.ended(.credentialExport, "The version of the format isn't known.")
        }
        return (result.exchange, version)
    }

    /// Hands `data` over, as was agreed on.
    ///
    /// - Throws: ``ASAuthorizationError``.
    func export(_ data: ASExportedCredentialData, as agreement: String?) async throws {
        try await exporting {
            let document = try Self.document(data)
            _ = try await broker.connection().call(
                ExportCredentials.self,
                .init(
                    exchange: agreement, formatVersion: data.formatVersion.rawValue,
                    data: Attachment(document.descriptor)))
        }
    }

    /// Takes what waits under `token`.
    ///
    /// - Throws: ``ASAuthorizationError``.
    func take(_ token: UUID) async throws -> ASExportedCredentialData {
        do {
            let result = try await broker.connection().call(TakeCredentials.self, .init(token: token.uuidString))
            return try Self.data(try SealedDocument(received: result.data.descriptor))
        } catch let error as ProtocolError {
            throw ASAuthorizationError.ended(.credentialImport, error.message)
        } catch is CancellationError {
            throw ASAuthorizationError.ended(.canceled, "The import was cancelled.")
        } catch {
            // What is wrong with it would name what it holds.
            throw ASAuthorizationError.ended(.credentialImport, "The accounts can't be read.")
        }
    }

    private func exporting<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ProtocolError where error.code != .cancelled {
            throw ASAuthorizationError.ended(.credentialExport, error.message)
        } catch is EncodingError {
            throw ASAuthorizationError.ended(.credentialExport, "The accounts can't be written.")
        } catch {
            throw ASAuthorizationError(error)
        }
    }

    // MARK: The document

    static func document(_ data: ASExportedCredentialData) throws -> SealedDocument {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        var json = try encoder.encode(data)
        defer { json.resetBytes(in: json.startIndex..<json.endIndex) }
        return try json.withUnsafeBytes { bytes throws(ProtocolError) in
            try SealedDocument { write throws(ProtocolError) in try write(bytes) }
        }
    }

    static func data(_ document: SealedDocument) throws -> ASExportedCredentialData {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        // A copy, which is wiped: what is decoded may outlive the file.
        var json = try document.withUnsafeBytes { bytes throws(ProtocolError) in Data(bytes) }
        defer { json.resetBytes(in: json.startIndex..<json.endIndex) }
        return try decoder.decode(ASExportedCredentialData.self, from: json)
    }
}
