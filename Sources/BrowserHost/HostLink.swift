import AutoFillClient
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization

/// How the host comes to a broker: starts one where none runs, in a test something simpler.
protocol BrokerConnecting: Sendable {
    /// A conversation that has been greeted as that of `profile`; `methods` receive the broker's notifications.
    ///
    /// - Throws: ``ProtocolError`` that says what stands in the way.
    func connect(profile: BrowserProfile, methods: MethodTable) async throws(ProtocolError) -> Connection
}

extension BrokerDoor: BrokerConnecting {
    func connect(profile: BrowserProfile, methods: MethodTable) async throws(ProtocolError) -> Connection {
        try await connect(
            as: .browser, name: "keyway-browser-host \(ProtocolVersion.release)", profile: profile, methods: methods)
    }
}

/// The one conversation with the broker: opened by the first request, opened again after the broker went away.
///
/// Handles are good for the conversation that they were given on, so there is one, not one per request.
actor HostLink {
    /// One conversation, and who waits for notices on it.
    private struct Link: Sendable {
        let connection: Connection
        let notices: WaitingNotices
    }

    private let connector: any BrokerConnecting
    private let profile: BrowserProfile
    private var opening: Task<Link, any Error>?
    private var current: Link?
    /// Whether a provider was on when the last suggestion of this conversation was answered: then the browser is approved,
    /// too, and there is nothing to set up.
    private var hadProvider = false

    init(_ connector: any BrokerConnecting, profile: BrowserProfile) {
        self.connector = connector
        self.profile = profile
    }

    /// What the enabled providers have for a page. Asked again, once, when the broker ends while it is answering.
    func suggest(_ parameters: Suggest.Parameters) async throws(ProtocolError) -> Suggest.Result {
        let answer: Suggest.Result
        do {
            answer = try await link().connection.call(Suggest.self, parameters)
        } catch  where error.code == .connectionClosed {
            answer = try await link().connection.call(Suggest.self, parameters)
        }
        hadProvider = !answer.providers.isEmpty
        return answer
    }

    /// Whether there is nothing to set up, as far as that is known without asking the broker.
    var isSetUp: Bool { hadProvider && current?.connection.isClosed == false }

    /// One credential; `onWaiting` hears when it needs the person. Never asked twice: the person may have been.
    func fill(
        _ parameters: Fill.Parameters, onWaiting: @escaping WaitingNotices.Receiver
    ) async throws(ProtocolError) -> Fill.Result {
        let link = try await link()
        var request: Int?
        defer { if let request { link.notices.forget(request) } }
        return try await link.connection.call(Fill.self, parameters) { id in
            request = id
            link.notices.expect(id, onWaiting)
        }
    }

    /// Asks something else, once.
    func call<Method: RemoteMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
    ) async throws(ProtocolError) -> Method.Result {
        try await link().connection.call(method, parameters)
    }

    private func link() async throws(ProtocolError) -> Link {
        if let current, !current.connection.isClosed { return current }
        let task = opening ?? open()
        opening = task
        let result = await task.result
        if opening == task { opening = nil }
        switch result {
        case .success(let link):
            if link.connection !== current?.connection { hadProvider = false }
            current = link
            return link
        case .failure(let error):
            throw error as? ProtocolError ?? ProtocolError(.system, "The broker cannot be reached.")
        }
    }

    private func open() -> Task<Link, any Error> {
        Task { [connector, profile] in
            let notices = WaitingNotices()
            var methods = MethodTable()
            methods.on(FillWaiting.self) { notice, _ in notices.deliver(notice) }
            return Link(connection: try await connector.connect(profile: profile, methods: methods), notices: notices)
        }
    }
}

/// Who waits for the notice that a fill needs the person, by the id of its request.
final class WaitingNotices: Sendable {
    typealias Receiver = @Sendable (FillWaiting.Parameters) -> Void

    private let receivers = Mutex<[Int: Receiver]>([:])

    func expect(_ request: Int, _ receiver: @escaping Receiver) {
        receivers.withLock { $0[request] = receiver }
    }

    func forget(_ request: Int) {
        receivers.withLock { _ = $0.removeValue(forKey: request) }
    }

    func deliver(_ notice: FillWaiting.Parameters) {
        receivers.withLock { $0[notice.request] }?(notice)
    }
}
