import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import BrokerBase

/// Files of settings that were taken away, or older copies of them: the register tells, also to the next broker.
struct SettingsRegisterTests {
    private struct Sample: Codable, Equatable, Sendable {
        var words: [String]
    }

    /// One broker's view of two files.
    private struct Session {
        let seal: SettingsSeal
        let one: SettingsFile<Sample>
        let two: SettingsFile<Sample>

        init(_ folder: TemporaryFolder, seed: UInt8 = 1, isNew: Bool = false, time: UInt64 = 1_760_000_000_000) {
            seal = SettingsSeal(log: EventLog { _ in }, time: { time })
            seal.keepRegister(in: folder.path)
            one = SettingsFile(folder: folder.path, name: "one.json", consequence: "Do this.", seal: seal)
            two = SettingsFile(folder: folder.path, name: "two.json", consequence: "Do that.", seal: seal)
            seal.open(with: ScriptedStoreKey.key(seed), isNew: isNew)
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
    }

    private func expectDisbelief(_ file: SettingsFile<Sample>, _ location: SourceLocation = #_sourceLocation) {
        #expect(throws: ProtocolError(.damaged, ""), sourceLocation: location) { try file.read() }
    }

    @Test func whereNothingWasEverWrittenNothingIsMissed() throws {
        let session = Session(folder)
        #expect(try session.one.read() == nil)
        session.seal.look()
        #expect(session.seal.disbelieved == [])
        #expect(!folder.exists("register.json"))
        try session.one.write(Sample(words: ["a"]))
        let next = Session(folder)
        #expect(try next.one.read() == Sample(words: ["a"]))
        #expect(try next.two.read() == nil)
        #expect(next.seal.disbelieved == [])
    }

    @Test func fileThatIsGoneIsNotBelieved() throws {
        let session = Session(folder)
        try session.one.write(Sample(words: ["a"]))
        try remove("one.json")
        expectDisbelief(session.one)
        #expect(session.seal.disbelieved.count == 1)
        #expect(session.seal.disbelieved.first?.contains("one.json is missing") == true)
        let next = Session(folder)
        expectDisbelief(next.one)
        #expect(try next.two.read() == nil)
        try next.one.write(Sample(words: ["b"]))
        #expect(next.seal.disbelieved == [])
        #expect(try Session(folder).one.read() == Sample(words: ["b"]))
    }

    @Test func olderFileIsNotBelievedByTheNextBroker() throws {
        let session = Session(folder)
        try session.one.write(Sample(words: ["a"]))
        let old = try folder.read("one.json")
        try session.one.write(Sample(words: ["b"]))
        try folder.write(old, to: "one.json")
        let next = Session(folder)
        expectDisbelief(next.one)
        try next.one.write(Sample(words: ["c"]))
        #expect(try folder.read("one.json").contains("\"counter\":3"))
        try folder.write(old, to: "one.json")
        expectDisbelief(Session(folder).one)
    }

    /// Taken away, changed, of another key, or made by hand.
    @Test(arguments: ["", "{", "gone", "{\"code\":\"\",\"counter\":1,\"format\":1}\n{\"files\":{},\"floor\":0}"])
    func withoutTheRegisterNothingOfBeforeIsBelieved(register: String) throws {
        let session = Session(folder)
        for _ in 0..<3 { try session.one.write(Sample(words: ["a"])) }
        let old = try folder.read("one.json")
        if register == "gone" { try remove("register.json") } else { try folder.write(register, to: "register.json") }
        let next = Session(folder)
        expectDisbelief(next.one)
        expectDisbelief(next.two)
        try next.one.write(Sample(words: ["b"]))
        #expect(try next.one.read() == Sample(words: ["b"]))
        let last = Session(folder)
        #expect(try last.one.read() == Sample(words: ["b"]))
        expectDisbelief(last.two)
        try folder.write(old, to: "one.json")
        expectDisbelief(Session(folder).one)
    }

    @Test func registerThatIsLostAgainUnderAClockSetBackMakesNothingOfBeforeGood() throws {
        try Session(folder).one.write(Sample(words: ["a"]))
        try remove("register.json")
        let second = Session(folder)
        try second.one.write(Sample(words: ["b"]))
        let old = try folder.read("one.json")
        try second.one.write(Sample(words: ["c"]))
        try second.two.write(Sample(words: ["d"]))
        try remove("register.json")
        for isOlder in [false, true] {
            if isOlder { try folder.write(old, to: "one.json") }
            let last = Session(folder, time: 1000)
            expectDisbelief(last.one)
            expectDisbelief(last.two)
        }
        try Session(folder, time: 1000).one.write(Sample(words: ["e"]))
        #expect(try Session(folder, time: 1000).one.read() == Sample(words: ["e"]))
    }

    @Test func registerOfAnotherKeyIsNone() throws {
        try Session(folder).one.write(Sample(words: ["a"]))
        let next = Session(folder, seed: 2)
        expectDisbelief(next.one)
        expectDisbelief(next.two)
    }

    /// What was written under the lost key is not believed; what was never written is not missed.
    @Test func newKeyBeginsANewRegister() throws {
        try Session(folder).one.write(Sample(words: ["a"]))
        for session in [Session(folder, seed: 2, isNew: true), Session(folder, seed: 2)] {
            expectDisbelief(session.one)
            #expect(try session.two.read() == nil)
        }
        try Session(folder, seed: 2).one.write(Sample(words: ["b"]))
        #expect(try Session(folder, seed: 2).one.read() == Sample(words: ["b"]))
    }

    @Test func registerThatIsTakenAwayIsPutBack() throws {
        let session = Session(folder)
        try session.one.write(Sample(words: ["a"]))
        let old = try folder.read("register.json")
        try remove("register.json")
        session.seal.look()
        #expect(try Session(folder).one.read() == Sample(words: ["a"]))
        try session.two.write(Sample(words: ["b"]))
        try folder.write(old, to: "register.json")
        session.seal.look()
        try remove("two.json")
        expectDisbelief(Session(folder).two)
    }

    /// Power fails between the two writings.
    @Test func fileThatIsNotCountedYetIsBelievedAndCounted() throws {
        let session = Session(folder)
        try session.one.write(Sample(words: ["a"]))
        let before = try folder.read("register.json")
        try session.one.write(Sample(words: ["b"]))
        try session.two.write(Sample(words: ["c"]))
        try folder.write(before, to: "register.json")
        let next = Session(folder)
        #expect(try next.one.read() == Sample(words: ["b"]))
        #expect(try next.two.read() == Sample(words: ["c"]))
        try remove("two.json")
        expectDisbelief(Session(folder).two)
    }

    @Test func whileThereIsNoKeyItIsNotKnownWhetherAFileIsMissed() throws {
        try Session(folder).one.write(Sample(words: ["a"]))
        try remove("one.json")
        let seal = SettingsSeal(log: EventLog { _ in })
        seal.keepRegister(in: folder.path)
        let file = SettingsFile<Sample>(folder: folder.path, name: "one.json", consequence: "Do this.", seal: seal)
        #expect(throws: ProtocolError(.locked, "")) { try file.read() }
        try remove("register.json")
        #expect(try file.read() == nil)
    }

    @Test func whoMayRemoveAFileIsNotMissed() throws {
        let session = Session(folder)
        let file = SettingsFile<Sample>(
            folder: folder.path, name: "three.json", consequence: "Do this.", seal: session.seal, mayBeRemoved: true)
        try file.write(Sample(words: ["a"]))
        let old = try folder.read("three.json")
        try remove("three.json")
        #expect(try file.read() == nil)
        try file.write(Sample(words: ["b"]))
        try folder.write(old, to: "three.json")
        expectDisbelief(file)
    }
}
