package import AutoFillProtocol
package import KeywaySystem
import Vault

/// Whether something may be handed out to a client in a terminal: the broker says so, each time. It verifies the person as
/// the settings want, counts, writes the history, and knows whether the program is in the foreground of its terminal.
///
/// The provider's own extension needs no permission here: the broker judges each of its requests itself.
package struct HandoutGate: Sendable {
    /// Lets everything pass.
    package static let open = HandoutGate { _ throws(ProtocolError) in }

    /// Asks the broker, and returns where it agrees.
    package typealias Question = @Sendable (PermitService.Purpose) async throws(ProtocolError) -> Void

    private let ask: Question

    /// A gate that `ask` opens, or throws.
    package init(ask: @escaping Question) {
        self.ask = ask
    }

    /// Waits until something may be done that takes the open vault, and hands nothing out.
    ///
    /// - Throws: ``ProtocolError``: what the broker says against it, as the others do.
    package func use() async throws(ProtocolError) { try await ask(.use) }

    /// Waits until the person was verified, so that everything may be replaced.
    ///
    /// - Throws: as ``use()``.
    func replacement() async throws(ProtocolError) { try await ask(.replacement) }

    /// Waits until everything may be handed out to a person who was verified here.
    func export() async throws(ProtocolError) { try await ask(.export) }

    /// Waits until names of accounts may be handed out.
    func names() async throws(ProtocolError) { try await ask(.names) }

    /// Waits until a program may learn whether what is in a document are the secrets of `items`; nothing to wait for where
    /// there are none.
    func comparison(with items: Set<ItemID>) async throws(ProtocolError) {
        guard !items.isEmpty else { return }
        let named = items.map(\.description).sorted().prefix(PermitService.Comparison.named)
        try await ask(.comparison(.init(records: Array(named), count: items.count)))
    }

    /// Waits until the secrets of `item` may be handed out.
    func secrets(of item: StoredSummary) async throws(ProtocolError) {
        try await ask(
            .account(
                .init(
                    record: item.id.description, user: item.userName, service: item.addresses.first ?? item.title,
                    kind: item.passkey == nil ? .password : .passkey)))
    }
}
