import Adwaita
import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem

/// Fields to fill in. What stands in a secure one is nowhere but in its row.
@MainActor
final class FormPage {
    /// The most characters of a secret: with four bytes each, what the terminal takes.
    private static let secretLimit = 1024
    /// The most room, in pixels.
    private static let limit: Int32 = 520

    fileprivate enum Field {
        case text(EntryRow)
        case secret(PasswordRow)
    }

    var onSubmit: () -> Void = {}

    private let title: Label
    private let explanation: Label
    private let group: PreferencesGroup
    private let error: Label
    private let submit: Button
    private var form: InterfaceForm?
    private var fields: [Field] = []
    private var textRows: [EntryRow] = []
    private var secretRows: [PasswordRow] = []
    private let window: Window
    private let scroller: ScrolledWindow
    private let content: Box
    private let strength: StrengthView
    private let language: SheetLanguage
    /// Whether what is typed may be used, where the person chooses a secret.
    private var check: NewSecretCheck?

    init(_ file: InterfaceFile, _ language: SheetLanguage) throws(DesktopError) {
        self.language = language
        strength = try StrengthView(file, language)
        window = try file.object("window")
        scroller = try file.object("form-scroller")
        content = try file.object("form-content")
        title = try file.object("form-title")
        explanation = try file.object("form-explanation")
        group = try file.object("form-fields")
        error = try file.object("form-error")
        submit = try file.object("form-submit")
        submit.on("clicked") { [weak self] in self?.onSubmit() }
        strength.onPropose = { [weak self] in self?.proposed($0) }
    }

    /// - Parameter newSecret: what the two fields are for, where the person chooses it there.
    func show(_ form: InterfaceForm, isFresh: Bool, newSecret: NewSecret? = nil) {
        self.form = form
        check = nil
        strength.begin(isShown: newSecret == .masterPassword)
        title.text = form.title
        title.isVisible = !form.title.isEmpty
        explanation.text = form.explanation ?? ""
        explanation.isVisible = form.explanation != nil
        error.text = form.error ?? ""
        error.isVisible = form.error != nil
        submit.title = form.submitTitle
        group.setAccessibleName(form.title)
        group.isVisible = !form.fields.isEmpty
        if isFresh { makeFields(form) }
        check = newSecret.map(NewSecretCheck.init)
        scroller.makeRoom(for: content, width: SheetWindow.contentWidth, limit: Self.limit)
        setWorking(false)
        for case .secret(let row) in fields { row.wipe() }
        if !isFresh { focusFirst() }
    }

    func clear() {
        empty()
        form = nil
        check = nil
        strength.begin(isShown: false)
    }

    func setWorking(_ isWorking: Bool) {
        group.isSensitive = !isWorking
        submit.isSensitive = !isWorking
    }

    /// What stands in the fields, by their ids. The secure ones are empty afterwards: a secret goes out once.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when there is no memory file to be had.
    func takeValues() throws(ProtocolError) -> [String: InterfaceValue] {
        defer { for case .secret(let row) in fields { row.wipe() } }
        var values: [String: InterfaceValue] = [:]
        for (field, shown) in zip(form?.fields ?? [], fields) {
            switch shown {
            case .text(let row): values[field.id] = .text(DisplayText.line(row.text))
            case .secret(let row):
                let memory = try row.withSecret { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) }
                values[field.id] = .secret(InterfaceSecret(memory))
            }
        }
        return values
    }

    // MARK: - A secret that is chosen

    /// Whether the form may be handed over; says why not.
    func mayBeSubmitted() -> Bool {
        guard var check, let (first, second) = newSecrets else { return true }
        let verdict = check.submit(first, second)
        self.check = check
        switch verdict {
        case .accepted: return true
        case .refused(let reason):
            say(reason)
            focusFirst()
        case .weak:
            say(.weakSecret)
            submit.title = language.text(.useWeak)
        }
        return false
    }

    private var newSecrets: (SecretBytes, SecretBytes)? {
        guard fields.count == 2, case .secret(let first) = fields[0], case .secret(let second) = fields[1] else {
            return nil
        }
        return (
            first.withSecret { SecretBytes(copying: $0) }, second.withSecret { SecretBytes(copying: $0) }
        )
    }

    private func say(_ text: SheetText) {
        error.text = language.text(text)
        error.isVisible = true
        makeRoom()
    }

    private func secretChanged() {
        guard var check, let (first, _) = newSecrets else { return }
        check.changed()
        self.check = check
        strength.show(check.strength(of: first))
        submit.title = form?.submitTitle ?? ""
        if error.isVisible, !first.isEmpty { error.isVisible = false }
    }

    private func proposed(_ words: SecretBytes) {
        check?.proposed = words
        secretChanged()
        makeRoom()
        focusFirst()
    }

    private func makeRoom() {
        scroller.makeRoom(for: content, width: SheetWindow.contentWidth, limit: Self.limit)
        window.setDefaultSize(width: SheetWindow.width, height: -1)
    }

    // MARK: - Fields

    /// Puts rows into the group. Rows are used again and never given up: one that had the focus may still be called by
    /// the toolkit when it is gone (seen with libadwaita 1.2.2).
    private func makeFields(_ form: InterfaceForm) {
        empty()
        var (textCount, secretCount) = (0, 0)
        fields = form.fields.map { field in
            switch field.kind {
            case .text(let initial):
                textCount += 1
                let row = textRow(textCount - 1)
                row.title = field.label
                row.text = initial
                return .text(row)
            case .secure:
                secretCount += 1
                let row = secretRow(secretCount - 1)
                row.title = field.label
                return .secret(row)
            }
        }
        for field in fields { group.append(field.row) }
    }

    private func empty() {
        for case .secret(let row) in fields { row.wipe() }
        for case .text(let row) in fields { row.text = "" }
        if fields.contains(where: { $0.row.hasFocus }) { window.clearFocus() }
        // A row that leaves an insensitive group stays insensitive wherever it goes (GTK 4.8).
        group.isSensitive = true
        group.removeAll()
        fields = []
    }

    private func textRow(_ index: Int) -> EntryRow {
        if index < textRows.count { return textRows[index] }
        let row = EntryRow("")
        row.onEnter { [weak self, weak row] in self?.proceed(from: row) }
        textRows.append(row)
        return row
    }

    private func secretRow(_ index: Int) -> PasswordRow {
        if index < secretRows.count { return secretRows[index] }
        let row = PasswordRow("", limit: Self.secretLimit)
        row.onChange { [weak self] in self?.secretChanged() }
        row.onEnter { [weak self, weak row] in self?.proceed(from: row) }
        secretRows.append(row)
        return row
    }

    /// Enter goes to the next field, and in the last one hands everything over.
    private func proceed(from row: Entry?) {
        guard let index = fields.firstIndex(where: { $0.row === row }) else { return }
        if fields.indices.contains(index + 1) {
            fields[index + 1].row.grabFocus()
        } else {
            onSubmit()
        }
    }

    /// Where typing begins: the first secret, or text field that is empty.
    func focusFirst() {
        let first = form?.fields.firstIndex { $0.kind == .secure || $0.kind == .text(initial: "") } ?? 0
        if fields.indices.contains(first) { fields[first].row.grabFocus() } else { submit.grabFocus() }
    }
}

extension FormPage.Field {
    @MainActor
    fileprivate var row: Entry {
        switch self {
        case .text(let row): row
        case .secret(let row): row
        }
    }
}
