import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import ServiceMatching
import Synchronization

/// What the history learns of a client's requests.
final class RequestNotes: Sendable {
    /// What the open requests are about.
    private let subjects = Mutex<[Int: HistorySubject]>([:])
    private let admission: ClientAdmission
    private let history: History
    private let clock: any TimeSource
    private let suffixes: PublicSuffixes

    init(
        admission: ClientAdmission, history: History, clock: any TimeSource, suffixes: PublicSuffixes
    ) {
        self.admission = admission
        self.history = history
        self.clock = clock
        self.suffixes = suffixes
    }

    /// Adds to what a request is about.
    func remark(_ context: RequestContext, _ change: (inout HistorySubject) -> Void) {
        guard let request = context.requestID else { return }
        subjects.withLock { change(&$0[request, default: HistorySubject()]) }
    }

    /// Notes how each request ended, before it is answered.
    func noteAll(in table: inout MethodTable) {
        table.watchAll { [self] _, context, error in
            let subject = context.requestID.flatMap { request in
                subjects.withLock { $0.removeValue(forKey: request) }
            }
            let entry = (subject ?? HistorySubject()).entry(
                client: admission.clientName(context), time: clock.milliseconds, error: error)
            if let entry { history.note(entry) }
        }
    }

    // MARK: - What each request is about

    func remark(_ parameters: Fill.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .fill
            subject.isPrivate = parameters.isPrivate == true
            subject.service = parameters.services.first.map(suffixes.name)
        }
    }

    func remark(_ parameters: Suggest.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.isPrivate = parameters.isPrivate == true
            subject.service = parameters.services.first.map(suffixes.name)
        }
    }

    func remark(_ parameters: RegisterPasskey.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .registration
            subject.isPrivate = parameters.isPrivate == true
            subject.service = parameters.registration.relyingParty
            subject.account = parameters.registration.userName
            subject.kind = .passkey
        }
    }

    func remark(_ parameters: ReportCredential.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.isPrivate = parameters.isPrivate == true
            subject.service = parameters.services?.first.map(suffixes.name)
        }
    }

    func remark(_ parameters: SavePassword.Parameters, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .save
            subject.isPrivate = parameters.isPrivate == true
            subject.service = suffixes.name(parameters.password.service)
            subject.account = parameters.password.user
            subject.kind = .password
        }
    }

    /// A decision of the person's about a provider.
    func remark(approval provider: ProviderReference, _ detail: String, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .approval
            subject.provider = provider
            subject.detail = detail
        }
    }

    /// A change of a setting; `method` is how the person was verified for it.
    func remark(change detail: String, by method: VerificationMethod? = nil, _ context: RequestContext) {
        remark(context) { subject in
            subject.event = .change
            subject.detail = detail
            subject.method = { method }
        }
    }
}
