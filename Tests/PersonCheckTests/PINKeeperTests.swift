import AutoFillProtocol
import ClockTestSupport
import Foundation
import KeywayCrypto
import KeywaySystem
import Testing

@testable import PersonCheck

@Suite(.timeLimit(.minutes(5))) struct PINKeeperTests {
    private let folder: TestFolder
    private let key = SecretKey(random: SystemRandomSource())
    private let clock = ManualClock()

    init() throws { folder = try TestFolder() }

    private var path: String { folder.path + "/pin.record" }

    private func keeper(
        changes: UInt64 = 0, key: SecretKey? = nil, derivation: PasswordDerivation = .floor
    ) -> PINKeeper {
        PINKeeper(
            path: path, key: key ?? self.key, changes: changes, derivation: derivation,
            clock: clock)
    }

    private func set(_ pin: String = "314159") throws {
        _ = try keeper().replace(with: SecretBytes(copyingUTF8Of: pin))
    }

    private func attempt(_ pin: String = "000000") throws -> CheckTypedSecret.Outcome {
        let counted = try keeper().count()
        if let refusal = counted.refusal { return .unavailable(refusal) }
        return try keeper(changes: counted.changes).check(SecretBytes(copyingUTF8Of: pin)).outcome
    }

    /// Makes it look as if there had been so many wrong ones, without deriving a key for each.
    private func fail(_ count: Int) throws {
        let file = PINFile(path: path, key: key.derive(1, context: "pincheck"))
        var record = try #require(try file.read(atLeast: 0))
        record.failures = count
        record.lastFailure = clock.milliseconds
        try file.write(record)
    }

    @Test func takesTheRightOneAndNoOther() throws {
        #expect(keeper().state() == .notSet)
        #expect(try attempt() == .unavailable("it is not set"))
        try set()
        #expect(keeper().state() == .ready)
        #expect(try attempt("314159") == .right)
        #expect(try attempt("314158") == .wrong("Wrong PIN. Try again."))
        #expect(try attempt("314159") == .right)
    }

    @Test func theRecordIsTheOwnersAlone() throws {
        try set()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try !String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self).contains("314159"))
    }

    @Test(arguments: ["12345", String(repeating: "1", count: 65)])
    func refusesAPINOfAnotherLength(pin: String) throws {
        #expect(throws: ProtocolError(.invalidParameters, "")) { try set(pin) }
        #expect(keeper().state() == .notSet)
    }

    @Test func aTryIsCountedOnTheDiskBeforeItIsLookedAt() throws {
        try set()
        let file = PINFile(path: path, key: key.derive(1, context: "pincheck"))
        var counted: [Int] = []
        let keeper = PINKeeper(
            path: path, key: key, changes: 0,
            deriving: { derivation, pin, salt in
                counted.append((try? file.read(atLeast: 0))?.failures ?? 0)
                return try derivation.derive(from: pin, salt: salt)
            }, clock: clock)
        let pin = SecretBytes(copyingUTF8Of: "314159")
        #expect(try keeper.check(pin).outcome == .unavailable("the try was not counted"))
        #expect(counted.isEmpty)
        #expect(try keeper.count() == .init(changes: 2))
        #expect(try keeper.check(pin).outcome == .right)
        #expect(counted == [1])
        #expect(try file.read(atLeast: 0)?.failures == 0)
    }

    @Test func aTryThatCannotBeCountedIsNone() throws {
        try set()
        // Where the new record would be written stands a folder.
        try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
        #expect(throws: ProtocolError(.system, "")) { try attempt("314159") }
    }

    @Test func theFourthTryWaits() throws {
        try set()
        for _ in 0..<2 { #expect(try attempt() == .wrong("Wrong PIN. Try again.")) }
        let reason = try #require(try attempt().refusal)
        #expect(reason.contains("try again in 30 s"))
        #expect(keeper().state() == .waiting(seconds: 30))
        #expect(try attempt("314159").refusal != nil)
        clock.turnCalendar(seconds: 30)
        #expect(try attempt("314159") == .right)
        #expect(keeper().state() == .ready)
    }

    @Test(arguments: [(3, 30), (4, 60), (5, 120), (9, 1920)])
    func eachNextOneWaitsLonger(failures: Int, seconds: Int) throws {
        try set()
        try fail(failures)
        #expect(keeper().state() == .waiting(seconds: seconds))
        clock.turnCalendar(seconds: seconds - 1)
        #expect(keeper().state() == .waiting(seconds: 1))
        clock.turnCalendar(seconds: 1)
        #expect(keeper().state() == .ready)
    }

    @Test func aTryThatMustWaitIsNoTry() throws {
        try set()
        try fail(3)
        for _ in 0..<20 { _ = try attempt() }
        clock.turnCalendar(seconds: 30)
        #expect(keeper().state() == .ready)
    }

    @Test func afterTenThereIsNoneForGood() throws {
        try set()
        try fail(9)
        clock.turnCalendar(seconds: 4000)
        let reason = try #require(try attempt().refusal)
        #expect(reason.hasSuffix("keyway verification pin set"))
        #expect(keeper().state() == .lockedOut)
        clock.turnCalendar(seconds: 1_000_000)
        #expect(try attempt("314159").refusal != nil)
        try set("271828")
        #expect(try attempt("271828") == .right)
    }

    @Test func settingTheCalendarForwardOrBackGainsAtMostTheWait() throws {
        try set()
        try fail(3)
        clock.turnCalendar(seconds: -10_000)
        #expect(keeper().state() == .waiting(seconds: 30))
        _ = try attempt()
        clock.turnCalendar(seconds: 30)
        #expect(keeper().state() == .ready)
    }

    @Test(arguments: 0..<12)
    func aChangedRecordIsNotBelieved(step: Int) throws {
        try set()
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[step * bytes.count / 12] ^= 1
        try bytes.write(to: URL(filePath: path))
        #expect(keeper().state().disbelief != nil)
        #expect(try attempt("314159").refusal != nil)
    }

    @Test func aRecordUnderAnotherKeyIsNotBelieved() throws {
        try set()
        #expect(keeper(key: SecretKey(random: SystemRandomSource())).state().disbelief != nil)
    }

    @Test func anOlderRecordThatWasPutBackIsNotBelieved() throws {
        try set()
        let old = try Data(contentsOf: URL(filePath: path))
        let changes = try keeper().count().changes
        #expect(keeper(changes: changes).state() == .ready)
        try old.write(to: URL(filePath: path))
        let older = "its record was replaced by an older one"
        #expect(keeper(changes: changes).state() == .disbelieved(older))
        // Between the count and the look: nothing is looked at.
        let outcome = try keeper(changes: changes).check(SecretBytes(copyingUTF8Of: "314159")).outcome
        #expect(outcome == .unavailable(older))
    }

    @Test(arguments: [PasswordDerivation(memoryMiB: 1, passes: 3), PasswordDerivation(memoryMiB: 4000, passes: 3)])
    func aDerivationOutOfBoundsIsRefusedBeforeItIsMade(derivation: PasswordDerivation) throws {
        try set()
        let file = PINFile(path: path, key: key.derive(1, context: "pincheck"))
        var record = try #require(try file.read(atLeast: 0))
        record.memory = derivation.memoryMiB
        try file.write(record)
        #expect(keeper().state() == .disbelieved("its record uses an unsupported key derivation"))
    }

    @Test func removingItLeavesNoRecord() throws {
        try set()
        let changes = try keeper().replace(with: nil)
        #expect(keeper().state() == .notSet && changes == 2)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
