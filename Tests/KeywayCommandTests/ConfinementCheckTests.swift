import Testing

@testable import KeywayCommand

@Suite struct ConfinementCheckTests {
    private static func checks(_ hold: Bool, _ detail: String? = nil) -> [Check] {
        ConfinementCheck(state: nil, limits: .init(hold: hold, detail: detail)).run()
    }

    @Test func limitsThatHoldForAllProcessesOfAProviderAreSaid() {
        #expect(
            Self.checks(true) == [
                Check(
                    "limits", .ok, "each provider has one limit on memory and processes for all its processes together")
            ])
    }

    @Test func limitsThatHoldForEachProcessAloneAreAWarningWithTheReasonAndWhatToDo() {
        #expect(
            Self.checks(false, "no cgroup v2") == [
                Check(
                    "limits", .warning, "no cgroup v2",
                    remedy: "Let systemd start Keyway: systemctl --user enable --now keywayd.socket, then log out "
                        + "and in again")
            ])
    }

    @Test func nothingIsSaidOfLimitsOfABrokerThatSaysNothing() {
        #expect(ConfinementCheck(state: nil, limits: nil).run().isEmpty)
    }
}
