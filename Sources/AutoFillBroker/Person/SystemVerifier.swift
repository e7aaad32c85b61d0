import AutoFillProtocol
import KeywaySystem
import ProviderHosting
import Synchronization

/// Verifies the person with the methods that this computer has, one after another: if one is missing or fails, the
/// next one is tried.
final class SystemVerifier: PersonVerifier {
    private struct State {
        var checks: [any VerificationCheck] = []
        var running: [Int: Task<VerificationMethod, any Error>] = [:]
        var nextNumber = 0
        /// How often all that ran was ended.
        var interruptions = 0
    }

    private let state = Mutex(State())

    /// From now on the person can be verified in these ways too. They are tried in the order of
    /// ``VerificationMethod``: what asks least of the person first.
    func add(_ checks: any VerificationCheck...) {
        let order = VerificationMethod.allCases
        state.withLock { state in
            state.checks = (state.checks + checks).sorted {
                (order.firstIndex(of: $0.method) ?? 0) < (order.firstIndex(of: $1.method) ?? 0)
            }
        }
    }

    /// The check of that type, where there is one.
    func check<Check: VerificationCheck>(_ type: Check.Type) -> Check? { checks.lazy.compactMap { $0 as? Check }.first }

    private var checks: [any VerificationCheck] { state.withLock { $0.checks } }

    func methods() async -> [VerificationMethodState] { await methods(nil) }

    /// The methods, or the one method where one is named.
    func methods(_ only: VerificationMethod?) async -> [VerificationMethodState] {
        let checks = checks.filter { only == nil || $0.method == only }
        // Each may ask another process: nobody waits for the sum of them.
        return await withTaskGroup(of: (Int, VerificationMethodState).self) { group in
            for (index, check) in checks.enumerated() { group.addTask { (index, await check.state()) } }
            var states = [VerificationMethodState?](repeating: nil, count: checks.count)
            for await (index, state) in group { states[index] = state }
            return states.compactMap { $0 }
        }
    }

    func outlookForKeyway() async -> VerificationOutlook {
        var reasons: [String] = []
        for check in checks where await check.countsForKeyway {
            let state = await check.state()
            if state.isAvailable { return .ready }
            if state.obstacle?.isAbsence != true { reasons.append(Self.reason(check.method, state)) }
        }
        return reasons.isEmpty ? .notSetUp : .notNow(reasons.joined(separator: "; "))
    }

    /// Whether the master password of `bundle` is all that verifies the person for Keyway.
    func isAll(by bundle: ProviderBundle) async -> Bool {
        guard let check = check(MasterPasswordCheck.self), await check.isAll(by: bundle) else { return false }
        for other in checks where other.method != .masterPassword {
            if await other.state().isAbsent { continue }
            return false
        }
        return true
    }

    private static func reason(_ method: VerificationMethod, _ state: VerificationMethodState) -> String {
        "\(method.words): \(state.detail ?? "not available")"
    }

    func verify(
        _ subject: VerificationSubject, through presenter: any PersonPresenter
    ) async throws(ProtocolError) -> VerificationMethod {
        let (number, interruptions) = state.withLock { state in
            state.nextNumber += 1
            return (state.nextNumber, state.interruptions)
        }
        let task = Task<VerificationMethod, any Error> { [self] in try await tryAll(subject, presenter) }
        state.withLock { state in
            state.running[number] = task
            // It was locked in between.
            if state.interruptions != interruptions { task.cancel() }
        }
        defer { state.withLock { _ = $0.running.removeValue(forKey: number) } }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        switch result {
        case .success(let method):
            // Whoever finished in the moment of the lock did not verify who is there after it.
            guard state.withLock({ $0.interruptions }) == interruptions else { throw Self.interrupted }
            return method
        case .failure(let error):
            if state.withLock({ $0.interruptions }) != interruptions { throw Self.interrupted }
            throw (error as? ProtocolError) ?? ProtocolError(.cancelled, "The check was cancelled.")
        }
    }

    /// The session was locked: whatever is being checked ends as cancelled.
    func interrupt() {
        let running = state.withLock { state in
            state.interruptions += 1
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
    }

    private static var interrupted: ProtocolError {
        ProtocolError(.locked, "The session was locked before the check ended.")
    }

    private func tryAll(
        _ subject: VerificationSubject, _ presenter: any PersonPresenter
    ) async throws(ProtocolError) -> VerificationMethod {
        guard await presenter.canAsk() else {
            throw ProtocolError(
                .notVerified, "Keyway couldn't verify you, because there is no display or terminal to ask you on.")
        }
        var reasons: [String] = []
        for check in checks where subject.methods?.contains(check.method) ?? true {
            let state = await check.state()
            guard state.isAvailable else {
                reasons.append(Self.reason(check.method, state))
                continue
            }
            do throws(ProtocolError) {
                try await check.verify(subject, through: presenter)
                return check.method
            } catch {
                guard error.code == .notVerified, !Task.isCancelled else { throw error }
                reasons.append("\(check.method.words): \(error.message)")
            }
        }
        let why = reasons.isEmpty ? "no method is set up" : reasons.joined(separator: "; ")
        throw ProtocolError(.notVerified, "Keyway couldn't verify you (\(why)). Run: keyway doctor")
    }
}

extension VerificationMethodState {
    /// Whether there is no such way on this machine, or it was never set up.
    fileprivate var isAbsent: Bool { !isAvailable && obstacle?.isAbsence == true }
}
