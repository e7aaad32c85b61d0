import AuthenticationServices
import AutoFillProtocol
import KeywaySystem

/// Keeping a password. What the person was asked for is kept at once; else another password of the account does not go
/// before they agree here.
extension PasswordsModel {
    /// The person agrees that another password goes into the history.
    mutating func replaced() -> Effect? {
        guard case .replacement = screen, let goal else { return nil }
        mayReplace = true
        return pursue(goal)
    }

    /// What became of it.
    mutating func kept(_ result: Result<Void, ProtocolError>) -> Effect? {
        switch result {
        case .success: return .kept
        case .failure(let error) where error.code == .exists:
            guard !isSilent else { return .cancel(.userInteractionRequired, reason: nil) }
            guard case .keep(let keeping)? = goal else { return nil }
            screen = .replacement(keeping)
            return nil
        case .failure(let error): return failed(error)
        }
    }
}
