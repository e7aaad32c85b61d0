import AutoFillProtocol
import AutoFillWire

/// The first run, in the words of forms and messages.
enum FirstRunSheet {
    /// The field that repeats what stands in the first, which is that of ``VerificationSheet``.
    static let repetition = "again"
    /// The button that ends it.
    static let done = "done"

    /// Where a browser is told not to offer to save passwords itself.
    private static let chromiumPage = "chrome://password-manager/settings"
    private static let firefoxPage = "about:preferences#privacy"

    static func interface(
        for question: AskPerson.NewMasterPassword, in language: SheetLanguage
    ) -> ProviderInterface {
        form(
            title: language.text(.newMasterTitle),
            text: language.text(.newMaster, ["provider": DisplayText.line(question.provider.name)]),
            label: .masterPasswordLabel, submit: .goOn, error: question.error, in: language)
    }

    static func interface(for question: AskPerson.NewPIN, in language: SheetLanguage) -> ProviderInterface {
        form(
            title: language.text(.newPINTitle), text: language.text(.newPIN), label: .pinLabel, submit: .setPIN,
            error: question.error, in: language)
    }

    static func interface(for summary: AskPerson.SetUpSummary, in language: SheetLanguage) -> ProviderInterface {
        var sentences = [language.text(.isSetUp, ["provider": DisplayText.line(summary.provider.name)])]
        if summary.hasFingerprint { sentences.append(language.text(.fingerprintVerifies)) }
        if summary.hasPIN { sentences.append(language.text(.pinVerifies)) }
        if let browser = summary.browser.map(DisplayText.line), !browser.isEmpty {
            let isFirefox = browser.contains("Firefox")
            sentences.append(
                language.text(
                    .ownSaving, ["browser": browser, "page": isFirefox ? firefoxPage : chromiumPage]))
        }
        return .message(
            InterfaceMessage(
                title: language.text(.isSetUpTitle), text: sentences.joined(separator: "\n\n"),
                actions: [.init(id: done, title: language.text(.done))]))
    }

    private static func form(
        title: String, text: String, label: SheetText, submit: SheetText, error: String?, in language: SheetLanguage
    ) -> ProviderInterface {
        .form(
            InterfaceForm(
                title: title, explanation: text,
                fields: [
                    .init(id: VerificationSheet.field, label: language.text(label), kind: .secure),
                    .init(id: repetition, label: language.text(.repeatSecret), kind: .secure),
                ], submitTitle: language.text(submit),
                error: error.map { language.text(ofBroker: DisplayText.paragraph($0)) }))
    }
}
