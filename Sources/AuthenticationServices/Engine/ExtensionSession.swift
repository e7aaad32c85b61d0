import AutoFillProtocol
import Foundation
import KeywaySystem

/// One request from the broker's question to its answer: a new controller, one entry, one ending.
@MainActor
final class ExtensionSession: InterfaceSession {
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
        presentation = request.forbidsInterface ? .forbidden : .preparing
        self.controller.requestContext = ASCredentialProviderExtensionContext(answer: answer, broker: broker)
        self.controller.presentation = { [weak self] in self?.interfaceChanged($0) }
    }

    /// Answers the request.
    ///
    /// - Throws: `CancellationError` when the request was taken back; ``ProtocolError`` when it makes no sense.
    func run() async throws -> PerformRequest.Result {
        controller.loadViewIfNeeded()
        // Some providers end a request as soon as their view is loaded: when nobody is signed in, for example.
        if answer.isOpen { try controller.enter(request) }
        if request.isReport { answer.endBySystem(.answered(.reported)) }
        appear()
        let ending = await answer.ending()
        disappear()
        switch ending {
        case .answered(let result): return result
        case .withdrawn: throw CancellationError()
        }
    }

    // MARK: Showing

    private func appear() {
        guard presentation == .preparing, answer.isOpen else { return }
        controller.willAppear()
        presentation = .allowed
        if let interface = controller.shown.interface { show(interface) }
        controller.didAppear()
    }

    private func disappear() {
        let wasShown = presentation == .allowed
        presentation = .over
        guard wasShown else { return }
        controller.willDisappear()
        controller.didDisappear()
    }

    private func interfaceChanged(_ interface: ProviderInterface?) {
        switch presentation {
        case .allowed: interface.map(show)
        case .forbidden where interface != nil:
            Log.line("An interface was set during a request without user interaction; it is not shown.")
        case .forbidden, .preparing, .over: break
        }
    }

    private func show(_ interface: ProviderInterface) {
        guard answer.isOpen, let objection = interface.objection(presenting: present) else { return }
        answer.endBySystem(.answered(.failure(objection)))
    }

    // MARK: Events

    /// Hands `event` to the controller whose interface is shown. Backing out always ends the request, whatever the
    /// controller does with it.
    func receive(_ event: InterfaceEvent) {
        guard presentation == .allowed, answer.isOpen else { return }
        controller.shown.interface(didReceive: event)
        if case .cancelled = event { answer.endBySystem(.answered(.init(ASExtensionError(.userCanceled)))) }
    }
}
