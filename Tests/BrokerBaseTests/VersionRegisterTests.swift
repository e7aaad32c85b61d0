import AutoFillProtocol
import BrokerTestSupport
import Foundation
import Testing

@testable import BrokerBase

/// The newest versions of the files of providers (T26), told to the next broker by the register's file.
@Suite struct VersionRegisterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func seal() -> SettingsSeal { .opened(registerIn: folder.path) }

    @Test func theNextBrokerKnows() throws {
        try seal().note(7, of: "a", "test.vault")
        let next = seal()
        #expect(try next.version(of: "a", "test.vault") == .init(version: 7))
        #expect(try next.version(of: "a", "test.other") == .init(version: nil))
        #expect(next.disbelieved == [])
    }

    @Test func aRegisterThatSomebodyWroteIsNotBelievedAndTold() throws {
        try seal().note(7, of: "a", "test.vault")
        let text = try folder.read("register.json")
        try folder.write(text.replacingOccurrences(of: ": 7", with: ": 3"), to: "register.json")
        let next = seal()
        // It locks nobody out.
        #expect(try next.version(of: "a", "test.vault") == .init(version: nil, isLost: true))
        #expect(next.disbelieved.count == 1 && next.disbelieved[0].contains("older copy"))
        // From the next version on it is known again.
        try next.note(4, of: "a", "test.vault")
        #expect(next.disbelieved == [])
        #expect(try seal().version(of: "a", "test.vault") == .init(version: 4))
    }

    @Test func aRegisterThatIsGoneIsPutBackByTheBrokerThatRuns() throws {
        let session = seal()
        try session.note(7, of: "a", "test.vault")
        try FileManager.default.removeItem(atPath: folder.path + "/register.json")
        session.look()
        #expect(try seal().version(of: "a", "test.vault") == .init(version: 7))
    }

    @Test func aRegisterOfBeforeIsRead() throws {
        let session = seal()
        let file = SettingsFile<[String]>(folder: folder.path, name: "one.json", consequence: "", seal: session)
        try file.write(["a"])
        #expect(try !folder.read("register.json").contains("versions"))
        #expect(try seal().version(of: "a", "test.vault") == .init(version: nil))
    }
}
