import AuthenticationServices
import AutoFillProtocol
import KeywaySystem

/// Signing with a passkey, and making one. Whether the person must be verified is the vault's to say; that they were is
/// said only after the system did it in this request, or after the master password was typed in it.
extension PasswordsModel {
    /// The next step towards `goal`.
    mutating func pursue(_ goal: Goal) -> Effect? {
        self.goal = goal
        switch goal {
        case .password(let record): return .ask(.password(record: record))
        case .keep(let keeping): return .ask(.keep(keeping, replaces: keeping.isWanted || mayReplace))
        case .code(let record): return .ask(.code(record: record))
        case .setUp(let keeping, let record): return .ask(.keepCode(keeping, record: record))
        case .sign(let record, let user, let asked):
            // Of a choice: the person may have set that they are asked before anything is given.
            if case .list = request, !isVerified, !isVerificationSettled {
                return .verify(account: user, isRequired: false)
            }
            return .ask(.sign(record: record, asked.telling(isPersonVerified: isVerified)))
        case .make(let registration):
            guard isSilent || isAgreed else {
                screen = .proposal(registration)
                return nil
            }
            return .ask(.make(registration.telling(isPersonVerified: isVerified), isConditional: isSilent))
        }
    }

    /// The person wants the passkey that is proposed.
    mutating func agreed() -> Effect? {
        guard case .proposal = screen, let goal else { return nil }
        isAgreed = true
        return pursue(goal)
    }

    /// The system verified the person, or did not.
    mutating func verified(_ outcome: Verification) -> Effect? {
        guard let goal else { return nil }
        isVerificationSettled = true
        switch outcome {
        case .verified: isVerified = true
        case .unwanted: break
        case .unavailable:
            // Nobody but us can: by the one thing that only the person knows.
            verifiesByMasterPassword = true
            screen = .unlocking(error: nil)
            return nil
        case .refused: return .cancel(.userCanceled, reason: nil)
        }
        return pursue(goal)
    }

    // MARK: What the service answered

    mutating func arrived(_ result: Result<PasskeyAssertionCredential, ProtocolError>) -> Effect? {
        switch result {
        case .success(let credential): return .signed(credential)
        case .failure(let error) where error.code == .notVerified: return mustVerify(error)
        case .failure(let error) where error.code == .invalidParameters: return impossible(error)
        case .failure(let error): return failed(error)
        }
    }

    mutating func arrived(_ result: Result<PasskeyRegistrationCredential, ProtocolError>) -> Effect? {
        switch result {
        case .success(let credential): return .made(credential)
        // Nobody was asked: neither the page nor the person learns what the vault holds.
        case .failure(let error) where isSilent: return .cancel(.failed, reason: error.message)
        case .failure(let error) where error.code == .notVerified: return mustVerify(error)
        case .failure(let error) where error.code == .exists: return .cancel(.matchedExcludedCredential, reason: nil)
        case .failure(let error) where error.code == .invalidParameters: return impossible(error)
        case .failure(let error): return failed(error)
        }
    }

    /// The site asks for what no passkey of ours can do, such as another algorithm: the person can do nothing about it.
    private func impossible(_ error: ProtocolError) -> Effect {
        .cancel(.failed, reason: error.message)
    }

    /// The vault wants the person verified, who is not.
    private func mustVerify(_ error: ProtocolError) -> Effect {
        if isSilent { return .cancel(.userInteractionRequired, reason: nil) }
        // Verified, and not believed: another try would change nothing.
        guard !isVerified else { return .cancel(.failed, reason: error.message) }
        let user: String? =
            switch goal {
            case .sign(_, let user, _): user
            case .make(let registration): registration.userName
            default: nil
            }
        return .verify(account: user ?? "", isRequired: true)
    }
}
