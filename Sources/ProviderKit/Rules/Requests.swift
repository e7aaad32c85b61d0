import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywaySystem

/// Requests that rules are tried with.
extension Subject {
    /// A request that shows something; nil where nothing of the provider does.
    var interactiveRequest: PerformRequest.Request? {
        if let list = capabilities.listRequest([]) { return list }
        if capabilities.providesOneTimeCodes { return .oneTimeCodeList([]) }
        if capabilities.providesTextToInsert { return .textToInsert }
        return capabilities.showsConfigurationUI ? .configuration : nil
    }

    /// A request that it can answer.
    var anyRequest: PerformRequest.Request {
        if let identity = try? identity(.password), capabilities.providesPasswords {
            return .provideWithoutInteraction(.init(identity: identity))
        }
        return interactiveRequest ?? .report(.passwordUnused(domain: "kit.example", userName: "nobody"))
    }

    /// One request of each kind that it does not declare.
    var undeclaredRequests: [PerformRequest.Request] {
        let service = ServiceIdentifier(PasskeyTrial.relyingParty, kind: .domain)
        let candidates: [(Need, PerformRequest.Request)] = [
            (.oneTimeCodes, .oneTimeCodeList([])), (.text, .textToInsert), (.configuration, .configuration),
            (.passkeys, .registerPasskey(PasskeyTrial.request())),
            (.conditionalRegistration, .registerPasskeyWithoutInteraction(PasskeyTrial.request())),
            (.generating, .generatePasswordsWithoutInteraction(.ofKit)),
            (.generatingInterface, .generatePasswords(.ofKit)),
            (
                .passwords,
                .provideWithoutInteraction(
                    .init(
                        identity: CredentialIdentity(
                            kind: .password, service: service, user: "kit", recordIdentifier: "kit")))
            ),
            (
                .oneTimeCodes,
                .provideWithoutInteraction(
                    .init(
                        identity: CredentialIdentity(
                            kind: .oneTimeCode, service: service, user: "kit", recordIdentifier: "kit")))
            ),
        ]
        return candidates.filter { !$0.0.isDeclared(by: capabilities) }.map(\.1)
    }
}

extension PerformRequest.Request {
    /// The kind, in words.
    var word: String {
        switch self {
        case .provideWithoutInteraction(let request): "\(request.identity.kind.rawValue)"
        case .provideWithInteraction(let request): "\(request.identity.kind.rawValue) (with interface)"
        case .list: "list"
        case .oneTimeCodeList: "one-time code list"
        case .textToInsert: "text"
        case .setUpCode: "one-time code setup"
        case .registerPasskeyWithoutInteraction: "conditional registration"
        case .registerPasskey: "registration"
        case .savePasswordWithoutInteraction, .savePassword: "save"
        case .generatePasswordsWithoutInteraction, .generatePasswords: "generate"
        case .report: "report"
        case .configuration: "configuration"
        }
    }
}

/// A method that no release has.
enum NoSuchMethod: RemoteMethod {
    typealias Parameters = Nothing
    typealias Result = Nothing

    static let name = "kit.noSuchMethod"
    static let callers: Set<Role> = [.broker]
}

/// ``PerformRequest`` with a request that no release has.
enum UnknownRequest: RemoteMethod {
    struct Parameters: Codable, Sendable {
        let request: [String: [String: String]]

        /// A request called `makeCoffee`.
        static let invented = Parameters(request: ["makeCoffee": [:]])
    }
    typealias Result = Nothing

    static let name = PerformRequest.name
    static let callers: Set<Role> = [.broker]
}

extension StartedExtension {
    /// Whether something was shown for a request that runs.
    var hasShown: Bool { runningPeople.contains { !$0.seen.isEmpty } }

    /// Waits until what it sent before now has been read: the answer to a question comes behind it.
    func settle() async {
        _ = try? await answered(within: .seconds(2)) {
            _ = try await self.connection.call(NoSuchMethod.self, Nothing())
        }
    }

    /// Makes a call that must be answered with an error, and looks whether it lives on.
    func expectError(
        of what: String, _ call: @escaping @Sendable (Connection) async throws(ProtocolError) -> Void
    ) async throws(Objection) {
        do throws(ProtocolError) {
            try await answered(within: Subject.quietLimit) { try await call(self.connection) }
        } catch {
            switch error.code {
            case .timedOut: throw .broken("\(what) was not answered")
            case .connectionClosed:
                _ = await process.hasEnded(within: .seconds(1))
                throw .broken("\(what) ended the extension (\(process.ending))")
            default: return
            }
        }
        throw .broken("\(what) was answered as if it were known")
    }
}
