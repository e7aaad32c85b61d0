/// Who can verify the person: the one seam of ``LAContext``.
package protocol ContextVerification: Sendable {
    /// Which sensor there is.
    var biometryType: LABiometryType { get }
    /// Why `policy` cannot be evaluated now; nil when it can.
    func obstacle(to policy: LAPolicy) -> LAError.Code?
    /// Asks the person, and says `reason` to them.
    ///
    /// - Throws: ``LAError`` with the code of what went wrong.
    func verify(_ policy: LAPolicy, reason: String) async throws(LAError)
    /// Whether the person's settings ask for a verification now.
    func isWanted() async -> Bool
}

/// A system without a way to verify the person.
struct NoContextVerification: ContextVerification {
    var biometryType: LABiometryType { .none }

    func obstacle(to policy: LAPolicy) -> LAError.Code? {
        switch policy {
        case .deviceOwnerAuthenticationWithBiometrics: .biometryNotAvailable
        case .deviceOwnerAuthentication: .passcodeNotSet
        case .deviceOwnerAuthenticationWithCompanion: .companionNotAvailable
        case .deviceOwnerAuthenticationWithBiometricsOrCompanion: .biometryNotAvailable
        }
    }

    func verify(_ policy: LAPolicy, reason: String) async throws(LAError) {
        throw LAError(obstacle(to: policy) ?? .authenticationFailed)
    }

    func isWanted() async -> Bool { false }
}
