import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol

/// What the vault's service is asked. A seam: tests have a vault of their own.
protocol VaultDoor: Sendable {
    func status() async throws -> VaultStatus.Access
    func unlock(_ masterPassword: Attachment) async throws
    func compare(_ document: Attachment) async throws -> CompareDocument.Result
    func store(_ document: Attachment, _ conflicts: ConflictChoice) async throws -> ImportDocument.Result
    func handOver(_ masterPassword: Attachment) async throws -> HandOverDocument.Result
}

/// What the broker is asked. A seam likewise.
protocol ExchangeDoor: Sendable {
    /// Asks the person who is to have the items, and verifies them.
    func request() async throws -> RequestExport.Result
    /// Hands `document` over; returns when the other app is done with it.
    func export(_ document: Attachment, as agreement: RequestExport.Result) async throws
    /// What waits under `token`.
    func take(_ token: UUID) async throws -> Attachment
}

/// The vault's service at the other end of a socket.
struct VaultLine: VaultDoor {
    private let connection: Connection

    /// Speaks over `descriptor`.
    init(_ descriptor: OwnedDescriptor) {
        connection = Connection(descriptor: descriptor, peer: .known(.providerService))
        connection.start()
    }

    func status() async throws -> VaultStatus.Access {
        try await connection.call(VaultStatus.self, Nothing()).access
    }

    func unlock(_ masterPassword: Attachment) async throws {
        _ = try await connection.call(UnlockVault.self, .init(masterPassword: masterPassword))
    }

    func compare(_ document: Attachment) async throws -> CompareDocument.Result {
        try await connection.call(CompareDocument.self, .init(document: document))
    }

    func store(_ document: Attachment, _ conflicts: ConflictChoice) async throws -> ImportDocument.Result {
        try await connection.call(ImportDocument.self, .init(document: document, conflicts: conflicts))
    }

    func handOver(_ masterPassword: Attachment) async throws -> HandOverDocument.Result {
        try await connection.call(HandOverDocument.self, .init(masterPassword: masterPassword))
    }
}

/// The broker, as `ASCredentialExportManager` and `ASCredentialImportManager` ask it, but for one thing: the document stays
/// in its sealed memory file, where they would make values of it.
struct BrokerExchange: ExchangeDoor {
    func request() async throws -> RequestExport.Result {
        let agreement = try await BrokerLink.process.connection().call(RequestExport.self, .init(provider: nil))
        guard agreement.formatVersion == "1.0" else {
            throw ProtocolError(.noProvider, "The version of the format isn't known.")
        }
        return agreement
    }

    func export(_ document: Attachment, as agreement: RequestExport.Result) async throws {
        _ = try await BrokerLink.process.connection().call(
            ExportCredentials.self,
            .init(exchange: agreement.exchange, formatVersion: agreement.formatVersion, data: document))
    }

    func take(_ token: UUID) async throws -> Attachment {
        try await BrokerLink.process.connection().call(TakeCredentials.self, .init(token: token.uuidString)).data
    }
}
