import AutoFillProtocol
import KeywayCrypto

/// Why a source of the store key gave none.
struct KeySourceError: Error, Hashable, Sendable {
    /// The kinds of failure, by what follows from them.
    enum Code: Sendable {
        /// The source cannot be used now; it may be at another moment, so nothing may be given up.
        case unavailable
        /// The source is there and works, and the key is not in it: it will never come back.
        case lost
    }

    /// What kind of failure this is; equality of two errors is equality of their codes.
    let code: Code
    /// A sentence for the person; never key material.
    let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    static func == (left: KeySourceError, right: KeySourceError) -> Bool { left.code == right.code }

    func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// One place where the store key can be kept.
protocol KeySource {
    /// What it is called towards the broker.
    var kind: BrokerStatus.StoreKeyState.Source { get }

    /// What people call it.
    var name: String { get }
    /// Why it cannot be used now, in a sentence; nil where it can. Asks nobody and takes no time to speak of.
    var obstacle: String? { get }

    /// Keeps a new key.
    ///
    /// - Returns: what ``open(_:)`` needs to find it again, which is not secret.
    /// - Throws: ``KeySourceError``: `unavailable`.
    func keep(_ key: SecretKey, identifier: String) throws(KeySourceError) -> String?

    /// The key that was kept as `record` says.
    ///
    /// - Throws: ``KeySourceError``.
    func open(_ record: KeyRecord) throws(KeySourceError) -> SecretKey
}
