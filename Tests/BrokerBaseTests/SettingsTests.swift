import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import BrokerBase

/// Files of settings: what Keyway did not write is not believed.
struct SettingsTests {
    private struct Sample: Codable, Equatable, Sendable {
        var words: [String]
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ seal: SettingsSeal = .opened(), name: String = "a.json") -> SettingsFile<Sample> {
        SettingsFile(folder: folder.path, name: name, consequence: "Do this.", seal: seal)
    }

    private func lines(_ name: String = "a.json") throws -> [String] {
        try folder.read(name).components(separatedBy: "\n")
    }

    @Test func whatWasWrittenIsReadByTheNextBroker() throws {
        #expect(try file().read() == nil)
        try file().write(Sample(words: ["one"]))
        #expect(try file().read() == Sample(words: ["one"]))
        let second = file()
        try second.write(Sample(words: ["two"]))
        #expect(try second.read() == Sample(words: ["two"]))
        #expect(try lines()[0].contains("\"counter\":2"))
    }

    @Test func everyChangedByteIsNoticedAndTheFileIsLeftAlone() throws {
        try file().write(Sample(words: ["one", "two"]))
        let bytes = Array(try folder.read("a.json").utf8)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            try folder.write(Data(changed), to: "a.json")
            let seal = SettingsSeal.opened()
            #expect(throws: ProtocolError(.damaged, "")) { try file(seal).read() }
            #expect(seal.disbelieved.count == 1)
            #expect(Array(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.json"))) == changed)
        }
    }

    @Test(arguments: [
        "", "{}", "{}\n{}", "{\"words\":[]}", "{\"format\":1,\"counter\":1,\"code\":\"\"}\n{\"words\":[]}",
    ])
    func fileWithoutACodeIsNotBelieved(text: String) throws {
        try folder.write(text, to: "a.json")
        #expect(throws: ProtocolError(.damaged, "")) { try file().read() }
    }

    @Test func codeHoldsForItsFileItsCounterAndItsKeyOnly() throws {
        try file().write(Sample(words: ["one"]))
        let text = try folder.read("a.json")
        try folder.write(text, to: "b.json")
        #expect(throws: ProtocolError(.damaged, "")) { try file(name: "b.json").read() }
        #expect(throws: ProtocolError(.damaged, "")) { try file(.opened(2)).read() }
        try folder.write(text.replacingOccurrences(of: "\"counter\":1", with: "\"counter\":9"), to: "a.json")
        #expect(throws: ProtocolError(.damaged, "")) { try file().read() }
    }

    @Test func olderCopyIsNotBelieved() throws {
        let file = file()
        try file.write(Sample(words: ["one"]))
        let old = try folder.read("a.json")
        try file.write(Sample(words: []))
        try folder.write(old, to: "a.json")
        #expect(throws: ProtocolError(.damaged, "")) { try file.read() }
    }

    @Test func linkIsNotFollowed() throws {
        try file().write(Sample(words: ["one"]))
        try FileManager.default.moveItem(atPath: folder.path + "/a.json", toPath: folder.path + "/c.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/a.json", withDestinationPath: folder.path + "/c.json")
        #expect(throws: ProtocolError(.damaged, "")) { try file().read() }
    }

    @Test func nextWritingKeepsAsideWhatIsNotBelieved() throws {
        let seal = SettingsSeal.opened()
        let told = Mutex<[String]>([])
        seal.onDisbelief { sentence in told.withLock { $0.append(sentence) } }
        try folder.write("mine", to: "a.json")
        let file = file(seal)
        for _ in 0..<3 { #expect(throws: ProtocolError(.damaged, "")) { try file.read() } }
        #expect(told.withLock { $0 } == seal.disbelieved)
        #expect(told.withLock { $0 }.count == 1)
        #expect(seal.disbelieved[0].contains("a.json") && seal.disbelieved[0].contains("Do this."))
        try file.write(Sample(words: ["new"]))
        #expect(try file.read() == Sample(words: ["new"]))
        #expect(try folder.read("a.json.disbelieved") == "mine")
        #expect(seal.disbelieved == [])
    }

    @Test func lookingNoticesWhatHappenedMeanwhile() throws {
        let seal = SettingsSeal.opened()
        let file = file(seal)
        try file.write(Sample(words: ["one"]))
        try folder.write("mine", to: "a.json")
        #expect(seal.disbelieved == [])
        seal.look()
        #expect(seal.disbelieved.count == 1)
        try file.write(Sample(words: ["two"]))
        #expect(seal.disbelieved == [])
    }

    @Test func withoutTheKeyWhatWasReadStaysAndNothingElseIsBelieved() throws {
        let seal = SettingsSeal.opened()
        let file = file(seal)
        try file.write(Sample(words: ["one"]))
        seal.lock()
        #expect(try file.read() == Sample(words: ["one"]))
        #expect(throws: ProtocolError(.locked, "")) { try file.write(Sample(words: [])) }
        try folder.write("mine", to: "a.json")
        #expect(try file.read() == Sample(words: ["one"]))
        #expect(throws: ProtocolError(.locked, "")) { try self.file(seal).read() }
        seal.open(with: ScriptedStoreKey.key(1))
        #expect(throws: ProtocolError(.damaged, "")) { try file.read() }
    }

    /// Other programs (tests, recovery) write the same: `Docs/settings-format.md`.
    @Test func formIsTheOneThatIsDocumented() throws {
        let key = SettingsSeal.key(ScriptedStoreKey.key(1))
        let bytes = try #require(SettingsForm.make("a.json", counter: 7, body: Array("{}\n".utf8), key: key))
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "{\"code\":\"c80847aa661b45eea4ed6cd2b8bcb543857d1838c159c374edcbe7b341c5683b\",\"counter\":7,\"format\":1}\n{}\n"
        )
    }
}
