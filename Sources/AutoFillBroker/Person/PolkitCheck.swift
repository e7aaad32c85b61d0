import AutoFillProtocol
import BrokerBase
import Dispatch
import Glibc
import KeywaySystem
import Synchronization
import SystemBus

/// polkit asks the person in a window of its own, which names Keyway; the presenter names account and site beside it.
final class PolkitCheck: VerificationCheck {
    /// The action whose file is shipped (`Packaging/polkit-1`).
    static let action = "org.keyway.verify-person"
    /// How long the person may take, in seconds.
    private static let patience: UInt64 = 600
    /// How long a session counts as one without an agent after it had none.
    private static let agentPause = Duration.seconds(60)

    /// What polkit answered.
    enum Answer: Sendable, Equatable {
        case authorized
        case refused
        /// The person closed the window.
        case dismissed
        /// Nobody asks in this session.
        case noAgent
        case failed(String)
        case cancelled
    }

    private static let authority = BusObject(
        service: "org.freedesktop.PolicyKit1", path: "/org/freedesktop/PolicyKit1/Authority",
        interface: "org.freedesktop.PolicyKit1.Authority")

    private let place: BusPlace
    private let clock: any TimeSource
    private let queue = DispatchQueue(label: "org.keyway.polkit")
    private let missingAgent = Mutex<MonotonicTime?>(nil)

    /// A check on that bus.
    init(at place: BusPlace = .system, clock: any TimeSource) {
        self.place = place
        self.clock = clock
    }

    var method: VerificationMethod { .system }

    // MARK: - State

    func state() async -> VerificationMethodState {
        let obstacle = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.obstacle()) }
        }
        if let obstacle {
            return VerificationMethodState(
                method: method, isAvailable: false, detail: obstacle.detail, obstacle: obstacle.kind)
        }
        if let since = missingAgent.withLock({ $0 }), clock.now.since(since) < Self.agentPause {
            return VerificationMethodState(
                method: method, isAvailable: false,
                detail: "No authentication agent is running. Desktops start one; in a terminal, run: pkttyagent")
        }
        return VerificationMethodState(method: method, isAvailable: true)
    }

    private func obstacle() -> (detail: String, kind: VerificationMethodState.Obstacle?)? {
        do throws(BusError) {
            let bus = try BusConnection(place, queue: queue)
            guard try !isInstalled(bus) else { return nil }
            return (
                "Its action is not installed: copy share/polkit-1/actions/\(Self.action).policy of the installation to "
                    + "/usr/share/polkit-1/actions", .notSetUp
            )
        } catch {
            if error.code == .noBus { return ("There is no system bus (\(error.detail)).", .missing) }
            guard error.isNobodyThere else { return ("\(error.detail).", nil) }
            return ("polkit isn't running. Install the package polkitd", .missing)
        }
    }

    private func isInstalled(_ bus: BusConnection) throws(BusError) -> Bool {
        try bus.call(Self.authority, "EnumerateActions", [.string("")]) { (answer) throws(BusError) in
            guard try answer.enter(BusType.array, "(ssssssuuua{ss})") else { return false }
            while try answer.enter(BusType.structure, "ssssssuuua{ss}") {
                if try answer.readString() == Self.action { return true }
                try answer.skip("sssssuuua{ss}")
                try answer.leave()
            }
            return false
        }
    }

    // MARK: - The check

    func verify(_ subject: VerificationSubject, through presenter: any PersonPresenter) async throws(ProtocolError) {
        try await AccompaniedCheck.run(subject.question(method), through: presenter) { () throws(ProtocolError) in
            switch await self.ask() {
            case .authorized: return
            case .refused: throw ProtocolError(.notVerified, "it was refused")
            case .dismissed: throw ProtocolError(.cancelled, "You closed the system prompt.")
            case .cancelled: throw ProtocolError(.cancelled, "The check was cancelled.")
            case .noAgent:
                self.missingAgent.withLock { $0 = self.clock.now }
                throw ProtocolError(.notVerified, "no authentication agent is running in your session")
            case .failed(let reason): throw ProtocolError(.notVerified, reason)
            }
        }
    }

    /// Asks polkit, which asks the person; withdrawn when the task is cancelled.
    private func ask() async -> Answer {
        let answer = OneAnswer<Answer>()
        let running = Mutex<(bus: BusConnection?, isCancelled: Bool)>((nil, false))
        let cancellation = "keyway-\(UInt64.random(in: 0 ... .max))"
        return await withTaskCancellationHandler {
            queue.async {
                guard !running.withLock({ $0.isCancelled }) else { return answer.give(.cancelled) }
                do throws(BusError) {
                    let bus = try BusConnection(self.place, queue: self.queue)
                    running.withLock { $0.bus = bus }
                    bus.listen { answer.give(.failed("the system bus is gone (\($0.detail))")) }
                    try self.begin(on: bus, cancellation, answer)
                } catch {
                    answer.give(.failed(error.detail))
                }
            }
            let result = await answer.wait()
            queue.async { running.withLock { $0.bus }?.stop() }
            return result
        } onCancel: {
            queue.async {
                let bus = running.withLock { state in
                    state.isCancelled = true
                    return state.bus
                }
                // polkit takes its window away then.
                try? bus?.call(Self.authority, "CancelCheckAuthorization", [.string(cancellation)]) { _ in }
                answer.give(.cancelled)
            }
        }
    }

    private func begin(
        on bus: BusConnection, _ cancellation: String, _ answer: OneAnswer<Answer>
    ) throws(BusError) {
        // Whose session it is polkit finds by the name, which the bus knows the process of: no number to be reused.
        // Details of our own are for root alone; account and site stand at the presenter.
        let arguments: [BusValue] = [
            .structure([.string("system-bus-name"), .variants(["name": .string(bus.uniqueName)])]),
            .string(Self.action), .strings([:]), .number(1), .string(cancellation),
        ]
        try bus.begin(Self.authority, "CheckAuthorization", arguments, timeout: Self.patience) { result in
            switch result {
            case .failure(let error): answer.give(.failed(error.detail))
            case .success(let message):
                answer.give((try? Self.read(message)) ?? .failed("polkit's answer can't be read"))
            }
        }
    }

    private static func read(_ message: BusMessage) throws(BusError) -> Answer {
        guard try message.enter(BusType.structure, "bba{ss}") else { throw BusError(.malformed, "the result") }
        let isAuthorized = try message.readBoolean()
        let isChallenge = try message.readBoolean()
        if isAuthorized { return .authorized }
        guard try message.enter(BusType.array, "{ss}") else { return isChallenge ? .noAgent : .refused }
        while try message.enter(BusType.entry, "ss") {
            if try message.readString() == "polkit.dismissed" { return .dismissed }
            try message.skip("s")
            try message.leave()
        }
        return isChallenge ? .noAgent : .refused
    }
}
