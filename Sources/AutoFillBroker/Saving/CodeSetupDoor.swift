import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import ProviderHosting

/// Links that set one-time codes up. Any page or app can have one opened, so nothing comes of it before the person said yes
/// in a window that no program draws; where it is kept, they say in the provider's.
final class CodeSetupDoor: Sendable {
    private let notes: RequestNotes
    private let questions: ClientQuestions
    private let directory: ProviderDirectory
    private let consent: ConsentQuestions

    init(notes: RequestNotes, questions: ClientQuestions, directory: ProviderDirectory, consent: ConsentQuestions) {
        self.notes = notes
        self.questions = questions
        self.directory = directory
        self.consent = consent
    }

    /// Answers who opens a link.
    func add(to table: inout MethodTable) {
        table.on(SetUpCode.self) { parameters, context in try await self.setUp(parameters, context) }
    }

    private func setUp(
        _ parameters: SetUpCode.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> SetUpCode.Result {
        let code = parameters.code
        try check(code)
        notes.remark(context) { subject in
            subject.event = .save
            subject.kind = .oneTimeCode
            subject.service = code.issuer.isEmpty ? nil : DisplayText.line(code.issuer)
            subject.account = code.account.isEmpty ? nil : DisplayText.line(code.account)
        }
        let bundle = try await directory.first(parameters.provider, .settingUpCodes)
        notes.remark(context) { $0.provider = bundle.reference }
        guard try await isWanted(code, bundle) else {
            throw ProtocolError(.cancelled, "You chose not to set up the one-time codes.")
        }
        _ = try await questions.askInWindow(bundle, .settingUp(code), account: code.account, context)
        return .init(provider: bundle.reference)
    }

    private func check(_ code: CodeToSetUp) throws(ProtocolError) {
        guard code.issuer.utf8.count <= CodeToSetUp.longestName, code.account.utf8.count <= CodeToSetUp.longestName
        else {
            throw ProtocolError(.invalidParameters, "A name has at most \(CodeToSetUp.longestName) bytes.")
        }
        guard let link = try? code.link.sealedMemory(), (1...CodeToSetUp.longestLink).contains(link.count) else {
            throw ProtocolError(.invalidParameters, "The link is empty, too long, or not in a sealed memory file.")
        }
    }

    private func isWanted(_ code: CodeToSetUp, _ bundle: ProviderBundle) async throws(ProtocolError) -> Bool {
        guard let presenter = consent.sheets, await presenter.canAsk() else {
            throw ProtocolError(
                .interactionRequired,
                "There is no display to ask you on. In a terminal, add the codes to an item: keyway passwords edit ITEM "
                    + "--add-code", provider: bundle.reference.identifier)
        }
        let question = AskPerson.SettingUpCode(
            issuer: DisplayText.line(code.issuer), account: DisplayText.line(code.account), provider: bundle.reference)
        if case .allowed = try await presenter.ask(.settingUpCode(question)) { return true }
        return false
    }
}
