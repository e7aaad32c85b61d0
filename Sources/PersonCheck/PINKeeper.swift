import AutoFillProtocol
import FoundationEssentials
import KeywayCrypto
import KeywaySystem

/// Checks the Keyway PIN. The PIN doesn't decrypt anything; it only shows that the person is there.
///
/// Each attempt is counted on disk, and the broker has noted that, before it is checked: killing the program, or putting an
/// earlier record back, gives no extra attempt. After three
/// wrong PINs, each further attempt waits longer, and after ten, none is possible until a new PIN is set. The value
/// derived from the PIN depends on a key that is not in the record, so a stolen record alone can't be tried.
struct PINKeeper {
    /// How many bytes of UTF-8 a PIN has.
    static let bytes = 6...64
    /// From this many wrong ones on, the next one waits.
    static let freeTries = 3
    /// From this many on, there is no next one.
    static let maximumTries = 10
    private static let firstWait = 30

    /// Derives a key from what was typed: a seam for the tests.
    typealias Deriving = (PasswordDerivation, SecretBytes, [UInt8]) throws -> SecretKey

    private let file: PINFile
    private let pepper: SecretKey
    private let atLeast: UInt64
    private let derivation: PasswordDerivation
    private let random: any RandomSource
    private let deriving: Deriving
    /// Waits are counted by its calendar: they go on after a restart.
    private let clock: any TimeSource

    /// The keeper of the record at `path`.
    ///
    /// - Parameters:
    ///   - key: what all keys are derived from.
    ///   - changes: how many changes the record must have seen.
    init(
        path: String, key: SecretKey, changes: UInt64, derivation: PasswordDerivation = .floor,
        random: any RandomSource = SystemRandomSource(),
        deriving: @escaping Deriving = { try $0.derive(from: $1, salt: $2) }, clock: any TimeSource
    ) {
        self.deriving = deriving
        file = PINFile(path: path, key: key.derive(1, context: "pincheck"))
        pepper = key.derive(2, context: "pincheck")
        atLeast = changes
        self.derivation = derivation
        self.random = random
        self.clock = clock
    }

    // MARK: - State

    /// How it is.
    func state() -> TypedSecretState.PIN {
        do {
            guard let record = try file.read(atLeast: atLeast) else { return .notSet }
            return state(of: record)
        } catch let error as PINFile.Disbelief {
            return .disbelieved(error.reason)
        } catch {
            return .disbelieved("its record can't be read (\(error))")
        }
    }

    private func state(of record: PINRecord) -> TypedSecretState.PIN {
        guard record.failures < Self.maximumTries else { return .lockedOut }
        let wait = wait(record)
        return wait > 0 ? .waiting(seconds: wait) : .ready
    }

    /// How many seconds the next try must wait.
    private func wait(_ record: PINRecord) -> Int {
        guard record.failures >= Self.freeTries else { return 0 }
        let whole = Self.firstWait << (min(record.failures, Self.maximumTries - 1) - Self.freeTries)
        // A calendar that was set back waits the whole time, and not for years.
        let passed = max(0, clock.milliseconds - record.lastFailure) / 1000
        return max(0, whole - Int(min(passed, Int64(whole))))
    }

    // MARK: - Checking

    /// Counts a try, which may then be looked at.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when it cannot be counted: then it is none.
    func count() throws -> CountPINTry.Result {
        var record: PINRecord
        switch try believed() {
        case .record(let read): record = read
        case .none(let reason): return .init(refusal: reason, changes: atLeast)
        }
        switch state(of: record) {
        case .lockedOut: return .init(refusal: Self.lockedOut, changes: record.changes)
        case .waiting(let seconds):
            if record.lastFailure > clock.milliseconds { try settle(&record) }
            return .init(
                refusal: "there were \(record.failures) wrong PINs; try again in \(seconds) s", changes: record.changes)
        default: break
        }
        record.failures += 1
        record.lastFailure = clock.milliseconds
        record.changes += 1
        try file.write(record)
        return .init(changes: record.changes)
    }

    /// Whether `pin` is the PIN, and how often the record has changed by then. The try was counted before.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when a right one cannot end the count.
    func check(_ pin: SecretBytes) throws -> CheckTypedSecret.Result {
        var record: PINRecord
        switch try believed() {
        case .record(let read): record = read
        case .none(let reason): return refusal(reason, atLeast)
        }
        guard record.failures > 0 else { return refusal("the try was not counted", record.changes) }
        guard try isRight(pin, record) else {
            switch state(of: record) {
            case .lockedOut: return refusal(Self.lockedOut, record.changes)
            case .waiting(let seconds):
                return refusal("wrong PIN; try again in \(seconds) s", record.changes)
            default: return .init(outcome: .wrong("Wrong PIN. Try again."), changes: record.changes)
            }
        }
        record.failures = 0
        record.changes += 1
        try file.write(record)
        return .init(outcome: .right, changes: record.changes)
    }

    /// The record, or why there is no try.
    private enum Believed {
        case record(PINRecord)
        case none(String)
    }

    private func believed() throws -> Believed {
        do {
            return try file.read(atLeast: atLeast).map { .record($0) } ?? .none("it is not set")
        } catch let error as PINFile.Disbelief {
            return .none(error.reason)
        }
    }

    /// The calendar was set back after the last wrong one: the wait begins now.
    private func settle(_ record: inout PINRecord) throws {
        record.lastFailure = clock.milliseconds
        record.changes += 1
        try file.write(record)
    }

    private func refusal(_ reason: String, _ changes: UInt64) -> CheckTypedSecret.Result {
        .init(outcome: .unavailable(reason), changes: changes)
    }

    private static let lockedOut =
        "there were \(maximumTries) wrong PINs; verify yourself in another way and set a new PIN: keyway verification pin set"

    private func isRight(_ pin: SecretBytes, _ record: PINRecord) throws -> Bool {
        let derived = try derive(pin, record.derivation, salt: Array(record.salt))
        return derived.bytes == SecretBytes(copying: Array(record.verifier))
    }

    private func derive(_ pin: SecretBytes, _ derivation: PasswordDerivation, salt: [UInt8]) throws -> SecretKey {
        let peppered = SecretBytes(count: SecretKey.count) { hash in
            pin.withUnsafeBytes { pepper.hash($0, into: hash) }
        }
        return try deriving(derivation, peppered, salt)
    }

    // MARK: - Replacing

    /// Makes `pin` the PIN, or removes it; whatever was counted before is forgotten.
    ///
    /// - Returns: how often the record has changed by then.
    /// - Throws: ``ProtocolError``: `invalidParameters` for a PIN that is too short or too long, `system`.
    func replace(with pin: SecretBytes?) throws -> UInt64 {
        // One that is not believed is replaced like any other: whoever asks has verified the person.
        let before = ((try? file.read(atLeast: atLeast)) ?? nil)?.changes ?? atLeast
        let changes = max(before, atLeast) + 1
        guard let pin else {
            try file.remove()
            return changes
        }
        guard Self.bytes.contains(pin.count) else {
            throw ProtocolError(
                .invalidParameters,
                "A PIN must have \(Self.bytes.lowerBound) to \(Self.bytes.upperBound) characters (bytes of UTF-8).")
        }
        let salt = random.bytes(PasswordDerivation.saltCount)
        let verifier = try derive(pin, derivation, salt: salt)
        try file.write(
            PINRecord(
                changes: changes, memory: derivation.memoryMiB, passes: derivation.passes, salt: Data(salt),
                verifier: verifier.bytes.withUnsafeBytes { Data($0) }))
        return changes
    }
}
