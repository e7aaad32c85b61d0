import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem

/// Asks the broker, over the connection of the provider's extension, while that answers a request with an interface.
struct BrokerVerification: ContextVerification {
    /// Where the connection is; nil in a process that is no extension.
    private let channel: @Sendable () -> ProviderChannel.Source?

    init(channel: @escaping @Sendable () -> ProviderChannel.Source? = { ProviderChannel.current }) {
        self.channel = channel
    }

    var biometryType: LABiometryType {
        guard case .success(let answer)? = CallerQueue.wait(for: { await ask(.biometrics, nil) }) else { return .none }
        let reader = answer.methods.first { $0.method == .fingerprint }
        return switch reader?.obstacle {
        case .notSetUp, .lockedOut: .touchID
        case .missing, nil: reader?.isAvailable == true ? .touchID : .none
        }
    }

    func obstacle(to policy: LAPolicy) -> LAError.Code? {
        guard let kind = policy.kind else { return .companionNotAvailable }
        guard channel() != nil else { return NoContextVerification().obstacle(to: policy) }
        guard let answer = CallerQueue.wait(for: { await ask(kind, nil) }) else { return .systemCancel }
        switch answer {
        case .success(let result): return Self.obstacle(kind, result.methods)
        case .failure(let error): return Self.code(error)
        }
    }

    func verify(_ policy: LAPolicy, reason: String) async throws(LAError) {
        guard let kind = policy.kind else { throw LAError(.companionNotAvailable) }
        guard channel() != nil else { return try await NoContextVerification().verify(policy, reason: reason) }
        guard case .failure(let error) = await ask(kind, reason) else { return }
        // Whoever was not verified because there is nothing to do it with is told that.
        if error.code == .notVerified, case .success(let result) = await ask(kind, nil),
            let obstacle = Self.obstacle(kind, result.methods)
        {
            throw LAError(obstacle)
        }
        throw LAError(Self.code(error))
    }

    func isWanted() async -> Bool {
        guard channel() != nil, case .success(let result) = await ask(.any, nil) else { return false }
        return result.isWanted == true
    }

    private func ask(
        _ kind: VerifyPerson.Policy, _ reason: String?
    ) async -> Result<VerifyPerson.Result, ProtocolError> {
        do {
            guard let channel = channel() else {
                return .failure(ProtocolError(.connectionClosed, "This process is no extension."))
            }
            return .success(try await channel().call(VerifyPerson.self, .init(policy: kind, reason: reason)))
        } catch {
            return .failure((error as? ProtocolError) ?? ProtocolError(.cancelled, "The check was cancelled."))
        }
    }

    // MARK: - What the broker's words mean here

    /// Why none of the methods can be used; nil where one can.
    static func obstacle(_ kind: VerifyPerson.Policy, _ methods: [VerificationMethodState]) -> LAError.Code? {
        if methods.contains(where: \.isAvailable) { return nil }
        guard kind == .biometrics else { return .passcodeNotSet }
        return switch methods.first(where: { $0.method == .fingerprint })?.obstacle {
        case .notSetUp: .biometryNotEnrolled
        case .lockedOut: .biometryLockout
        case .missing, nil: .biometryNotAvailable
        }
    }

    static func code(_ error: ProtocolError) -> LAError.Code {
        switch error.code {
        case .cancelled: .userCancel
        case .locked, .connectionClosed, .timedOut: .systemCancel
        case .interactionRequired: .notInteractive
        default: .authenticationFailed
        }
    }
}

extension LAPolicy {
    /// Which methods count; nil for a companion device, which there is none of.
    fileprivate var kind: VerifyPerson.Policy? {
        switch self {
        case .deviceOwnerAuthentication: .any
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion: .biometrics
        case .deviceOwnerAuthenticationWithCompanion: nil
        }
    }
}
