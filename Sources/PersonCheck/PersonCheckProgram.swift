import AutoFillProtocol
import AutoFillWire
import Dispatch
import Glibc
import KeywayCrypto
import KeywaySystem

/// The program `keyway-person-check`: looks at what the person typed, so that the broker need not.
package enum PersonCheckProgram {
    /// What `--help` prints: the specification of the program's arguments.
    package static let help = """
        keyway-person-check, started by keywayd for one question: whether what the person typed is their PIN, or the
        password of their login (PAM, service `keyway`). The question comes over descriptor 3, what was typed as a sealed
        memory file beside it, and the answer goes back: right, wrong, or why there is none.

        Usage:
          keyway-person-check FOLDER             FOLDER holds the record of the PIN (pin.record)
          keyway-person-check FOLDER PAM-FOLDER  PAM's services are read from PAM-FOLDER instead of /etc/pam.d
          keyway-person-check --help | --version

        Exit status: 0 whoever asked has gone, 64 wrong arguments, 69 it was not started by keywayd.
        """

    /// How many bytes what is typed may have.
    private static let secretBytes = 1...1024

    /// Runs the program; returns never.
    package static func main(_ arguments: [String]) -> Never {
        switch arguments.dropFirst().first {
        case "--help", "-h":
            print(help)
            exit(EXIT_SUCCESS)
        case "--version":
            print("keyway-person-check \(ProtocolVersion.release)")
            exit(EXIT_SUCCESS)
        case let folder? where folder.hasPrefix("/") && arguments.count <= 3:
            serve(folder, LoginPassword(folder: arguments.count == 3 ? arguments[2] : nil))
        default: exit(EX_USAGE)
        }
    }

    private static func serve(_ folder: String, _ login: LoginPassword) -> Never {
        do throws(ProtocolError) {
            try ProcessHardening.apply()
            let connection = Connection(
                descriptor: try InheritedChannel.take(), peer: .known(.broker), methods: methods(folder, login))
            connection.onClose { exit(EXIT_SUCCESS) }
            connection.start()
            Task {
                do { try await connection.greet(as: .personCheck, name: "keyway-person-check") } catch {
                    exit(EXIT_SUCCESS)
                }
            }
            dispatchMain()
        } catch {
            exit(EX_UNAVAILABLE)
        }
    }

    /// What the program answers.
    static func methods(_ folder: String, _ login: LoginPassword) -> MethodTable {
        let room = CheckRoom(folder: folder)
        var table = MethodTable()
        table.on(TypedSecretState.self) { parameters, _ in
            let pin = try await room.run {
                try parameters.access.map { try room.keeper($0).state() }
            }
            return TypedSecretState.Result(pin: pin, loginObstacle: login.obstacle)
        }
        table.on(CountPINTry.self) { parameters, _ in
            try await room.run { try room.keeper(parameters.access).count() }
        }
        table.on(CheckTypedSecret.self) { parameters, _ in
            let secret = try secret(parameters.secret)
            switch parameters.kind {
            case .loginPassword:
                return .init(outcome: try await room.run(locked: false) { login.check(secret) })
            case .pin(let access): return try await room.run { try room.keeper(access).check(secret) }
            }
        }
        table.on(ReplacePIN.self) { parameters, _ in
            let pin = try parameters.pin.map { try secret($0) }
            return ReplacePIN.Result(
                changes: try await room.run { try room.keeper(parameters.access).replace(with: pin) })
        }
        return table
    }

    private static func secret(_ attachment: Attachment) throws(ProtocolError) -> SecretBytes {
        let memory = try attachment.sealedMemory()
        guard secretBytes.contains(memory.count) else {
            throw ProtocolError(.invalidParameters, "The input must have 1 to \(secretBytes.upperBound) bytes.")
        }
        return try SecretBytes(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room) }
    }
}

/// Where checks run: one after another, and beside no other process that checks the same record.
struct CheckRoom: Sendable {
    private static let patience = 200
    private let queue = DispatchQueue(label: "org.keyway.person-check")

    let folder: String

    /// The keeper of the folder's record.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when the key is none.
    func keeper(_ access: PINAccess) throws(ProtocolError) -> PINKeeper {
        let memory = try access.key.sealedMemory()
        guard memory.count == SecretKey.count else { throw ProtocolError(.invalidParameters, "A key has 32 bytes.") }
        let key = SecretKey(
            try SecretBytes(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room) })
        return PINKeeper(path: folder + "/pin.record", key: key, changes: access.changes, clock: SystemTimeSource())
    }

    /// Runs `body`, which may block.
    ///
    /// - Throws: what `body` throws; ``ProtocolError`` with the code `busy` when another process keeps the record.
    func run<Value: Sendable>(locked: Bool = true, _ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result {
                        let lock = locked ? try lock() : nil
                        return try withExtendedLifetime(lock) { try body() }
                    })
            }
        }
    }

    private func lock() throws(ProtocolError) -> FileLock {
        for _ in 0..<Self.patience {
            if let lock = try FileLock(path: folder + "/pin.lock") { return lock }
            usleep(50_000)
        }
        throw ProtocolError(.busy, "The PIN is already being checked. Try again.")
    }
}
