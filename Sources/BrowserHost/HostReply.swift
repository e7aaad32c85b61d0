import AutoFillProtocol
import AutoFillWire
import FoundationEssentials

/// The messages to the extension that hold no secret, as JSON.
///
/// Members that the extension's version of the protocol does not have must not occur: it refuses them.
enum HostReply {
    /// `hello`.
    struct Greeting: Encodable {
        let `protocol` = ProtocolVersion.current
        let version = ProtocolVersion.release
    }

    /// `fill.waiting`: the provider needs the person.
    struct Waiting: Encodable {
        let request: Int
        let provider: String
        let message: String
        let command: String

        init(request: Int, _ notice: FillWaiting.Parameters) {
            self.request = request
            provider = notice.provider.name.fitting(80)
            let message = "\(provider) needs you first. In a terminal, run: \(notice.command)"
            // Half a command is none.
            let isShowable =
                notice.command.utf16.count <= ExtensionBounds.command && message.utf16.count <= ExtensionBounds.message
            self.message = isShowable ? message : "\(provider) needs you first."
            command = isShowable ? notice.command : ""
        }
    }

    /// An answer to the request `id`.
    static func result(_ result: some Encodable, id: Int) -> [UInt8] {
        json(ResultMessage(id: id, result: result))
    }

    /// An error in answer to `id`; nil where the frame had none that could be read.
    static func failure(_ failure: HostFailure, id: Int?) -> [UInt8] {
        json(ErrorMessage(id: id, error: .init(failure)))
    }

    /// The notice that a fill waits.
    static func waiting(_ waiting: Waiting) -> [UInt8] {
        json(NotificationMessage(method: FillWaiting.name, params: waiting))
    }

    /// A provider, and the lists of it that the extension can open.
    struct Provider: Encodable {
        let identifier: String
        let name: String
        let lists: [CredentialKind]
        let isSilent: Bool
    }

    /// `state`.
    struct State: Encodable {
        /// What one provider's service last said of itself.
        struct Provider: Encodable {
            let identifier: String
            let state: ServiceState
        }

        let providers: [Provider]

        init(_ running: [BrokerStatus.RunningProcess]) {
            providers = running.prefix(ExtensionBounds.providers).compactMap { process in
                guard process.role == .providerService, process.provider.isShowable else { return nil }
                return process.state.map { Provider(identifier: process.provider.identifier, state: $0) }
            }
        }
    }

    /// `texts`.
    struct TextProviders: Encodable {
        let providers: [ProviderName]

        /// Those that have texts, in the person's order.
        init(_ answer: Suggest.Result) {
            let shown = (answer.lists ?? []).filter { $0.hasTexts == true && $0.provider.isShowable }
            providers = shown.prefix(ExtensionBounds.providers).map {
                ProviderName(identifier: $0.provider.identifier, name: $0.provider.name)
            }
        }
    }

    /// A provider by its name.
    struct ProviderName: Encodable {
        let identifier: String
        let name: String
    }

    /// `passkeys.report` and `lock`.
    struct Nothing: Encodable {}

    /// `suggest`.
    private struct Suggestions: Encodable {
        let suggestions: [Line]
        let more: Int
        let providers: [Provider]
        /// Whether Keyway can be set up from here; missing where it cannot.
        var setUp: Bool?
    }

    /// `setUp`.
    struct SetUpOutcome: Encodable {
        let outcome: SetUp.Outcome
    }

    /// Nothing is suggested before Keyway is set up, which can be done from here.
    static func setUpOffer(id: Int) -> [UInt8] {
        result(Suggestions(suggestions: [], more: 0, providers: [], setUp: true), id: id)
    }

    /// What the extension hears of a suggestion.
    private struct Line: Encodable {
        let handle: String
        let user: String
        let service: String
        let provider: ProviderReference
        let match: ServiceMatch
        let kind: CredentialKind
        let period: Int?

        init(_ suggestion: Suggestion, saysHowLong: Bool) {
            handle = suggestion.handle
            user = suggestion.user
            service = suggestion.service
            provider = suggestion.provider
            match = suggestion.match
            kind = suggestion.kind
            period = saysHowLong ? suggestion.period : nil
        }
    }

    /// Suggestions, as many of the best as fit into a frame of `limit` bytes.
    ///
    /// - Parameter saysHowLong: whether the extension knows `period`, which the protocol has since version 1.1.
    static func suggestions(_ answer: Suggest.Result, id: Int, limit: Int, saysHowLong: Bool) -> [UInt8] {
        var list = answer.suggestions.filter(\.isShowable).prefix(ExtensionBounds.suggestions).map {
            Line($0, saysHowLong: saysHowLong)
        }
        let lists = Dictionary(
            (answer.lists ?? []).map { ($0.provider.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        let providers = answer.providers.filter(\.isShowable).prefix(ExtensionBounds.providers).map {
            Provider(
                identifier: $0.identifier, name: $0.name,
                lists: lists[$0.identifier]?.kinds ?? [], isSilent: lists[$0.identifier]?.isSilent ?? false)
        }
        while true {
            let hidden = answer.suggestions.count - list.count
            let part = Suggestions(suggestions: list, more: answer.more + hidden, providers: providers)
            let message = result(part, id: id)
            if message.count <= limit || list.isEmpty { return message }
            list.removeLast((list.count + 1) / 2)
        }
    }

    private static func json(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        // Strings, whole numbers and lists of them: there is nothing in a message that cannot be encoded.
        return (try? encoder.encode(message)).map(Array.init) ?? []
    }
}

extension Suggestion {
    fileprivate var isShowable: Bool {
        user.utf16.count <= ExtensionBounds.text && service.utf16.count <= ExtensionBounds.text
            && (1...ExtensionBounds.handle).contains(handle.utf16.count) && provider.isShowable
    }
}

extension ProviderReference {
    var isShowable: Bool {
        (1...ExtensionBounds.name).contains(identifier.utf16.count) && name.utf16.count <= ExtensionBounds.name
    }
}

private struct ResultMessage<Result: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let id: Int
    let result: Result
}

private struct NotificationMessage<Parameters: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let method: String
    let params: Parameters
}

private struct ErrorMessage: Encodable {
    struct Detail: Encodable {
        struct Kind: Encodable {
            let kind: String
        }

        let code: Int
        let message: String
        let data: Kind

        init(_ failure: HostFailure) {
            code = failure.code
            message = failure.message
            data = Kind(kind: failure.kind.rawValue)
        }
    }

    let id: Int?
    let error: Detail

    private enum Member: String, CodingKey { case jsonrpc, id, error }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode("2.0", forKey: .jsonrpc)
        // An id that could not be read is null, not missing (JSON-RPC 2.0, section 5).
        try members.encode(id, forKey: .id)
        try members.encode(error, forKey: .error)
    }
}
