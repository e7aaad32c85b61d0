import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AuthenticationServices

/// The managers of the exchange, from the API to the broker and back.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ExchangeManagerTests {
    /// The broker, as an application sees it: it gives back what it got.
    private final class Broker: Sendable {
        let requested = Mutex<[String?]>([])
        let exported = Mutex<[ExportCredentials.Parameters]>([])
        let error = Mutex<ProtocolError?>(nil)
        let version = Mutex("1.0")
        private let ends = Mutex<[Connection]>([])

        var link: ExchangeLink {
            ExchangeLink(
                broker: BrokerLink { [self] in
                    let (ours, theirs) = try LocalSocket.pair()
                    var methods = MethodTable()
                    methods.on(RequestExport.self) { parameters, _ in
                        if let error = self.error.withLock({ $0 }) { throw error }
                        self.requested.withLock { $0.append(parameters.provider) }
                        return .init(exchange: "agreed", formatVersion: self.version.withLock { $0 })
                    }
                    methods.on(ExportCredentials.self) { parameters, _ in
                        if let error = self.error.withLock({ $0 }) { throw error }
                        self.exported.withLock { $0.append(parameters) }
                        return Nothing()
                    }
                    methods.on(TakeCredentials.self) { _, _ in
                        if let error = self.error.withLock({ $0 }) { throw error }
                        guard let data = self.exported.withLock({ $0.last })?.data else {
                            throw ProtocolError(.notFound, "No accounts wait under this token.")
                        }
                        return .init(data: data)
                    }
                    let door = Connection(
                        descriptor: ours, peer: .unknown(Greeting(accepts: [.application], name: "keywayd")),
                        methods: methods)
                    door.start()
                    let app = Connection(descriptor: theirs, peer: .known(.broker))
                    app.start()
                    try await app.greet(as: .application, name: "test")
                    ends.withLock { $0 += [door, app] }
                    return app
                })
        }
    }

    private static func data(_ title: String = "Example") -> ASExportedCredentialData {
        let password = ASImportableEditableField(id: nil, fieldType: .concealedString, value: "secret")
        let item = ASImportableItem(
            id: Data([1]), created: Date(timeIntervalSince1970: 1_735_689_600),
            lastModified: Date(timeIntervalSince1970: 1_751_328_000), title: title,
            credentials: [.basicAuthentication(.init(userName: nil, password: password))])
        return ASExportedCredentialData(
            accounts: [
                ASImportableAccount(id: Data([2]), userName: "ada", email: "", collections: [], items: [item])
            ], formatVersion: .v1, exporterRelyingPartyIdentifier: "example.org", exporterDisplayName: "Example",
            timestamp: Date(timeIntervalSince1970: 1_760_000_000))
    }

    private func code(_ body: () async throws -> Void) async -> ASAuthorizationError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? ASAuthorizationError)?.code
        }
    }

    @Test func whatIsExportedIsWhatIsImported() async throws {
        let broker = Broker()
        let manager = ASCredentialExportManager(over: broker.link)
        #expect(try await manager.requestExport(for: "org.example").formatVersion == .v1)
        try await manager.exportCredentials(Self.data())
        #expect(broker.requested.withLock { $0 } == ["org.example"])
        let sent = broker.exported.withLock { $0 }
        #expect(sent.map(\.exchange) == ["agreed"] && sent.map(\.formatVersion) == ["1.0"])
        let taken = try await ASCredentialImportManager(over: broker.link).importCredentials(token: UUID())
        #expect(taken == Self.data())
    }

    @Test func anAgreementCountsForOneExport() async throws {
        let broker = Broker()
        let manager = ASCredentialExportManager(over: broker.link)
        _ = try await manager.requestExport()
        try await manager.exportCredentials(Self.data())
        try await manager.exportCredentials(Self.data())
        try await ASCredentialExportManager(over: broker.link).exportCredentials(Self.data())
        #expect(broker.exported.withLock { $0 }.map(\.exchange) == ["agreed", nil, nil])
    }

    @Test func nothingOfTheAccountsIsInTheMessage() async throws {
        let broker = Broker()
        try await ASCredentialExportManager(over: broker.link).exportCredentials(Self.data("canary"))
        let sent = try #require(broker.exported.withLock { $0.first })
        #expect(!"\(sent)".contains("canary"))
        _ = try SealedDocument(received: sent.data.descriptor)
    }

    @Test(arguments: [
        (ProtocolError.Code.cancelled, ASAuthorizationError.Code.canceled), (.noProvider, .credentialExport),
        (.notVerified, .credentialExport), (.providerFailed, .credentialExport), (.disabled, .credentialExport),
        (.timedOut, .credentialExport), (.brokerNotRunning, .credentialExport),
    ])
    func anExportThatFailsSaysHow(code: ProtocolError.Code, expected: ASAuthorizationError.Code) async {
        let broker = Broker()
        broker.error.withLock { $0 = ProtocolError(code, "Because.") }
        let manager = ASCredentialExportManager(over: broker.link)
        #expect(await self.code { _ = try await manager.requestExport() } == expected)
        #expect(await self.code { try await manager.exportCredentials(Self.data()) } == expected)
    }

    @Test(arguments: [ProtocolError.Code.notFound, .disabled, .providerFailed, .connectionClosed])
    func anImportThatFailsIsOneError(code: ProtocolError.Code) async {
        let broker = Broker()
        broker.error.withLock { $0 = ProtocolError(code, "Because.") }
        let manager = ASCredentialImportManager(over: broker.link)
        #expect(await self.code { _ = try await manager.importCredentials(token: UUID()) } == .credentialImport)
    }

    @Test func aVersionThatIsNotKnownIsNoAgreement() async throws {
        let broker = Broker()
        broker.version.withLock { $0 = "9.9" }
        let manager = ASCredentialExportManager(over: broker.link)
        #expect(await code { _ = try await manager.requestExport() } == .credentialExport)
    }

    @Test(arguments: ["", "{", "[]", #"{"version":{"major":2,"minor":0}}"#, #"{"title":"canary"}"#])
    func whatIsNoDocumentIsAnErrorThatNamesNothing(text: String) async throws {
        let broker = Broker()
        let memory = try Array(text.utf8).withUnsafeBytes { bytes throws in try SealedMemory(copying: bytes) }
        broker.exported.withLock {
            $0 = [.init(exchange: nil, formatVersion: "1.0", data: Attachment(memory))]
        }
        do {
            _ = try await ASCredentialImportManager(over: broker.link).importCredentials(token: UUID())
            Issue.record("it was read")
        } catch let error as ASAuthorizationError {
            #expect(error.code == .credentialImport && error.localizedDescription == "The accounts can't be read.")
        }
    }
}
