package import Adwaita
import AutoFillProtocol
package import AutoFillWire
import Dispatch

/// Connects the broker and the presenter: shows what the broker sends, and returns what the person does.
@MainActor
package final class SheetServer {
    /// How long a request that the person cancelled may go on, in milliseconds: then the broker is told to end it.
    private static let patience: UInt32 = 2000

    private let language: SheetLanguage
    private let questions: PendingQuestions
    private var presenter: SheetPresenter?
    private weak var connection: Connection?
    private var cancelled: Set<Int> = []
    private let seen = SeenQuestions(timer: DesktopTimer())
    private var asked: [Int: Sheet] = [:]
    private let onIdle: @MainActor (Bool) -> Void

    /// A server that speaks `language`; `onIdle` is told whether there is nothing to show, whenever that changes.
    ///
    /// - Throws: ``DesktopError`` with the code `interfaceFile`: never with the file that is part of the program.
    package init(language: SheetLanguage, onIdle: @escaping @MainActor (Bool) -> Void) throws(DesktopError) {
        self.language = language
        self.onIdle = onIdle
        questions = PendingQuestions()
        presenter = try SheetPresenter(
            language: language, onOpen: { [weak self] in self?.tellOpened($0) },
            tell: { [weak self] id, answer in self?.tell(id, answer) })
    }

    /// What the broker may send. It arrives on another thread, and is acted upon in its order on the main one.
    package var methods: MethodTable {
        var table = MethodTable()
        table.on(PresentationShow.self) { parameters, context in
            Self.onMain { self.show(parameters, context.connection) }
        }
        table.on(PresentationEnd.self) { parameters, _ in
            Self.onMain { self.end(parameters.request) }
        }
        table.on(CheckSheets.self) { _, _ in
            // Answered where windows are drawn: a program whose loop stands still is not at work.
            await withCheckedContinuation { continuation in Self.onMain { continuation.resume() } }
            return CheckSheets.Result()
        }
        table.on(AskPerson.self) { [questions] parameters, context in
            let connection = context.connection
            return AskPerson.Result(
                try await questions.ask { number in
                    Self.onMain { self.ask(parameters.question, number, connection) }
                } ifCancelled: { number in
                    Self.onMain { self.withdraw(number) }
                })
        }
        return table
    }

    // MARK: - From the broker

    private func show(_ message: PresentationShow.Parameters, _ connection: Connection) {
        self.connection = connection
        // What cannot be shown is ended: nobody waits for a window that does not come.
        guard let sheet = try? Sheet(message),
            presenter?.show(sheet, for: .presentation(message.request)) == true
        else { return connection.abandon(message.request) }
        onIdle(false)
    }

    private func end(_ request: Int) {
        cancelled.remove(request)
        presenter?.end(.presentation(request))
        onIdle(presenter?.isIdle ?? true)
    }

    private func ask(_ question: AskPerson.Question, _ number: Int, _ connection: Connection) {
        self.connection = connection
        if question.isSettled { return questions.answer(number, .unchanged) }
        seen.begin(number)
        let sheet = Sheet(question, in: language)
        guard presenter?.show(sheet, for: .question(number)) == true
        else { return questions.answer(number, .cancelled) }
        asked[number] = sheet
        onIdle(false)
    }

    private func withdraw(_ number: Int) {
        seen.end(number)
        asked[number] = nil
        presenter?.end(.question(number))
        onIdle(presenter?.isIdle ?? true)
    }

    // MARK: - From the person

    private func tell(_ id: SheetID, _ answer: SheetAnswer) {
        switch id {
        case .presentation(let request): tell(request, answer)
        case .question(let number):
            if case .event(.chose) = answer, !seen.isConsidered(number) {
                // It does not count, and the rows can be chosen from as before.
                Desktop.after(milliseconds: 0) { [weak self] in
                    if let self, let sheet = asked[number] { _ = presenter?.show(sheet, for: id) }
                }
                return
            }
            questions.answer(number, AskPerson.Answer(answer))
            withdraw(number)
        }
    }

    private func tellOpened(_ id: SheetID) {
        var request: Int?
        switch id {
        case .presentation(let number): request = number
        case .question(let number): seen.begin(number)
        }
        connection?.notify(PresentationOpened.self, .init(request: request))
    }

    private func tell(_ request: Int, _ answer: SheetAnswer) {
        switch answer {
        case .event(let event): connection?.notify(PresentationEvent.self, .init(request: request, event: event))
        case .allowed, .refused, .never: break
        case .cancelled:
            connection?.notify(PresentationEvent.self, .init(request: request, event: .cancelled))
            cancelled.insert(request)
            Desktop.after(milliseconds: Self.patience) { [weak self] in
                guard let self, cancelled.contains(request) else { return }
                connection?.abandon(request)
            }
            onIdle(presenter?.isIdle ?? true)
        }
    }

    private nonisolated static func onMain(_ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated(body) }
    }
}

extension Connection {
    fileprivate func abandon(_ request: Int) {
        notify(PresentationAbandoned.self, .init(request: request))
    }
}

extension AskPerson.Question {
    /// Whether there is nothing to decide: the password that would be kept is kept.
    var isSettled: Bool {
        guard case .saving(let question) = self, let sent = question.password, let stored = question.stored,
            let sent = try? sent.sealedMemory(), let stored = try? stored.sealedMemory()
        else { return false }
        return (try? sent.hasSameBytes(as: stored)) ?? false
    }
}

extension AskPerson.Answer {
    /// The answer that the broker is given. Of a form, the one secret that was asked for.
    init(_ answer: SheetAnswer) {
        switch answer {
        case .allowed: self = .allowed
        case .refused: self = .refused
        case .never: self = .never
        case .event(.submitted(let values)):
            if case .secret(let secret) = values[VerificationSheet.field] {
                self = .secret(secret)
            } else if case .text(let name) = values[AccountSheet.field] {
                self = .named(name)
            } else {
                self = .cancelled
            }
        case .event(.chose(let row)):
            self = PasskeySheet.answer(row)
        case .event, .cancelled: self = .cancelled
        }
    }
}
