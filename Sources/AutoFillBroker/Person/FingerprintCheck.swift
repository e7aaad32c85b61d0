import AutoFillProtocol
import AutoFillWire
import Dispatch
import Glibc
import KeywaySystem
import Synchronization
import SystemBus

/// A finger on the sensor, which fprintd looks at; the presenter says what for.
final class FingerprintCheck: VerificationCheck {
    /// How often the finger may be laid on until another method is tried.
    static let tries = 3

    private static let service = "net.reactivated.Fprint"
    private static let manager = BusObject(
        service: service, path: "/net/reactivated/Fprint/Manager", interface: "\(service).Manager")
    private static let device = "\(service).Device"

    private let place: BusPlace
    private let user: String
    private let queue = DispatchQueue(label: "org.keyway.fingerprint")

    /// A check on that bus.
    init(at place: BusPlace = .system) {
        self.place = place
        user = getpwuid(getuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? ""
    }

    var method: VerificationMethod { .fingerprint }

    // MARK: - State

    func state() async -> VerificationMethodState {
        let obstacle = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.obstacle()) }
        }
        return VerificationMethodState(
            method: method, isAvailable: obstacle == nil, detail: obstacle?.detail, obstacle: obstacle?.kind)
    }

    private func obstacle() -> (detail: String, kind: VerificationMethodState.Obstacle?)? {
        do throws(BusError) {
            let bus = try BusConnection(place, queue: queue)
            let fingers = try bus.call(try reader(on: bus), "ListEnrolledFingers", [.string(user)]) {
                (answer) throws(BusError) in try answer.readStrings()
            }
            return fingers.isEmpty ? (Self.noFinger, .notSetUp) : nil
        } catch {
            return (Self.describe(error), Self.kind(of: error))
        }
    }

    /// Whether there is no reader, or no finger; nil where the reader cannot be used for another reason.
    private static func kind(of error: BusError) -> VerificationMethodState.Obstacle? {
        if error.code == .noBus || error.isNobodyThere { return .missing }
        return switch error.name {
        case "\(service).Error.NoSuchDevice": .missing
        case "\(service).Error.NoEnrolledPrints": .notSetUp
        default: nil
        }
    }

    private static let noFinger = "No finger is enrolled. To enrol one: fprintd-enroll"

    private static func describe(_ error: BusError) -> String {
        if error.code == .noBus { return "There is no system bus (\(error.detail))." }
        if error.isNobodyThere { return "fprintd isn't running. Install the package fprintd" }
        return switch error.name {
        case "\(service).Error.NoSuchDevice": "fprintd found no fingerprint reader."
        case "\(service).Error.NoEnrolledPrints": noFinger
        case "\(service).Error.AlreadyInUse": "Another program is using the fingerprint reader."
        case "\(service).Error.PermissionDenied": "fprintd doesn't let this session use the fingerprint reader."
        default: "\(error.detail)."
        }
    }

    private func reader(on bus: BusConnection) throws(BusError) -> BusObject {
        let path = try bus.call(Self.manager, "GetDefaultDevice") { (answer) throws(BusError) in try answer.readPath() }
        return BusObject(service: Self.service, path: path, interface: Self.device)
    }

    // MARK: - The check

    /// How one finger was found.
    private enum Answer: Sendable {
        case match
        case noMatch
        /// It could not be read, for this reason.
        case again(String)
        case failed(String)
        case cancelled
    }

    func verify(_ subject: VerificationSubject, through presenter: any PersonPresenter) async throws(ProtocolError) {
        let last = Mutex<String?>(nil)
        for _ in 0..<Self.tries {
            let question = subject.question(method, error: last.withLock { $0 })
            let isDone = Mutex(false)
            try await AccompaniedCheck.run(question, through: presenter) { () throws(ProtocolError) in
                switch await self.look() {
                case .match: isDone.withLock { $0 = true }
                case .noMatch: last.withLock { $0 = "The fingerprint was not recognised." }
                case .again(let sentence): last.withLock { $0 = sentence }
                case .failed(let reason): throw ProtocolError(.notVerified, reason)
                case .cancelled: throw ProtocolError(.cancelled, "The check was cancelled.")
                }
            }
            if isDone.withLock({ $0 }) { return }
        }
        throw ProtocolError(.notVerified, last.withLock { $0 } ?? "the fingerprint was not recognised")
    }

    /// One use of the reader, from claim to release.
    private final class Use: Sendable {
        let state = Mutex<(bus: BusConnection?, device: BusObject?, isCancelled: Bool)>((nil, nil, false))
    }

    /// Looks at one finger; ends when the task is cancelled, and gives the reader back in every case.
    private func look() async -> Answer {
        let answer = OneAnswer<Answer>()
        let use = Use()
        return await withTaskCancellationHandler {
            queue.async {
                guard !use.state.withLock({ $0.isCancelled }) else { return answer.give(.cancelled) }
                do throws(BusError) {
                    try self.begin(use, answer)
                } catch {
                    answer.give(.failed(Self.describe(error)))
                }
            }
            let result = await answer.wait()
            await withCheckedContinuation { continuation in
                queue.async {
                    Self.release(use)
                    continuation.resume()
                }
            }
            return result
        } onCancel: {
            queue.async {
                use.state.withLock { $0.isCancelled = true }
                answer.give(.cancelled)
            }
        }
    }

    private func begin(_ use: Use, _ answer: OneAnswer<Answer>) throws(BusError) {
        let bus = try BusConnection(place, queue: queue)
        let device = try reader(on: bus)
        try bus.subscribe(to: Self.service, "interface='\(Self.device)',member='VerifyStatus'") { message in
            guard message.path == device.path, let result = try? message.readString(),
                let isDone = try? message.readBoolean(), let found = Self.answer(result, isDone: isDone)
            else { return }
            answer.give(found)
        }
        try bus.call(device, "Claim", [.string("")]) { _ in }
        use.state.withLock { ($0.bus, $0.device) = (bus, device) }
        try bus.call(device, "VerifyStart", [.string("any")]) { _ in }
        bus.listen { answer.give(.failed("The system bus is gone (\($0.detail)).")) }
    }

    private static func release(_ use: Use) {
        let (bus, device) = use.state.withLock { ($0.bus, $0.device) }
        guard let bus, let device else { return }
        bus.stop()
        try? bus.call(device, "VerifyStop") { _ in }
        try? bus.call(device, "Release") { _ in }
    }

    /// What a result of fprintd means (its `Device` interface); nil where the reader goes on by itself.
    private static func answer(_ result: String, isDone: Bool) -> Answer? {
        switch result {
        case "verify-match": return .match
        case "verify-no-match": return .noMatch
        case "verify-disconnected": return .failed("The fingerprint reader was disconnected.")
        case "verify-retry-scan", "verify-swipe-too-short", "verify-finger-not-centered", "verify-remove-and-retry":
            return isDone ? .again("Couldn’t read the fingerprint. Try again.") : nil
        default: return .failed("The fingerprint reader failed (\(DisplayText.line(result))).")
        }
    }
}
