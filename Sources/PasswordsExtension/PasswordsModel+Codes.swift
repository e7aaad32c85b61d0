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

    /// The code came, or did not.
    mutating func arrived(_ result: Result<MakeCode.Result, ProtocolError>) -> Effect? {
        switch result {
        case .success(let answer): return .completeCode(answer)
        case .failure(let error): return failed(error)
        }
    }
}
