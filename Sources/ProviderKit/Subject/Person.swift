import AutoFillProtocol
import KeywayCrypto
import KeywaySystem
import Synchronization

/// Whoever sits before the screen in a test: does with interfaces what it was told, and never thinks.
final class Person: Sendable {
    /// What the person does.
    enum Habit: Sendable {
        /// Chooses the first row that leads on, types the secret, presses the first button.
        case goesOn
        /// Backs out at once.
        case backsOut
        /// Looks and does nothing.
        case waits
        /// Goes on until there is a list, and backs out of that.
        case unlocksAndBacksOut
        /// As before, after a search in a list that the provider searches.
        case searches
    }

    private struct State {
        var seen: [ProviderInterface] = []
        var isGivenUp = false
        var hasSearched = false
        var choices: [[String]: Int] = [:]
    }

    /// After so many steps the person gives up.
    private static let mostSteps = 12

    private let habit: Habit
    private let secret: SecretBytes?
    private let state = Mutex(State())

    /// A person who has the habit `habit` and types `secret` where a secret is asked for.
    init(_ habit: Habit, secret: SecretBytes? = nil) {
        self.habit = habit
        self.secret = secret
    }

    /// The interfaces that were shown.
    var seen: [ProviderInterface] { state.withLock { $0.seen } }
    /// Whether the person searched.
    var hasSearched: Bool { state.withLock { $0.hasSearched } }
    /// Whether the person backed out because nothing led on.
    var hasGivenUp: Bool { state.withLock { $0.isGivenUp } }

    /// What the person does when `interface` is shown; nil for nothing.
    func reaction(to interface: ProviderInterface) -> InterfaceEvent? {
        let steps = state.withLock { state in
            state.seen.append(interface)
            return state.seen.count
        }
        switch habit {
        case .backsOut: return .cancelled
        case .waits: return nil
        case .unlocksAndBacksOut, .searches:
            if case .list(let list) = interface { return search(list) }
        case .goesOn: break
        }
        let event = steps > Self.mostSteps ? .cancelled : next(interface)
        if case .cancelled = event { state.withLock { $0.isGivenUp = true } }
        return event
    }

    private func next(_ interface: ProviderInterface) -> InterfaceEvent? {
        switch interface {
        case .list(let list): choice(from: list)
        case .form(let form): submission(form)
        case .message(let message): .activatedOrCancelled(message.actions.first?.id)
        case .progress: nil
        }
    }

    /// The first row; when the same rows come again, the one below it. A list without rows leads nowhere.
    private func choice(from list: InterfaceList) -> InterfaceEvent {
        let rows = list.sections.flatMap { $0.rows.map(\.id) }
        let number = state.withLock { state in
            defer { state.choices[rows, default: 0] += 1 }
            return state.choices[rows, default: 0]
        }
        return number < rows.count ? .chose(row: rows[number]) : .cancelled
    }

    private func search(_ list: InterfaceList) -> InterfaceEvent {
        guard case .searches = habit, list.search == .provider else { return .cancelled }
        let isFirst = state.withLock { state in
            defer { state.hasSearched = true }
            return !state.hasSearched
        }
        return isFirst ? .searched("zzzz") : .cancelled
    }

    private func submission(_ form: InterfaceForm) -> InterfaceEvent {
        // What was refused once is refused again.
        if form.error != nil { return .cancelled }
        var values: [String: InterfaceValue] = [:]
        for field in form.fields {
            switch field.kind {
            case .text(let initial): values[field.id] = .text(initial.isEmpty ? "kit" : initial)
            case .secure: values[field.id] = typed().map(InterfaceValue.secret) ?? .text("")
            }
        }
        return .submitted(values)
    }

    private func typed() -> InterfaceSecret? {
        let typed = secret ?? SecretBytes(copying: [])
        return try? typed.withUnsafeBytes { InterfaceSecret(try SealedMemory(copying: $0)) }
    }
}

extension InterfaceEvent {
    fileprivate static func activatedOrCancelled(_ action: String?) -> InterfaceEvent {
        action.map { .activated(action: $0) } ?? .cancelled
    }
}
