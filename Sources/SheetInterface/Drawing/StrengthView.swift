import Adwaita
import KeywayCrypto
import PasswordStrength

/// Below the fields for a new master password: how strong it is, and words that Keyway proposes.
@MainActor
final class StrengthView {
    private let language: SheetLanguage
    private let box: Box
    private let bar: LevelBar
    private let level: Label
    private let advice: Label
    private let words: Label
    private let propose: Button

    /// Called with the words that were proposed.
    var onPropose: (SecretBytes) -> Void = { _ in }

    init(_ file: InterfaceFile, _ language: SheetLanguage) throws(DesktopError) {
        self.language = language
        box = try file.object("form-strength")
        bar = try file.object("strength-bar")
        level = try file.object("strength-level")
        advice = try file.object("words-advice")
        words = try file.object("words")
        propose = try file.object("propose")
        propose.title = language.text(.proposeWords)
        advice.text = language.text(.wordsAre)
        bar.setAccessibleName(language.text(.strengthLabel))
        propose.on("clicked") { [weak self] in self?.proposeWords() }
    }

    /// Shows it for a new master password, and nothing for anything else.
    func begin(isShown: Bool) {
        box.isVisible = isShown
        show(nil)
        words.text = ""
        words.isVisible = false
        advice.isVisible = false
    }

    func show(_ strength: Strength?) {
        bar.value = strength.map { Double($0.level.rawValue + 1) } ?? 0
        level.text = strength.map { language.text($0.level.text) } ?? ""
    }

    private func proposeWords() {
        let proposed = ProposedWords().text
        let text = SecretBuffer(capacity: proposed.count + 1)
        text.append(proposed)
        text.append(0)
        // On the screen it is no secret any more; until then, no string holds it.
        text.withUnsafeBytes { words.show($0) }
        words.isVisible = true
        advice.isVisible = true
        onPropose(proposed)
    }
}

extension Strength.Level {
    var text: SheetText {
        switch self {
        case .veryWeak: .veryWeak
        case .weak: .weak
        case .fair: .fair
        case .strong: .strong
        }
    }
}
