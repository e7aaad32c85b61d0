import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Synchronization

/// The vault's service, as little of it as the extension must be able to tell apart.
final class FakeVault: Sendable {
    struct State {
        var access = VaultStatus.Access.open
        var items: [(summary: ItemSummary, password: String)] = []
        var master = "correct horse"
        var unlockFailure: ProtocolError?
        var calls: [String] = []
        var connections: [Connection] = []
        var mostItems = 1000
        var passkeys: [ItemSummary] = []
        /// What is answered to a request for a signature, and for a passkey.
        var signing: @Sendable (SignWithPasskey.Parameters) throws -> PasskeyAssertionCredential = { _ in
            throw ProtocolError(.notFound, "There is no such passkey.")
        }
        var making: @Sendable (MakePasskey.Parameters) throws -> PasskeyRegistrationCredential = { _ in
            throw ProtocolError(.refused, "No passkey is made.")
        }
        var reports: [CredentialReport] = []
        /// What each item has beside its password.
        var notes: String?
        var fields: [(name: String, isHidden: Bool, value: String)] = []
        var sections: [SectionSummary] = []
        var members: [(name: String, isText: Bool, value: String)] = []
        /// Unlocking does not end before this does.
        var gate: AsyncStream<Void>?
    }

    private let state = Mutex(State())

    /// A vault that is `access`, with an item for each name.
    init(_ access: VaultStatus.Access = .open, items: [String] = []) {
        state.withLock {
            $0.access = access
            $0.items = items.map { (.example($0), "password of \($0)") }
        }
    }

    /// Changes the vault.
    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// The methods that were called, in order.
    var calls: [String] { state.withLock { $0.calls } }

    /// A new conversation, as the broker hands it over.
    func connect() throws -> OwnedDescriptor {
        let (ours, theirs) = try LocalSocket.pair()
        let connection = Connection(descriptor: ours, peer: .known(.serviceClient), methods: methods)
        connection.start()
        state.withLock { $0.connections.append(connection) }
        return theirs
    }

    /// Ends all conversations, as when the service ends.
    func hangUp() {
        let connections = state.withLock { state in
            defer { state.connections = [] }
            return state.connections
        }
        for connection in connections { connection.close() }
    }

    // MARK: Answers

    private var methods: MethodTable {
        var table = MethodTable()
        table.on(VaultStatus.self) { _, _ in self.status() }
        table.on(UnlockVault.self) { parameters, _ in try await self.unlock(parameters) }
        table.on(ShowItem.self) { parameters, _ in try self.show(parameters) }
        table.on(ShowSection.self) { parameters, _ in try self.show(parameters) }
        table.on(SearchItems.self) { parameters, _ in try self.search(parameters) }
        table.on(MatchItems.self) { parameters, _ in try self.match(parameters) }
        table.on(FindPasskeys.self) { parameters, _ in
            try self.open("passkeys \(parameters.relyingParty)") { .init(items: $0.passkeys) }
        }
        table.on(SignWithPasskey.self) { parameters, _ in
            try self.open("sign \(parameters.item)") { try $0.signing(parameters) }
        }
        table.on(MakePasskey.self) { parameters, _ in
            try self.open("make \(parameters.isConditional)") { try $0.making(parameters) }
        }
        table.on(KeepPassword.self) { parameters, _ in
            try self.open("keep \(parameters.user) \(parameters.isPending) \(parameters.replaces)") { state in
                guard state.items.isEmpty || parameters.replaces else {
                    throw ProtocolError(.exists, "There is another password.")
                }
                return .init(outcome: .changed)
            }
        }
        table.on(HearReport.self) { parameters, _ in
            self.change { $0.reports.append(parameters.report) }
            return Nothing()
        }
        return table
    }

    private func status() -> VaultStatus.Result {
        state.withLock {
            $0.calls.append("status")
            return .init(access: $0.access, path: "/vault", items: nil, idleLimit: 600)
        }
    }

    private func unlock(_ parameters: UnlockVault.Parameters) async throws -> VaultStatus.Result {
        let typed = try parameters.masterPassword.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let gate = state.withLock {
            $0.calls.append("unlock \(typed)")
            return $0.gate
        }
        if let gate { for await _ in gate {} }
        try Task.checkCancellation()
        try state.withLock {
            if let failure = $0.unlockFailure { throw failure }
            guard typed == $0.master else { throw ProtocolError(.wrongPassword, "The master password is wrong.") }
            $0.access = .open
        }
        return status()
    }

    private func show(_ parameters: ShowItem.Parameters) throws -> ShowItem.Result {
        try open("show \(parameters.item.text) \(parameters.parts.map(\.rawValue))") { state in
            guard
                let item = state.items.first(where: {
                    [$0.summary.id, $0.summary.title].contains(parameters.item.text)
                })
            else { throw ProtocolError(.notFound, "There is no such item.") }
            let notes = parameters.parts.contains(.notes) ? state.notes : nil
            let fields = try state.fields.map { field in
                let value = parameters.parts.contains(.fields) ? Attachment(try SealedMemory(text: field.value)) : nil
                return CustomField(name: field.name, isHidden: field.isHidden, value: value)
            }
            return .init(
                summary: item.summary.having(state.sections),
                password: Attachment(try SealedMemory(text: item.password)),
                notes: try notes.map { Attachment(try SealedMemory(text: $0)) }, fields: fields, history: [])
        }
    }

    private func show(_ parameters: ShowSection.Parameters) throws -> ShowSection.Result {
        try open("section \(parameters.item.text) \(parameters.section)\(parameters.opens ? " opened" : "")") { state in
            guard let section = state.sections.first(where: { $0.number == parameters.section }) else {
                throw ProtocolError(.notFound, "There is no such section.")
            }
            let members = try state.members.map { member in
                let value = parameters.opens && member.isText ? Attachment(try SealedMemory(text: member.value)) : nil
                return ShowSection.Member(
                    name: member.name, label: nil, isHidden: !member.isText, isText: member.isText, value: value)
            }
            return .init(item: .example("a"), section: section, members: members, total: members.count)
        }
    }

    private func search(_ parameters: SearchItems.Parameters) throws -> SearchItems.Result {
        try open("search \(parameters.text) \(parameters.limit)") { state in
            guard parameters.limit <= state.mostItems else { throw ProtocolError(.frameTooLarge, "Ask for less.") }
            let found = state.items.map(\.summary).filter {
                parameters.text.isEmpty || $0.title.contains(parameters.text)
            }
            return .init(items: Array(found.prefix(parameters.limit)), total: found.count)
        }
    }

    private func match(_ parameters: MatchItems.Parameters) throws -> MatchItems.Result {
        try open("match \(parameters.services.map(\.identifier))") { state in
            let hosts = Set(parameters.services.map(\.identifier))
            return .init(items: state.items.map(\.summary).filter { !hosts.isDisjoint(with: $0.addresses) })
        }
    }

    private func open<Value>(_ call: String, _ body: (State) throws -> Value) throws -> Value {
        try state.withLock {
            $0.calls.append(call)
            guard $0.access == .open else { throw ProtocolError(.locked, "The vault is locked.") }
            return try body($0)
        }
    }
}

extension ItemSummary {
    /// The same with these sections.
    fileprivate func having(_ sections: [SectionSummary]) -> ItemSummary {
        ItemSummary(
            id: id, title: title, user: user, addresses: addresses, tags: tags, created: created, modified: modified,
            place: place, sections: sections.isEmpty ? nil : sections)
    }

    /// The item called `title`, of the site `title.example`.
    static func example(_ title: String, code: Int? = nil) -> ItemSummary {
        ItemSummary(
            id: "id-\(title)", title: title, user: "ada", addresses: ["\(title).example"], tags: [], created: 0,
            modified: 0, place: "\(title).example", code: code)
    }
}

extension SealedMemory {
    /// The bytes of `text`.
    init(text: String) throws {
        var text = text
        self = try text.withUTF8 { try SealedMemory(copying: UnsafeRawBufferPointer($0)) }
    }
}
