package import AutoFillProtocol
package import AutoFillWire
import BrokerBase
import Glibc
package import KeywaySystem
import Synchronization

/// One running process of a bundle, and the connection that it was started with.
package final class BundleProcess: Sendable {
    private struct State {
        var relays: [Int: InterfaceRelay] = [:]
        /// Of the request that runs, there is one at a time; and whether it is one with an interface.
        var verification: (any PersonVerification)?
        var mayAskPerson = false
        var failure: ProtocolError?
        var exitStatus: CInt?
        var allowance: Double
        var lastShown: MonotonicTime
        var strays = 0
    }

    /// How many interfaces may come at once, and how many in each second after that: more than anybody can look at.
    static let interfaces = (atOnce: 100.0, eachSecond: 50.0)
    /// How many may be about requests that do not run: one is late, a thousand are a flood.
    static let maximumStrays = 100

    let bundle: ProviderBundle
    let role: Role
    /// Whether a debugger may look into it.
    let isDebugged: Bool
    /// The connection that it was born with.
    package let connection: Connection
    private let process: any LaunchedProcess
    private let state: Mutex<State>
    private let clock: any TimeSource
    private let log: EventLog

    /// A process that runs, and the broker's end of its socket. Nothing is read before ``start()``.
    ///
    /// - Parameter isDebugged: whether a debugger may be attached to it.
    init(
        bundle: ProviderBundle, role: Role, isDebugged: Bool = false, process: any LaunchedProcess,
        socket: OwnedDescriptor, methods: MethodTable, clock: any TimeSource, log: EventLog
    ) {
        self.bundle = bundle
        self.isDebugged = isDebugged
        self.role = role
        self.process = process
        self.log = log
        self.clock = clock
        state = Mutex(State(allowance: Self.interfaces.atOnce, lastShown: clock.now))
        let greeting = Greeting(accepts: [role], name: "keywayd \(ProtocolVersion.release)") {
            guard !isDebugged else { return nil }
            let objection = Onlooker.objection(to: process.processIdentifier, bundle.reference.name)
            if let objection {
                log(objection.message)
                process.send(signal: SIGKILL)
            }
            return objection
        }
        connection = Connection(descriptor: socket, peer: .unknown(greeting), methods: methods)
    }

    var processIdentifier: Int32 { process.processIdentifier }
    /// The same, as soon as it is certain.
    func identified() async -> Int32 { await process.identified() }
    var provider: ProviderReference { bundle.reference }

    /// Begins to listen to the process; `onEnd` is called once, when the connection or the process has ended.
    func start(onEnd: @escaping @Sendable () -> Void) {
        connection.onViolation { [weak self] in self?.cutOff("sent what is no message: \($0.message)") }
        connection.onClose(onEnd)
        process.onExit { [weak self] status in
            self?.state.withLock { $0.exitStatus = status }
            self?.connection.close()
        }
        connection.start()
    }

    // MARK: - Requests

    /// Makes one request.
    ///
    /// - Throws: ``ProtocolError``: `cancelled`, `locked`, or `providerFailed` with what the process did wrong.
    package func perform(
        _ request: PerformRequest.Request, _ relay: InterfaceRelay?,
        _ verification: (any PersonVerification)? = nil
    ) async throws(ProtocolError) -> PerformRequest.Result {
        try await ask(PerformRequest.self, .init(request: request), relay, verification)
    }

    /// Asks the process what may need an interface.
    ///
    /// - Throws: ``ProtocolError``, as ``perform(_:_:_:)``.
    package func ask<Method: RemoteMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, _ relay: InterfaceRelay?,
        _ verification: (any PersonVerification)? = nil
    ) async throws(ProtocolError) -> Method.Result {
        let strays = connection.unawaitedAnswers
        let number = Mutex(0)
        defer {
            let number = number.withLock { $0 }
            relay?.disconnect()
            state.withLock { state in
                state.relays[number] = nil
                state.verification = nil
            }
        }
        do throws(ProtocolError) {
            try await connection.waitForGreeting()
            let result = try await connection.call(method, parameters) { id in
                number.withLock { $0 = id }
                state.withLock { ($0.verification, $0.mayAskPerson) = (verification, relay != nil) }
                guard let relay else { return }
                relay.connect(
                    connection, request: id, isDebugged: isDebugged,
                    onSecret: { verification?.noteProviderInterface() }
                ) { [weak self] in
                    guard let self else { return }
                    log("\(label) went on after it was cancelled; ended")
                    stop(because: fail("was cancelled", .cancelled))
                }
                state.withLock { $0.relays[id] = relay }
            }
            if connection.unawaitedAnswers > strays { log("\(label) gave an answer that nobody waits for; dropped") }
            return result
        } catch {
            throw translated(error)
        }
    }

    /// Takes an interface for one of the requests that run; others are dropped.
    func present(_ parameters: ReceivedPresent.Parameters) {
        guard mayShow() else { return cutOff("showed too many screens in a short time") }
        guard let relay = state.withLock({ $0.relays[parameters.request] }) else {
            let strays = state.withLock { state in
                state.strays += 1
                return state.strays
            }
            if strays > Self.maximumStrays { return cutOff("kept showing screens that were not requested") }
            if strays == 1 { log("\(label) showed an interface for a request that does not run; dropped") }
            return
        }
        guard let interface = parameters.interface else { return cutOff("described a screen that can't be read") }
        do {
            try relay.show(interface)
        } catch {
            cutOff("described a screen that is too large")
        }
    }

    /// Verifies the person for the request that runs, as its extension asks (`LAContext`).
    ///
    /// - Throws: ``ProtocolError``: `interactionRequired` where no request with an interface runs, `notVerified`,
    ///   `cancelled`.
    func verifyPerson(_ parameters: VerifyPerson.Parameters) async throws(ProtocolError) -> VerifyPerson.Result {
        let (current, mayAskPerson) = state.withLock { ($0.verification, $0.mayAskPerson) }
        guard let verification = current, mayAskPerson || parameters.reason == nil else {
            throw fail("asked to verify you, but no request that can show anything is running", .interactionRequired)
        }
        return try await verification.answer(parameters)
    }

    private func mayShow() -> Bool {
        let now = clock.now
        return state.withLock { state in
            let earned = now.since(state.lastShown) / .seconds(1) * Self.interfaces.eachSecond
            state.allowance = min(Self.interfaces.atOnce, state.allowance + earned) - 1
            state.lastShown = now
            return state.allowance >= 0
        }
    }

    /// What a request's failure means for whoever asked.
    private func translated(_ error: ProtocolError) -> ProtocolError {
        if let failure = state.withLock({ $0.failure }) { return failure }
        switch error.code {
        case .cancelled where Task.isCancelled: return error
        case .connectionClosed:
            let how = state.withLock { $0.exitStatus }.map { " (\(ChildProcess.describe(status: $0)))" } ?? ""
            return fail("ended before it answered\(how)\(excess)")
        case .providerFailed: return error
        default: return fail("answered with an error: \(DisplayText.line(error.message))")
        }
    }

    /// The error that names the provider.
    func fail(_ what: String, _ code: ProtocolError.Code = .providerFailed) -> ProtocolError {
        ProtocolError(code, "\(provider.name) \(what).", provider: provider.identifier)
    }

    // MARK: - The end

    /// How the log calls it.
    package var label: String {
        "\(provider.identifier) \(role.part) \(processIdentifier)"
    }

    /// How it ended, in words that follow "ended".
    var exitDescription: String {
        "(\(state.withLock { $0.exitStatus }.map(ChildProcess.describe) ?? "not yet"))\(excess)"
    }

    /// What it took too much of, behind how it ended.
    private var excess: String { process.excess.map { ": it \($0)" } ?? "" }

    /// Ends a process that broke a rule; its requests fail with that.
    func cutOff(_ what: String) {
        log("\(label) \(what); ended")
        stop(because: fail(what))
    }

    /// Ends the process at once; its requests fail with `error`.
    package func stop(because error: ProtocolError) {
        state.withLock { $0.failure = $0.failure ?? error }
        connection.close()
        process.send(signal: SIGKILL)
    }

    /// Lets go of the process, which ends itself then; one that has not after `patience` is killed.
    func end(_ clock: any TimeSource, patience: Duration = .seconds(2)) {
        connection.close()
        let watch = Task { [process] in
            try await clock.sleep(for: patience)
            process.send(signal: SIGKILL)
        }
        process.onExit { _ in watch.cancel() }
    }

    /// Waits until the process has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            process.onExit { _ in continuation.resume() }
        }
    }
}
