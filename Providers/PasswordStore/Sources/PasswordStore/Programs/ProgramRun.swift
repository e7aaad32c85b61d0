import Foundation
import Synchronization

/// One run of another program: gpg or git.
///
/// Whatever is secret goes through pipes: what it reads (0), what it writes (1), what gpg tells programs (3), and the
/// passphrase (4). No argument and no variable holds any of it.
struct ProgramRun: Sendable {
    /// How it ended.
    struct Result: Sendable {
        /// Its status; 128 and the signal's number when a signal ended it.
        let status: CInt
        /// What it wrote to its standard output.
        let output: SecretBuffer
        /// Whether that was more than it may be; then it was ended.
        let isTooLarge: Bool
        /// What it wrote to descriptor 3, in lines.
        let statusLines: [String]
        /// What it wrote to standard error.
        let complaint: String
    }

    /// The program, which is looked for in `PATH`.
    var program: String
    var arguments: [String]
    /// All of its environment.
    var environment: [String: String]
    /// What it reads from its standard input.
    var input: SecretBuffer?
    /// What it reads from descriptor 4.
    var passphrase: SecretBuffer?
    /// The most bytes that it may write.
    var outputLimit = 1 << 18
    /// How long it may take.
    var limit = Duration.seconds(30)

    /// Runs the program, away from the caller's thread; ended when the task is cancelled.
    ///
    /// - Throws: ``StoreError``: `missingProgram`, or `failed` when it cannot be started or takes too long; and
    ///   `CancellationError`.
    func result() async throws -> Result {
        let child = ChildNumber()
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                // A thread of its own: it waits, and the threads of tasks must not.
                Thread.detachNewThread {
                    continuation.resume(with: Swift.Result { try runAndWait(child) })
                }
            }
        } onCancel: {
            child.end()
        }
    }

    private func runAndWait(_ child: ChildNumber) throws -> Result {
        // A program that ends before it has read everything is no reason to end with it. The thread is this run's own.
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
        // Descriptors that are not marked yet would be inherited by a program that another thread starts.
        let conversation = try Self.starting.withLock { _ in
            let conversation = try ProgramConversation(
                input: input, passphrase: passphrase, outputLimit: outputLimit)
            child.set(try start(conversation))
            return conversation
        }
        let isInTime = conversation.run(until: .now + limit)
        if !isInTime || conversation.isTooLarge { child.end() }
        let status = child.wait()
        guard isInTime else { throw StoreError.failed("\(program) took too long.") }
        if child.wasEnded && !conversation.isTooLarge { throw CancellationError() }
        return conversation.result(status: status)
    }

    private static let starting = Mutex(())

    private func start(_ conversation: ProgramConversation) throws(StoreError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (ours, theirs) in conversation.theirEnds { posix_spawn_file_actions_adddup2(&actions, ours, theirs) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals as a program expects them, whatever this one does with them.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var number = pid_t()
        let error = Self.withStrings([program] + arguments) { arguments in
            Self.withStrings(environment.map { "\($0)=\($1)" }) { environment in
                posix_spawnp(&number, program, &actions, &attributes, arguments, environment)
            }
        }
        guard error == 0 else {
            throw error == ENOENT ? .missingProgram(program) : .failed("\(program) cannot be started.")
        }
        return number
    }

    /// Lends a list of C strings that ends with a null pointer.
    private static func withStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let strings = texts.map { strdup($0) }
        defer { strings.forEach { free($0) } }
        return body(strings + [nil])
    }
}

/// A started program, as the kernel numbers it.
private final class ChildNumber: Sendable {
    private enum State {
        case before
        case running(pid_t)
        case over
    }

    private let state = Mutex<(State, wasEnded: Bool)>((.before, false))

    var wasEnded: Bool { state.withLock { $0.wasEnded } }

    func set(_ number: pid_t) {
        state.withLock { state in
            state.0 = .running(number)
            if state.wasEnded { kill(number, SIGKILL) }
        }
    }

    /// Ends the program; one that starts later is ended then.
    func end() {
        state.withLock { state in
            if case .running(let number) = state.0 { kill(number, SIGKILL) }
            if case .over = state.0 { return }
            state.wasEnded = true
        }
    }

    /// Waits for the end, and never lets the number mean another process.
    func wait() -> CInt {
        guard case .running(let number) = state.withLock({ $0.0 }) else { return -1 }
        var information = siginfo_t()
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        return state.withLock { state in
            state.0 = .over
            var status: CInt = 0
            guard waitpid(number, &status, 0) == number else { return -1 }
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }
}
