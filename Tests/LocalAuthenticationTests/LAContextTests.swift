import Testing
@testable import LocalAuthentication

@Suite("Verifying the person")
struct LAContextTests {
    /// A check whose outcome the test decides.
    private struct Scripted: ContextVerification {
        func isWanted() async -> Bool { false }
        var obstacle: LAError.Code?
        var failure: LAError.Code?
        let biometryType = LABiometryType.touchID
        func obstacle(to policy: LAPolicy) -> LAError.Code? { obstacle }
        func verify(_ policy: LAPolicy, reason: String) async throws(LAError) {
            if let failure { throw LAError(failure) }
        }
    }

    @Test(arguments: [
        (LAPolicy.deviceOwnerAuthentication, LAError.Code.passcodeNotSet),
        (.deviceOwnerAuthenticationWithBiometrics, .biometryNotAvailable),
        (.deviceOwnerAuthenticationWithCompanion, .companionNotAvailable),
        (.deviceOwnerAuthenticationWithBiometricsOrCompanion, .biometryNotAvailable),
    ])
    func thisSystemSaysThatItCannot(policy: LAPolicy, code: LAError.Code) async {
        let context = LAContext()
        var reason: NSError?
        #expect(!context.canEvaluatePolicy(policy, error: &reason))
        #expect(reason?.domain == LAErrorDomain && reason?.code == code.rawValue)
        #expect(!context.canEvaluatePolicy(policy, error: nil))
        #expect(context.biometryType == .none)
        await #expect {
            try await context.evaluatePolicy(policy, localizedReason: "Show the list of accounts")
        } throws: {
            ($0 as? LAError)?.code == code
        }
        let replied: (Bool, LAError.Code?) = await withCheckedContinuation { continuation in
            context.evaluatePolicy(policy, localizedReason: "Show") { done, error in
                continuation.resume(returning: (done, (error as? LAError)?.code))
            }
        }
        #expect(replied == (false, code))
    }

    @Test func aVerifiedPersonIsVerified() async throws {
        let context = LAContext(verification: Scripted())
        var reason: NSError?
        #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &reason))
        #expect(reason == nil)
        #expect(try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Show"))
        #expect(context.biometryType == .touchID)
    }

    @Test(arguments: [LAError.Code.authenticationFailed, .userCancel, .userFallback, .biometryLockout])
    func aFailureKeepsItsCode(code: LAError.Code) async {
        let context = LAContext(verification: Scripted(failure: code))
        do {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Show")
            Issue.record("verified")
        } catch let error as LAError {
            #expect(error.code == code)
        } catch {
            Issue.record("another error: \(error)")
        }
    }

    @Test func anInvalidContextVerifiesNobody() async {
        let context = LAContext(verification: Scripted())
        context.invalidate()
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
        await #expect(throws: LAError(.invalidContext)) {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Show")
        }
    }

    @Test func asksNobodyWhereThatIsNotAllowed() async {
        let context = LAContext(verification: Scripted())
        context.interactionNotAllowed = true
        await #expect(throws: LAError(.notInteractive)) {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Show")
        }
    }

    @Test func theNumbersAreApples() {
        let codes: [LAError.Code] = [
            .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet, .biometryNotAvailable,
            .biometryNotEnrolled, .biometryLockout, .appCancel, .invalidContext, .companionNotAvailable,
            .biometryNotPaired, .biometryDisconnected, .invalidDimensions,
        ]
        #expect(codes.map(\.rawValue) == (1...14).map(-))
        #expect(LAError.notInteractive.rawValue == -1004)
        #expect(LAPolicy(rawValue: 1) == .deviceOwnerAuthenticationWithBiometrics)
        #expect(LAPolicy(rawValue: 2) == .deviceOwnerAuthentication)
        #expect([LABiometryType.none, .touchID, .faceID, .opticID].map(\.rawValue) == [0, 1, 2, 4])
        #expect(LAErrorDomain == "com.apple.LocalAuthentication")
    }

    @Test func settingsAreKept() {
        let context = LAContext()
        context.localizedFallbackTitle = "Use the master password"
        context.localizedCancelTitle = "Back"
        context.localizedReason = "Show"
        context.touchIDAuthenticationAllowableReuseDuration = 30
        #expect(context.localizedFallbackTitle == "Use the master password")
        #expect(context.localizedCancelTitle == "Back" && context.localizedReason == "Show")
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 30)
        #expect(!context.setCredential(Data(), type: .applicationPassword))
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(context.evaluatedPolicyDomainState == nil)
    }

    @Test func errorsAreCaughtByTheirCode() {
        do {
            throw NSError(domain: LAErrorDomain, code: -2)
        } catch LAError.userCancel {
            // As it should.
        } catch {
            Issue.record("not matched")
        }
    }
}
