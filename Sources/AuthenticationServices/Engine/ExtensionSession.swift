import AutoFillProtocol
import Foundation

/// One request from the broker's question to its answer: a new controller, one entry, one ending.
@MainActor
final class ExtensionSession {
    /// Whether the person may be shown anything.
    private enum Presentation {
        /// Not for this request.
        case forbidden
        /// Not before the entry has returned.
        case preparing
        case allowed
        case over
    }

    private let request: PerformRequest.Request
    private let answer: RequestAnswer
    private let controller: ASCredentialProviderViewController
    private let present: (ProviderInterface) -> Void
    private var presentation: Presentation

    /// A session that answers `request` with `controller`, which nobody has used before.
    init(
        _ request: PerformRequest.Request, controller: ASCredentialProviderViewController,
        answer: RequestAnswer, broker: BrokerLink, present: @escaping (ProviderInterface) -> Void
    ) {
        self.request = request
        self.answer = answer
        self.present = present
        self.controller = controller
        if case .provideWithoutInteraction = request { presentation = .forbidden } else { presentation = .preparing }
        self.controller.requestContext = ASCredentialProviderExtensionContext(answer: answer, broker: broker)
        self.controller.presentation = { [weak self] in self?.interfaceChanged($0) }
    }

    /// Answers the request.
    ///
    /// - Throws: `CancellationError` when the request was taken back.
    func run() async throws -> PerformRequest.Result {
        controller.loadViewIfNeeded()
        callEntry()
        appear()
        let ending = await answer.ending()
        disappear()
        switch ending {
        case .answered(let result): return result
        case .withdrawn: throw CancellationError()
        }
    }

    private func callEntry() {
        switch request {
        case .provideWithoutInteraction(let wanted):
            controller.provideCredentialWithoutUserInteraction(for: Self.request(for: wanted.identity))
        case .provideWithInteraction(let wanted):
            controller.prepareInterfaceToProvideCredential(for: Self.request(for: wanted.identity))
        case .list(let services, passkeys: _):
            controller.prepareCredentialList(for: services.map(ASCredentialServiceIdentifier.init))
        case .configuration:
            controller.prepareInterfaceForExtensionConfiguration()
        default:
            answer.end(.init(ASExtensionError(.failed)), then: nil)
        }
    }

    private static func request(for identity: CredentialIdentity) -> any ASCredentialRequest {
        ASPasswordCredentialRequest(credentialIdentity: ASPasswordCredentialIdentity(identity))
    }

    // MARK: Showing

    private func appear() {
        guard presentation == .preparing, answer.isOpen else { return }
        controller.viewWillAppear(false)
        presentation = .allowed
        if let interface = controller.interface { show(interface) }
        controller.viewDidAppear(false)
    }

    private func disappear() {
        let wasShown = presentation == .allowed
        presentation = .over
        guard wasShown else { return }
        controller.viewWillDisappear(false)
        controller.viewDidDisappear(false)
    }

    private func interfaceChanged(_ interface: ProviderInterface?) {
        switch presentation {
        case .forbidden: Log.line("an interface was set during a request without user interaction; it is not shown")
        case .allowed: interface.map(show)
        case .preparing, .over: break
        }
    }

    private func show(_ interface: ProviderInterface) {
        guard answer.isOpen else { return }
        do throws(ProtocolError) {
            let bounded = try interface.bounded()
            try bounded.checkSize()
            present(bounded)
        } catch {
            // What nobody can see nobody can answer: the person would wait for ever.
            Log.line("\(error)")
            let reason = [ASExtensionLocalizedFailureReasonErrorKey: error.message]
            answer.end(.init(ASExtensionError(.failed, userInfo: reason)), then: nil)
        }
    }

    // MARK: Events

    /// Hands `event` to the controller. Backing out always ends the request, whatever the controller does with it.
    func receive(_ event: InterfaceEvent) {
        guard presentation == .allowed, answer.isOpen else { return }
        controller.interface(didReceive: event)
        if case .cancelled = event { answer.end(.init(ASExtensionError(.userCanceled)), then: nil) }
    }
}
