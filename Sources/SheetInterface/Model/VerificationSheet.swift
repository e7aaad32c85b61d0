import AutoFillProtocol
import AutoFillWire

/// The check of who is there, in the words of a form or of progress.
enum VerificationSheet {
    /// The field that the answer is typed into.
    static let field = "answer"

    static func interface(
        for verification: AskPerson.Verification, in language: SheetLanguage
    ) -> ProviderInterface {
        let purpose = purpose(of: verification, in: language)
        let error = verification.error.map { language.text(ofBroker: DisplayText.paragraph($0)) }
        let label: SheetText? =
            switch verification.method {
            case .pin: .pinLabel
            case .loginPassword: .loginPasswordLabel
            case .masterPassword: .masterPasswordLabel
            case .fingerprint, .system, .providerInterface: nil
            }
        guard let label else {
            let how = language.text(verification.method == .fingerprint ? .touchSensor : .verifyElsewhere)
            let text = [error, purpose].compactMap { $0 }.joined(separator: "\n\n")
            return .progress(InterfaceProgress(title: how, text: text.isEmpty ? nil : text))
        }
        return .form(
            InterfaceForm(
                title: language.text(.verifyTitle), explanation: purpose,
                fields: [.init(id: field, label: language.text(label), kind: .secure)],
                submitTitle: language.text(.verify), error: error))
    }

    /// What for: account and site where it is known, and else the reason; of a reason it is said whose words it is.
    private static func purpose(of verification: AskPerson.Verification, in language: SheetLanguage) -> String? {
        let provider = verification.provider.map { DisplayText.line($0.name) }
        let values = [
            "account": verification.account, "site": verification.service, "provider": provider,
            "reason": verification.reason,
        ].compactMapValues { $0.map(DisplayText.line) }
        var sentences: [String] = []
        if provider != nil {
            switch (verification.account, verification.service) {
            case (_?, _?): sentences.append(language.text(.verifyAccountForSite, values))
            case (_?, nil): sentences.append(language.text(.verifyAccount, values))
            case (nil, _?): sentences.append(language.text(.verifyForSite, values))
            case (nil, nil): break
            }
        }
        if let reason = values["reason"] {
            sentences.append(provider == nil ? language.text(ofBroker: reason) : language.text(.verifyReason, values))
        } else if sentences.isEmpty && provider != nil {
            sentences.append(language.text(.verifyProvider, values))
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}
