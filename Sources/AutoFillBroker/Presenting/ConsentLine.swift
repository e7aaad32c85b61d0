import AutoFillProtocol
import KeywaySystem
import ServiceMatching
import Synchronization

/// Queues consent questions so that the person sees one at a time, however many programs and pages ask.
///
/// So they never fill the queue of the window, which providers' requests need.
final class ConsentLine: Sendable {
    /// The most that wait.
    static let limit = 8
    /// How long a question that the person closed too often is not put again: nobody wears them out by asking on.
    static let pause = Duration.seconds(30)

    private struct State {
        var isTaken = false
        var hasCodes = false
        var nextTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var closed: [Subject: [MonotonicTime]] = [:]
    }

    private let state = Mutex(State())

    /// Waits for its turn; ``leave()`` ends it.
    ///
    /// - Throws: ``ProtocolError`` with the code `cancelled` when too many wait, or the task was cancelled.
    func enter() async throws(ProtocolError) {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isIn = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if !state.isTaken {
                        state.isTaken = true
                        return true
                    }
                    guard state.waiting.count < Self.limit else { return false }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                if let isIn { continuation.resume(returning: isIn) }
            }
        } onCancel: {
            take(ticket)?.resume(returning: false)
        }
        guard !isIn else { return }
        throw ProtocolError(
            .cancelled,
            Task.isCancelled ? "The question was withdrawn." : "Too many questions are waiting for you already.")
    }

    /// The turn of the next.
    func leave() {
        let next = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken ? state.waiting.removeFirst().continuation : nil
        }
        next?.resume(returning: true)
    }

    /// Takes the one place that there is for links of one-time codes: many of them would keep all other questions out.
    ///
    /// - Throws: ``ProtocolError`` with the code `busy` when another link is there; ``endCodes()`` gives the place back.
    func beginCodes() throws(ProtocolError) {
        let isFree = state.withLock { state in
            defer { state.hasCodes = true }
            return !state.hasCodes
        }
        guard !isFree else { return }
        throw ProtocolError(.busy, "Keyway is asking about another link for one-time codes. Answer that first.")
    }

    /// The place is free again.
    func endCodes() {
        state.withLock { $0.hasCodes = false }
    }

    /// The person closed `question` without an answer, or said no to what others may ask again and again; or who asked
    /// took it back, where they could go on so.
    func close(_ question: AskPerson.Question, at now: MonotonicTime) {
        guard let (subject, _) = Subject.of(question) else { return }
        state.withLock { $0.closed[subject, default: []].append(now) }
    }

    /// Whether the person closed `question` a moment ago, and as often as it may be put then.
    func isClosed(_ question: AskPerson.Question, at now: MonotonicTime) -> Bool {
        guard let (subject, tries) = Subject.of(question) else { return false }
        return state.withLock { state in
            state.closed = state.closed.compactMapValues { times in
                let recent = times.filter { now.since($0) < Self.pause }
                return recent.isEmpty ? nil : recent
            }
            return state.closed[subject, default: []].count >= tries
        }
    }

    /// What may wear the person out when it is put again and again.
    private enum Subject: Hashable {
        case question(AskPerson.Question)
        /// The pages of a site, whatever they ask for: one could name another account each time, and whoever has a site
        /// has as many hosts as they like.
        case site(String)
        /// Links for one-time codes, whatever they say: any page can have one opened.
        case codes
        /// The first run, whoever offers it.
        case firstRun
        /// An export of a provider, to whomever.
        case exchange(String)

        /// How often `question` may be closed before it pauses; `nil` for what the person began themselves.
        static func of(_ question: AskPerson.Question) -> (Subject, tries: Int)? {
            switch question {
            case .consent, .newSite, .debugging, .application: (.question(question), 1)
            // Who closed it by mistake presses the page's button again.
            case .passkey(let choice): (.site(site(choice.service)), 3)
            case .saving(let question): (.site(site(question.service)), 1)
            case .settingUpCode: (.codes, 3)
            case .settingUp: (.firstRun, 3)
            case .exchange(let question): (.exchange(question.exporter.identifier), 3)
            default: nil
            }
        }

        private static func site(_ service: String) -> String {
            PublicSuffixes.system.site(
                ServiceIdentifier(service.contains("://") ? service : "https://\(service)", kind: .url))
        }
    }

    private func take(_ ticket: Int) -> CheckedContinuation<Bool, Never>? {
        state.withLock { state in
            guard let place = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: place).continuation
        }
    }
}
