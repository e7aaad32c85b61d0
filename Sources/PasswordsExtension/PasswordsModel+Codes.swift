import AuthenticationServices
import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol

/// One-time codes: one that was suggested, or one from a list. They are made in the vault's service.
extension PasswordsModel {
    /// Whether the choice is among codes.
    var choosesCode: Bool {
        if case .codes = request { true } else { false }
    }

    /// The question for the codes to choose from.
    func codeList(_ text: String) -> Effect {
        .ask(.codes(services.map { ServiceIdentifier($0) }, text: text))
    }

    /// What makes codes and is to be kept; nil for other requests.
    var settingUp: CodeKeeping? {
        if case .setUp(let keeping) = request { keeping } else { nil }
    }

    /// The person says where it is kept.
    mutating func chosePlace(_ row: String, _ keeping: CodeKeeping) -> Effect? {
        guard case .list = screen else { return nil }
        if row == PasswordsScreens.newItemRow { return pursue(.setUp(keeping, record: nil)) }
        return PasswordsScreens.record(ofRow: row).flatMap { pursue(.setUp(keeping, record: $0)) }
    }

    /// It is kept, or not.
    mutating func keptCode(_ result: Result<Void, ProtocolError>) -> Effect? {
        switch result {
        case .success: return .keptCode
        case .failure(let error): return failed(error)
        }
    }

    /// The code came, or did not.
    mutating func arrived(_ result: Result<MakeCode.Result, ProtocolError>) -> Effect? {
        switch result {
        case .success(let answer): return .completeCode(answer)
        case .failure(let error): return failed(error)
        }
    }
}
