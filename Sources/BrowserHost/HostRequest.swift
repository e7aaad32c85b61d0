import AutoFillWire
import FoundationEssentials

/// One message of the extension, read as strictly as the extension reads ours: an unknown member is refused.
struct HostRequest: Sendable {
    /// What the extension wants.
    enum Call: Hashable, Sendable {
        case hello(HelloParameters)
        case suggest(SuggestParameters)
        case available(Page)
        /// A signature with a passkey.
        case get(GetParameters)
        /// A new passkey.
        case create(CreateParameters)
        /// What a site says of its passkeys.
        case report(ReportParameters)
        /// One credential: a suggestion, or what the person picks from a list.
        case fill(FillChoice)
        /// What is known of the providers' locks.
        case state
        /// Locks the provider with this identifier.
        case lock(String)
        /// Whether there is something for new passwords.
        case savingSupport
        /// New passwords for a form.
        case generate(GenerateParameters)
        /// A generated password that the person chose.
        case keep(SubmittedForm)
        /// What a form was sent with.
        case submit(SubmittedForm)
        /// What became of that.
        case settle(SettleParameters)
        /// The sites that are never asked about.
        case unsavedSites
        /// One of them that is to be asked about again.
        case askAgain(AskAgainParameters)
        /// Where one changes the password of the page's site.
        case changePage(Page)
        /// Who has texts to insert.
        case texts(Page)
        /// A text that the person picks from a provider's list.
        case insert(InsertParameters)
        /// The person wants Keyway set up.
        case setUp(Page)
        /// Withdraws a request; the only notification.
        case cancel(Int)
    }

    /// The number that the answer must carry; nil for a notification.
    let id: Int?
    /// What the extension wants, or what is wrong with it.
    let call: Result<Call, HostFailure>

    /// Reads a frame's JSON.
    ///
    /// - Throws: ``HostFailure`` with the kind `invalid` when it is no JSON-RPC 2.0 request: there is no id to answer to.
    init(frame: [UInt8], limits: WireLimits) throws(HostFailure) {
        guard JSONNesting.isWithin(limits.nesting, frame) else {
            throw .malformed("The message is nested more than \(limits.nesting) deep.")
        }
        // JSON between processes is UTF-8 (RFC 8259, section 8.1); the decoder by itself would guess at others.
        guard String(validating: frame, as: UTF8.self) != nil else { throw .malformed("The message is not UTF-8.") }
        let json = Data(frame)
        let head: RequestHead
        do {
            head = try JSONDecoder().decode(RequestHead.self, from: json)
        } catch {
            throw .malformed("The message is no JSON-RPC 2.0 request.")
        }
        id = head.id
        call = Self.call(head, json)
    }

    private static func call(_ head: RequestHead, _ json: Data) -> Result<Call, HostFailure> {
        do {
            switch (head.method, head.id) {
            case ("hello", .some): return .success(.hello(try parameters(HelloParameters.self, json)))
            case ("suggest", .some): return .success(.suggest(try parameters(SuggestParameters.self, json)))
            case ("fill", .some): return .success(.fill(try parameters(FillParameters.self, json).choice))
            case ("list", .some): return .success(.fill(try parameters(ListParameters.self, json).choice))
            case ("texts", .some): return .success(.texts(try parameters(Page.self, json)))
            case ("insert", .some): return .success(.insert(try parameters(InsertParameters.self, json)))
            case ("setUp", .some): return .success(.setUp(try parameters(Page.self, json)))
            case ("passkeys.available", .some): return .success(.available(try parameters(Page.self, json)))
            case ("passkeys.get", .some): return .success(.get(try parameters(GetParameters.self, json)))
            case ("passkeys.create", .some): return .success(.create(try parameters(CreateParameters.self, json)))
            case ("passkeys.report", .some): return .success(.report(try parameters(ReportParameters.self, json)))
            case ("state", .some):
                _ = try parameters(StateParameters.self, json)
                return .success(.state)
            case ("lock", .some): return .success(.lock(try parameters(LockParameters.self, json).provider))
            case ("passwords.available", .some):
                _ = try parameters(Page.self, json)
                return .success(.savingSupport)
            case ("passwords.generate", .some):
                return .success(.generate(try parameters(GenerateParameters.self, json)))
            case ("passwords.keep", .some): return .success(.keep(try parameters(SubmittedForm.self, json)))
            case ("passwords.submit", .some): return .success(.submit(try parameters(SubmittedForm.self, json)))
            case ("passwords.settle", .some): return .success(.settle(try parameters(SettleParameters.self, json)))
            case ("passwords.unsaved", .some):
                _ = try parameters(NoParameters.self, json)
                return .success(.unsavedSites)
            case ("passwords.askAgain", .some):
                return .success(.askAgain(try parameters(AskAgainParameters.self, json)))
            case ("passwords.changePage", .some): return .success(.changePage(try parameters(Page.self, json)))
            case ("cancel", nil): return .success(.cancel(try parameters(CancelRequest.Parameters.self, json).id))
            default: return .failure(HostFailure(.invalid, "There is no such method here.", code: -32601))
            }
        } catch {
            return .failure(error as? HostFailure ?? .parameters("The parameters are missing, mistyped or unknown."))
        }
    }

    private static func parameters<P: Decodable>(_ type: P.Type, _ json: Data) throws -> P {
        try JSONDecoder().decode(RequestParameters<P>.self, from: json).params
    }
}

/// The members of a request that every method has.
private struct RequestHead: Decodable {
    let id: Int?
    let method: String

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(["jsonrpc", "id", "method", "params"])
        guard try members.decode(String.self, forKey: "jsonrpc") == "2.0" else {
            throw HostFailure.malformed("not JSON-RPC 2.0")
        }
        id = members.contains("id") ? try members.decode(Int.self, forKey: "id") : nil
        guard id ?? 0 >= 0 else { throw HostFailure.malformed("the id is negative") }
        method = try members.decode(String.self, forKey: "method")
    }
}

/// `params` of a request that has none.
private struct NoParameters: Decodable {
    init(from decoder: any Decoder) throws { _ = try decoder.members([]) }
}

private struct RequestParameters<Parameters: Decodable>: Decodable {
    let params: Parameters
}
