import AutoFillProtocol
import Foundation
import KeywayCrypto
import KeywaySystem
import Testing

@testable import StoreKey

/// Which source keeps the key, and when a key is given up.
@Suite struct KeyKeeperTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/keyway-key-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
    }

    private func keeper(_ sources: any KeySource...) -> KeyKeeper {
        KeyKeeper(folder: folder, sources: sources + [KeyFile(folder: folder)])
    }

    private func mode(of name: String) -> Int? {
        try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }

    @Test func bestSourceThatWorksKeepsTheKey() throws {
        let (first, second) = (FakeSource(.tpm2), FakeSource(.keyring))
        first.obstacle = "The TPM is on holiday."
        let (handover, key) = keeper(first, second).open()
        #expect(handover.source == .keyring && handover.isOpen && handover.isNew)
        #expect(handover.detail == "The TPM is on holiday.")
        #expect(key?.bytes == second.kept?.bytes)
        #expect(!exists("store-key.bin"))
        let (again, same) = keeper(first, second).open()
        #expect(again.source == .keyring && again.isOpen && !again.isNew)
        #expect(same?.bytes == key?.bytes)
    }

    @Test func fileIsTheLastResortAndClosedToOthers() throws {
        let (handover, key) = keeper().open()
        #expect(handover.source == .file && handover.isNew)
        #expect(mode(of: "store-key.bin") == 0o600)
        #expect(mode(of: "store-key.json") == 0o600)
        #expect(keeper().open().1?.bytes == key?.bytes)
    }

    @Test func sourceThatCannotBeUsedNowIsWaitedFor() throws {
        let source = FakeSource(.keyring)
        let key = keeper(source).open().1
        source.obstacle = "The keyring is locked."
        let (handover, none) = keeper(source).open()
        #expect(handover == StoreKeyHandover(source: .keyring, isOpen: false, isNew: false, detail: source.obstacle))
        #expect(none == nil)
        #expect(!exists("store-key.bin"))
        source.obstacle = nil
        #expect(keeper(source).open().1?.bytes == key?.bytes)
    }

    @Test func sourceThatLostTheKeyGetsANewOne() throws {
        let source = FakeSource(.tpm2)
        let key = keeper(source).open().1
        source.kept = nil
        let (handover, other) = keeper(source).open()
        #expect(handover.source == .tpm2 && handover.isNew && handover.isOpen)
        #expect(handover.detail == "It forgot.")
        #expect(other != nil && other?.bytes != key?.bytes)
    }

    @Test func betterSourceThatCameLaterIsNamedAndNotMovedTo() throws {
        let source = FakeSource(.tpm2)
        source.obstacle = "No TPM."
        let key = keeper(source).open().1
        #expect(keeper(source).open().0.detail == "No TPM.")
        source.obstacle = nil
        let (handover, same) = keeper(source).open()
        #expect(handover.source == .file && !handover.isNew)
        #expect(handover.detail?.contains("could keep the key now") == true)
        #expect(same?.bytes == key?.bytes)
    }

    @Test func sourceThatGivesBackSomethingElseIsNone() throws {
        let source = FakeSource(.tpm2)
        source.isLying = true
        #expect(keeper(source).open().0.source == .file)
    }

    /// The record is made unreadable, the keeper asked, and the record put back: the key must still be there.
    private func keepsItsKey(
        _ expected: String, while breakIt: (_ path: String) throws -> Void
    ) throws {
        let source = FakeSource(.tpm2)
        let key = keeper(source).open().1
        let path = folder + "/store-key.json"
        let record = try Data(contentsOf: URL(fileURLWithPath: path))
        try breakIt(path)
        for _ in 0..<2 {
            let (handover, none) = keeper(source).open()
            #expect(!handover.isOpen && !handover.isNew && handover.source == nil && none == nil)
            #expect(handover.detail?.contains(path) == true && handover.detail?.contains(expected) == true)
        }
        try FileManager.default.removeItem(atPath: path)
        try record.write(to: URL(fileURLWithPath: path))
        #expect(keeper(source).open().1?.bytes == key?.bytes)
    }

    @Test(arguments: [
        ("", "damaged"), ("{", "damaged"), ("\u{0}", "damaged"), (#"{"version":1}"#, "damaged"),
        (#"{"version":1,"source":"cloud","identifier":"x"}"#, "damaged"),
        (#"{"version":2,"source":"file","identifier":"x"}"#, "another version"),
        (#"{"version":2,"sealedBy":["tpm2"]}"#, "another version"),
    ])
    func recordThatTellsNothingIsWaitedFor(record: String, reason: String) throws {
        try keepsItsKey(reason) { try Data(record.utf8).write(to: URL(fileURLWithPath: $0)) }
    }

    /// A folder in its place opens and does not read, as a file on a broken disk does.
    @Test func recordThatDoesNotReadIsWaitedFor() throws {
        try keepsItsKey("read ") { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }

    @Test func linkInPlaceOfTheRecordIsNotFollowed() throws {
        try keepsItsKey("open ") { path in
            try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
        }
    }

    @Test func recordThatIsGoneMeansANewKey() throws {
        let key = keeper().open().1
        try FileManager.default.removeItem(atPath: folder + "/store-key.json")
        let (handover, other) = keeper().open()
        #expect(handover.isNew && other != nil && other?.bytes != key?.bytes)
    }

    @Test func damagedKeyFileIsLostAndOneOpenToOthersIsNotRead() throws {
        let key = keeper().open().1
        chmod(folder + "/store-key.bin", 0o644)
        let (handover, none) = keeper().open()
        #expect(!handover.isOpen && none == nil && !handover.isNew)
        chmod(folder + "/store-key.bin", 0o600)
        #expect(keeper().open().1?.bytes == key?.bytes)
        truncate(folder + "/store-key.bin", 31)
        #expect(keeper().open().0.isNew)
    }

    @Test func handoverComesBackWithItsKey() throws {
        let (handover, key) = keeper().open()
        let secret = try #require(key)
        let bytes = try handover.line() + secret.bytes.withUnsafeBytes { Array($0) }
        let (read, same) = try bytes.withUnsafeBytes { try StoreKeyHandover.read($0) { Array($0) } }
        #expect(read == handover)
        #expect(same == secret.bytes.withUnsafeBytes { Array($0) })
        for wrong in [Array(bytes.dropLast()), bytes + [0], Array(bytes.dropLast(32)), []] {
            #expect(throws: ProtocolError.self) {
                try wrong.withUnsafeBytes { _ = try StoreKeyHandover.read($0) { _ in } }
            }
        }
    }
}

/// A source that a test commands.
private final class FakeSource: KeySource {
    let kind: BrokerStatus.StoreKeyState.Source
    let name = "It"
    var obstacle: String?
    var kept: SecretKey?
    var isLying = false

    init(_ kind: BrokerStatus.StoreKeyState.Source) {
        self.kind = kind
    }

    func keep(_ key: SecretKey, identifier: String) throws(KeySourceError) -> String? {
        if let obstacle { throw KeySourceError(.unavailable, obstacle) }
        kept = isLying ? SecretKey(random: SystemRandomSource()) : key
        return identifier
    }

    func open(_ record: KeyRecord) throws(KeySourceError) -> SecretKey {
        if let obstacle { throw KeySourceError(.unavailable, obstacle) }
        guard let kept, record.place == record.identifier else { throw KeySourceError(.lost, "It forgot.") }
        return kept
    }
}
