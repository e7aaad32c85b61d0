import AutoFillProtocol
import AutoFillWire
package import KeywaySystem

/// An interface asked line by line, for terminals that cannot move their cursor: what to print, and what an answer means.
package struct LineDialogue {
    /// What the next answer is for.
    private enum Question {
        case row
        case field(Int)
        case action
        case nothing
    }

    private let presentation: Presentation
    private var picker: PickerState?
    private var values: [String: InterfaceValue] = [:]
    private var question: Question

    /// A dialogue about `presentation`.
    package init(_ presentation: Presentation) {
        self.presentation = presentation
        switch presentation.interface {
        case .list(let list):
            picker = PickerState(list)
            question = .row
        case .form(let form): question = form.fields.isEmpty ? .nothing : .field(0)
        case .message: question = .action
        case .progress: question = .nothing
        }
    }

    /// What is printed before the first question.
    package var introduction: [String] {
        let plain = Appearance(hasColours: false, hasUnicode: false, movesCursor: false)
        return [presentation.header.line(width: 200, plain).text] + content
    }

    /// What is printed before the next answer, without a line break; nil when no answer is wanted.
    package var prompt: String? {
        switch (question, presentation.interface) {
        case (.row, .list(let list)):
            list.search == .none ? InterfaceText.plainNumber : InterfaceText.plainNumberOrWords
        case (.field(let index), .form(let form)): prompt(for: form.fields[index])
        case (.action, _): InterfaceText.plainNumber
        default: nil
        }
    }

    /// Whether the next answer must not be seen.
    package var isHidden: Bool {
        guard case .field(let index) = question, case .form(let form) = presentation.interface else { return false }
        return form.fields[index].kind == .secure
    }

    /// Takes an answer that everyone may see.
    package mutating func answer(_ text: String) -> (reaction: Reaction, printed: [String]) {
        switch (question, presentation.interface) {
        case (.row, .list(let list)): return answerRow(text, list)
        case (.action, .message(let message)):
            guard !text.isEmpty else { return (.event(.cancelled), []) }
            guard let number = Int(text), message.actions.indices.contains(number - 1) else {
                return (.none, [InterfaceText.plainNoSuchNumber])
            }
            question = .nothing
            return (.event(.activated(action: message.actions[number - 1].id)), [])
        case (.field(let index), .form(let form)):
            var value = text
            if text.isEmpty, case .text(let initial) = form.fields[index].kind { value = initial }
            return (proceed(form, index, .text(DisplayText.line(value))), [])
        default: return (.none, [])
        }
    }

    /// Takes a hidden answer.
    package mutating func answer(hidden secret: SealedMemory) -> Reaction {
        guard case .field(let index) = question, case .form(let form) = presentation.interface else { return .none }
        return proceed(form, index, .secret(InterfaceSecret(secret)))
    }

    private mutating func proceed(_ form: InterfaceForm, _ index: Int, _ value: InterfaceValue) -> Reaction {
        values[form.fields[index].id] = value
        guard index + 1 == form.fields.count else {
            question = .field(index + 1)
            return .none
        }
        question = .nothing
        defer { values = [:] }
        return .event(.submitted(values))
    }

    private mutating func answerRow(_ text: String, _ list: InterfaceList) -> (Reaction, [String]) {
        guard !text.isEmpty else { return (.event(.cancelled), []) }
        let rows = picker?.matches ?? []
        if let number = Int(text), list.search == .none || rows.indices.contains(number - 1) {
            guard rows.indices.contains(number - 1) else { return (.none, [InterfaceText.plainNoSuchNumber]) }
            question = .nothing
            return (.event(.chose(row: rows[number - 1].id)), [])
        }
        switch list.search {
        case .none: return (.none, [InterfaceText.plainNoSuchNumber])
        case .provider: return (.event(.searched(DisplayText.line(text))), [])
        case .rows:
            picker?.search(for: text)
            return (.none, content)
        }
    }

    private func prompt(for field: InterfaceForm.Field) -> String {
        if case .text(let initial) = field.kind, !initial.isEmpty { return "\(field.label) [\(initial)]: " }
        return field.label + ": "
    }

    private var content: [String] {
        switch presentation.interface {
        case .list(let list): [list.title].filter { !$0.isEmpty } + (picker?.numbered ?? [])
        case .form(let form):
            [form.title] + Columns.wrap(form.explanation ?? "", into: 78).filter { !$0.isEmpty }
                + [form.error].compactMap { $0 }
        case .message(let message):
            [message.title] + Columns.wrap(message.text, into: 78)
                + message.actions.enumerated().map { "\($0 + 1)) \($1.title)" }
        case .progress(let progress): [([progress.title] + [progress.text].compactMap { $0 }).joined(separator: ": ")]
        }
    }
}

extension PickerState {
    /// The rows that match, in order.
    var matches: [InterfaceList.Row] {
        entries.compactMap { if case .row(let row) = $0 { row } else { nil } }
    }

    /// The matching rows with their numbers, below their headings.
    fileprivate var numbered: [String] {
        var number = 0
        let lines = entries.map { entry in
            switch entry {
            case .heading(let title): return title
            case .row(let row):
                number += 1
                return "\(number)) \(row.title)" + (row.subtitle.map { "  \($0)" } ?? "")
            }
        }
        guard lines.isEmpty else { return lines }
        return [query.text.isEmpty ? list.emptyText ?? InterfaceText.nothingHere : InterfaceText.nothingFound]
    }

    /// Narrows the rows down to `words`, in place of what was searched before.
    fileprivate mutating func search(for words: String) {
        _ = handle(.control("u"), page: 1)
        for scalar in words.unicodeScalars { _ = handle(.text(scalar), page: 1) }
    }
}
