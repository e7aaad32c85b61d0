import AutoFillProtocol
import Testing

@testable import KeywayCommand

/// What `doctor` says of the key of the identity stores.
struct StoreKeyCheckTests {
    private func check(
        _ source: BrokerStatus.StoreKeyState.Source?, isOpen: Bool = true, _ detail: String? = nil
    ) -> Check? {
        StoreKeyCheck(state: .init(source: source, isOpen: isOpen, detail: detail), folder: "/state/identities").run()
            .first
    }

    @Test func saysWhatAStolenDiskTells() throws {
        let (tpm, keyring) = (try #require(check(.tpm2)), try #require(check(.keyring)))
        let file = try #require(check(.file))
        #expect([tpm.status, keyring.status, file.status] == [.ok, .ok, .warning])
        #expect(tpm.detail.contains("doesn't reveal which accounts"))
        #expect(keyring.detail.contains("without your login password"))
        #expect(file.detail.contains("user names") && file.detail.contains("no password"))
        #expect(file.remedy?.contains("rm -r /state/identities") == true)
        // The settings and the history carry codes under the key that goes with it.
        for lost in ["programs", "providers are on", "history"] { #expect(file.remedy?.contains(lost) == true) }
    }

    @Test func saysWhyNothingBetterIsUsed() throws {
        let reason = "This computer has no TPM 2 (/dev/tpmrm0)."
        for source in [BrokerStatus.StoreKeyState.Source.keyring, .file] {
            #expect(check(source, reason)?.detail.hasSuffix(". " + reason) == true)
        }
    }

    @Test func closedKeyIsAWarningThatSaysWhy() throws {
        let found = try #require(check(.keyring, isOpen: false, "The login keyring is locked."))
        #expect(found.status == .warning)
        #expect(found.detail.contains("in the login keyring and can't be opened. The login keyring is locked."))
        #expect(found.remedy?.contains("start over") == true)
    }

    @Test func keyWhoseRecordCannotBeReadIsAWarningThatSaysWhy() throws {
        let found = try #require(check(nil, isOpen: false, "/state/identities/store-key.json is damaged."))
        #expect(found.status == .warning)
        #expect(found.detail.hasSuffix("is not available. /state/identities/store-key.json is damaged."))
        #expect(found.remedy?.contains("tries again") == true && found.remedy?.contains("start over") == true)
    }

    @Test func brokerThatSaysNothingIsNotJudged() {
        #expect(StoreKeyCheck(state: nil, folder: "/x").run().isEmpty)
    }
}
