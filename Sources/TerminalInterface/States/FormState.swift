package import AutoFillProtocol
package import KeywaySystem

/// A form on the screen: what stands in its fields, and which one is typed into.
///
/// Not `Sendable`: its secrets belong to the thread that draws.
package struct FormState {
    enum Field {
        case text(TextField)
        case secret(SecretField)
    }

    /// The form, made harmless.
    package let form: InterfaceForm
    private(set) var fields: [Field]
    /// The field that is typed into.
    package private(set) var focus = 0

    /// A form as it comes.
    package init(_ form: InterfaceForm) {
        self.form = form
        fields = form.fields.map { field in
            switch field.kind {
            case .text(let initial): .text(TextField(initial))
            case .secure: .secret(SecretField())
            }
        }
        focus = form.fields.firstIndex { $0.kind == .secure || $0.kind == .text(initial: "") } ?? 0
    }

    /// Takes a key. Enter goes to the next field, and in the last one hands everything over.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` when a secret cannot be handed over.
    package mutating func handle(_ key: Key) throws(ProtocolError) -> Reaction {
        switch key {
        case .tab, .down: move(1)
        case .backTab, .up: move(-1)
        case .enter where focus < fields.count - 1: move(1)
        case .enter: return .event(.submitted(try values()))
        default: return type(key) ? .redraw : .none
        }
        return .redraw
    }

    /// Wipes every secret.
    package func wipe() {
        for case .secret(let field) in fields { field.clear() }
    }

    private mutating func move(_ step: Int) {
        guard !fields.isEmpty else { return }
        focus = (focus + step + fields.count) % fields.count
    }

    private mutating func type(_ key: Key) -> Bool {
        guard fields.indices.contains(focus) else { return false }
        switch fields[focus] {
        case .secret(let field): return field.handle(key)
        case .text(var field):
            defer { fields[focus] = .text(field) }
            return field.handle(key)
        }
    }

    private func values() throws(ProtocolError) -> [String: InterfaceValue] {
        var values: [String: InterfaceValue] = [:]
        for (field, state) in zip(form.fields, fields) {
            switch state {
            case .text(let text): values[field.id] = .text(text.text)
            case .secret(let secret): values[field.id] = .secret(InterfaceSecret(try secret.seal()))
            }
        }
        return values
    }
}
