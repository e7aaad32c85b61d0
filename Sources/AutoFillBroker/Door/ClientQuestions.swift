import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import ProviderHosting

/// How providers are asked for a client.
final class ClientQuestions: Sendable {
    private let notes: RequestNotes
    let place: ClientPlace
    private let desk: ProviderRequests

    init(
        notes: RequestNotes, place: ClientPlace, desk: ProviderRequests
    ) {
        self.notes = notes
        self.place = place
        self.desk = desk
    }

    func ask(
        _ bundle: ProviderBundle, _ request: ProviderRequest, for service: ServiceIdentifier?, presents: Bool,
        _ context: RequestContext, purpose: PresentationShow.Purpose? = nil
    ) async throws(ProtocolError) -> PerformRequest.Result {
        notes.remark(context) { $0.provider = bundle.reference }
        return try await place.presenting(presents, bundle, service, context, purpose: purpose) {
            relay throws(ProtocolError) in
            let question = ProviderRequests.Question(
                bundle: bundle, request: request, caller: try place.caller(context), relay: relay,
                command: command(bundle, for: service),
                verification: try place.verification(presents, bundle, service, account: request.account, context),
                absence: place.absence(context))
            return try await desk.ask(question, notify: waitingNotice(bundle, context))
        }
    }

    /// Asks on the desktop, as for a page, whoever made the request.
    func askInWindow(
        _ bundle: ProviderBundle, _ request: ProviderRequest, account: String?, _ context: RequestContext
    ) async throws(ProtocolError) -> PerformRequest.Result {
        notes.remark(context) { $0.provider = bundle.reference }
        return try await place.inWindow(bundle) { relay throws(ProtocolError) in
            let question = ProviderRequests.Question(
                bundle: bundle, request: request, caller: .browser, relay: relay, command: command(bundle, for: nil),
                verification: place.verificationInWindow(bundle, account: account, context))
            return try await desk.ask(question, notify: waitingNotice(bundle, context))
        }
    }

    func waitingNotice(_ bundle: ProviderBundle, _ context: RequestContext) -> @Sendable (String) -> Void {
        { command in
            guard let request = context.requestID else { return }
            context.connection.notify(
                FillWaiting.self, .init(request: request, provider: bundle.reference, command: command))
        }
    }

    /// What to type in a terminal, where the person is needed.
    func command(_ bundle: ProviderBundle, for service: ServiceIdentifier?) -> String {
        bundle.interactionCommand ?? filling([], service)
    }

    func filling(_ options: [String], _ service: ServiceIdentifier?) -> String {
        (["keyway", "fill"] + options + [service.map(place.name)].compactMap { $0 }).joined(separator: " ")
    }
}
