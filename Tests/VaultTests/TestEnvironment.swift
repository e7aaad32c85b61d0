import ClockTestSupport
import FoundationEssentials
import Glibc
import KeywayCrypto
import Synchronization
import Testing

@testable import Vault

extension ManualClock {
    /// A clock whose calendar stands where that of the vectors stood.
    static func ofVectors() -> ManualClock { ManualClock(milliseconds: 1_800_000_000_000) }
}

/// Bytes that look random and are the same in every run.
final class TestRandom: RandomSource {
    private let state: Mutex<UInt64>

    init(seed: UInt64 = 1) { state = Mutex(seed) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        state.withLock { state in
            for index in buffer.indices {
                // SplitMix64.
                state &+= 0x9e37_79b9_7f4a_7c15
                var word = state
                word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
                word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
                buffer[index] = UInt8(truncatingIfNeeded: word ^ word >> 31)
            }
        }
    }
}

/// A note of the newest epochs that a test can look into.
final class TestEpochs: EpochMemory {
    let noted = Mutex<[VaultID: UInt64]>([:])

    func newest(of vault: VaultID) -> UInt64? { noted.withLock { $0[vault] } }
    func remember(_ epoch: UInt64, of vault: VaultID) { noted.withLock { $0[vault] = epoch } }
}

/// A folder that goes away with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}

func secret(_ text: String) -> SecretBytes { SecretBytes(copyingUTF8Of: text) }

/// A vault file in a folder of its own, opened with its key, so that a test does not wait for the derivation.
struct TestVault {
    let folder: TemporaryFolder
    let path: String
    let clock = ManualClock.ofVectors()
    let epochs = TestEpochs()
    let environment: VaultEnvironment
    let key: SecretKey

    init(seed: UInt64 = 1) throws {
        folder = try TemporaryFolder()
        path = folder.file("vault/test.vault")
        let random = TestRandom(seed: seed)
        environment = VaultEnvironment(epochs: epochs, random: random, clock: clock)
        key = SecretKey(random: random)
        let (header, manifest) = TestVault.empty(key, random)
        try VaultFile.create(at: path, random: random) { (draft) throws(VaultError) in
            try SQLiteStore.create(at: draft, header: header, manifest: manifest)
        }
    }

    /// Header and manifest of an empty vault whose slot holds no key that anybody could open.
    static func empty(_ key: SecretKey, _ random: TestRandom) -> (header: [UInt8], manifest: [UInt8]) {
        let vault = VaultID(random: random)
        var content: [UInt8] = [1]
        content.append(number: PasswordDerivation.floor.memoryMiB)
        content.append(number: PasswordDerivation.floor.passes)
        content += random.bytes(16 + 72)
        let slot = content.withUnsafeBytes { try? PasswordSlot($0, of: vault) }
        let keys = VaultKeys(key, of: vault)
        let header = VaultHeader(vault: vault, slots: slot.map { [.password($0)] } ?? []).bytes(under: keys.header)
        let manifest = Manifest(epoch: 1, count: 0, records: MultisetHash(), headerCode: VaultHeader.code(header))
        return (header, keys.seal(manifest, random: random))
    }

    func unlock(acceptingRollback: Bool = false) throws(VaultError) -> UnlockedVault {
        try LockedVault.open(at: path, environment: environment).unlock(
            with: key, acceptingRollback: acceptingRollback)
    }

    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: path)) }
    func replace(_ bytes: Data) throws { try bytes.write(to: URL(filePath: path)) }
}

/// The code of the vault error that `body` throws, or nil.
func code(_ body: () throws -> Void) -> VaultError.Code? {
    do { try body() } catch { return (error as? VaultError)?.code }
    return nil
}
