import AutoFillProtocol
import Testing

@testable import KeywayCommand

@Suite struct VerificationChecksTests {
    @Test func everyMethodIsShownWithItsReason() {
        let state = VerificationState.Result(
            methods: [
                VerificationMethodState(
                    method: .fingerprint, isAvailable: false,
                    detail: "No finger is enrolled. To enrol one: fprintd-enroll"),
                VerificationMethodState(method: .pin, isAvailable: true),
            ], settings: VerificationSettings())
        #expect(
            VerificationChecks(state: state).run() == [
                Check(
                    "verification:fingerprint", .ok,
                    "Keyway can't verify you by your fingerprint: No finger is enrolled. To enrol one: fprintd-enroll"),
                Check("verification:pin", .ok, "Keyway can verify you by the Keyway PIN"),
            ])
    }
}
