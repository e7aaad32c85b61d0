import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol

/// The socket to the vault's service, kept from one request to the next.
@MainActor
final class ServiceLine {
    /// The line of this process.
    static let shared = ServiceLine()
    fileprivate var connection: Connection?

    /// A line that is not open yet.
    init() {}
}

/// Asks the vault's service.
@MainActor
struct VaultClient {
    /// The most items that one list shows; more are found by searching.
    static let maximumItems = 500
    /// The most matches that stand before them.
    static let maximumMatches = 100

    private let line: ServiceLine
    private let open: @MainActor () async throws -> KeywayServiceConnection

    /// A client that talks over `line` and, where that is closed, has `open` connect it.
    init(line: ServiceLine, open: @escaping @MainActor () async throws -> KeywayServiceConnection) {
        self.line = line
        self.open = open
    }

    /// Asks one question. Failures are part of the answer.
    func answer(_ question: VaultQuestion) async -> VaultAnswer {
        switch question {
        case .status:
            .status(await result { try await call(VaultStatus.self, Nothing()).access })
        case .unlock(let secret):
            .unlocked(
                await result {
                    _ = try await call(UnlockVault.self, .init(masterPassword: Attachment(secret.sealedMemory)))
                })
        case .password(let record):
            .password(await result { try await password(of: record) })
        case .code(let record):
            .code(await result { try await code(of: record) })
        case .codes(let services, ""):
            .list(await result { try await codes(services, "") })
        case .codes(let services, let text):
            .found(text: text, await result { try await codes(services, text) })
        case .list(let services, let passkeys):
            .list(await result { try await list(services, passkeys) })
        case .search(let text, for: let services, let kind):
            .found(text: text, await result { try await search(text, services, kind) })
        case .texts(let record): .texts(await result { try await texts(of: record) })
        case .text(let text, let record): .text(await result { try await self.text(text, of: record) })
        case .sign(let record, let request):
            .signed(await result { try await call(SignWithPasskey.self, .init(item: record, request: request)) })
        case .make(let registration, let isConditional):
            .made(
                await result {
                    try await call(MakePasskey.self, .init(registration: registration, isConditional: isConditional))
                })
        case .keep(let keeping, let replaces):
            .kept(
                await result {
                    _ = try await call(
                        KeepPassword.self,
                        .init(
                            service: keeping.service, user: keeping.user, password: Attachment(keeping.password),
                            title: keeping.title, isPending: keeping.isPending, replaces: replaces))
                })
        case .places(let keeping): .list(await result { try await places(for: keeping) })
        case .keepCode(let keeping, let record):
            .keptCode(
                await result {
                    _ = try await call(
                        KeepCode.self,
                        .init(
                            link: Attachment(keeping.link), issuer: keeping.issuer, account: keeping.account,
                            item: record
                        ))
                })
        case .report(let report):
            .reported(await result { _ = try await call(HearReport.self, .init(report: report)) })
        }
    }

    // MARK: Questions

    private func password(of record: String) async throws -> (user: String, password: SealedPassword) {
        let item = try await call(ShowItem.self, .init(item: ItemName(record), parts: [.password]))
        // A name that is no identifier any more may still be somebody's title.
        guard item.summary.id == record else { throw ProtocolError(.notFound, "The item no longer exists.") }
        guard let password = item.password else { throw ProtocolError(.providerFailed, "The item has no password.") }
        return (item.summary.user, SealedPassword(memory: try password.sealedMemory()))
    }

    private func list(
        _ services: [ServiceIdentifier], _ passkeys: PasskeyRequestParameters?
    ) async throws -> ItemListing {
        var listing = try await search("", services, .password)
        if let passkeys {
            listing.passkeys = try await call(
                FindPasskeys.self,
                .init(
                    relyingParty: passkeys.relyingParty, allowedCredentials: passkeys.assertion.allowedCredentials)
            ).items
        }
        if !services.isEmpty {
            let matches = try await call(MatchItems.self, .init(services: services)).items
            listing.matches = Array(matches.prefix(Self.maximumMatches))
        }
        return listing
    }

    private func code(of record: String) async throws -> MakeCode.Result {
        guard let name = CodeRecordName(record: record) else {
            throw ProtocolError(.notFound, "The code no longer exists.")
        }
        return try await call(MakeCode.self, .init(item: name.item, section: name.section))
    }

    private func codes(_ services: [ServiceIdentifier], _ text: String) async throws -> ItemListing {
        let found = try await call(
            FindCodes.self, .init(services: services, text: text, limit: Self.maximumItems))
        return ItemListing(matches: text.isEmpty ? found.matches : [], items: found.items, total: found.total)
    }

    private func places(for keeping: CodeKeeping) async throws -> ItemListing {
        var listing = try await search("", [], .password)
        if !keeping.issuer.isEmpty {
            let found = try await search(keeping.issuer, [], .password).items
            // Those of the same account first, otherwise as they were found.
            listing.matches = Array(
                (found.filter { $0.user == keeping.account } + found.filter { $0.user != keeping.account })
                    .prefix(Self.maximumMatches))
        }
        return listing
    }

    private func search(
        _ text: String, _ services: [ServiceIdentifier], _ kind: ItemKind?
    ) async throws -> ItemListing {
        var limit = Self.maximumItems
        while true {
            do {
                let found = try await call(
                    SearchItems.self,
                    .init(
                        text: text, limit: limit, kind: kind, leavesOutHidden: true, services: services))
                return ItemListing(items: found.items, total: found.total)
            } catch let error as ProtocolError where error.code == .frameTooLarge && limit > 10 {
                limit /= 4  // Items with many long addresses: fewer of them fit.
            }
        }
    }

    // MARK: The line

    private func result<Value>(_ body: () async throws -> Value) async -> Result<Value, ProtocolError> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error as? ProtocolError ?? ProtocolError(.internalError, error.localizedDescription))
        }
    }

    /// Makes a call; once more, over a new socket, when the service has ended since the last one.
    func call<M: RemoteMethod>(_ method: M.Type, _ parameters: M.Parameters) async throws -> M.Result {
        if let connection = line.connection, !connection.isClosed {
            let answer = await attempt(method, parameters, over: connection)
            guard case .failure(let error) = answer, error.code == .connectionClosed else { return try answer.get() }
        }
        return try await attempt(method, parameters, over: try await connect()).get()
    }

    private func attempt<M: RemoteMethod>(
        _ method: M.Type, _ parameters: M.Parameters, over connection: Connection
    ) async -> Result<M.Result, ProtocolError> {
        do {
            return .success(try await connection.call(method, parameters))
        } catch {
            return .failure(error)
        }
    }

    private func connect() async throws -> Connection {
        let connection = Connection(descriptor: try await open().descriptor, peer: .known(.providerService))
        connection.start()
        line.connection = connection
        return connection
    }
}
