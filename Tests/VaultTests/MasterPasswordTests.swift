import ClockTestSupport
import FoundationEssentials
import Glibc
import KeywayCrypto
import Testing

@testable import Vault

@Suite struct MasterPasswordTests {
    let folder: TemporaryFolder
    let path: String
    let environment = VaultEnvironment(epochs: TestEpochs(), random: TestRandom(), clock: ManualClock.ofVectors())

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("data/keyway/passwords.vault")
    }

    private func create(_ password: String = "master") throws {
        try Vault.create(at: path, password: secret(password), derivation: .floor, environment: environment)
    }

    private func unlock(_ password: String) throws(VaultError) -> UnlockedVault {
        try LockedVault.open(at: path, environment: environment).unlock(password: secret(password))
    }

    @Test func opensWithTheRightPasswordOnly() throws {
        try create()
        #expect(try unlock("master").count == 0)
        #expect(code { _ = try unlock("Master") } == .wrongPassword)
        #expect(code { _ = try unlock("") } == .wrongPassword)
    }

    @Test func makesAFileForItsOwnerAlone() throws {
        try create()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(folder.file("data/keyway"), &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("data/keyway")) == ["passwords.vault"])
    }

    @Test func neverOverwritesAFile() throws {
        try create()
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(code { try create("other") } == .exists)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(symlink("/nowhere", folder.file("link")) == 0)
        #expect(
            code {
                try Vault.create(
                    at: folder.file("link"), password: secret("a"), derivation: .floor, environment: environment)
            }
                == .exists)
    }

    @Test func leavesNothingBehindWhenItCannotBeMade() throws {
        #expect(code { try create("") } == .invalid)
        #expect(
            code {
                try Vault.create(
                    at: path, password: secret("a"), derivation: PasswordDerivation(memoryMiB: 63, passes: 3),
                    environment: environment)
            } == .weakDerivation)
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    @Test func opensWithTheNewPasswordOnlyAfterAChange() throws {
        try create()
        let vault = try unlock("master")
        let id = try vault.add(ItemDraft(title: "Kept", password: secret("kept")))
        #expect(code { try vault.changeMasterPassword(old: secret("wrong"), new: secret("new")) } == .wrongPassword)
        #expect(code { try vault.changeMasterPassword(old: secret("master"), new: secret("")) } == .invalid)
        try vault.changeMasterPassword(old: secret("master"), new: secret("new"))
        #expect(try vault.password(of: id) == secret("kept"), "still unlocked")
        #expect(code { _ = try unlock("master") } == .wrongPassword)
        #expect(try unlock("new").password(of: id) == secret("kept"))
    }

    @Test func neverWritesAWeakerDerivation() throws {
        try Vault.create(
            at: path, password: secret("master"), derivation: PasswordDerivation(memoryMiB: 80, passes: 4),
            environment: environment)
        let vault = try unlock("master")
        for (memory, passes) in [(64, 4), (80, 3), (1024, 3)] as [(UInt32, UInt32)] {
            let derivation = PasswordDerivation(memoryMiB: memory, passes: passes)
            #expect(
                code {
                    try vault.changeMasterPassword(old: secret("master"), new: secret("new"), derivation: derivation)
                } == .weakDerivation)
        }
        try vault.changeMasterPassword(old: secret("master"), new: secret("new"))
        let kept = try LockedVault.open(at: path, environment: environment).slot.derivation
        #expect(kept == PasswordDerivation(memoryMiB: 80, passes: 4))
    }
}
