import Dispatch
import KeywayCrypto
import Vault

/// Where keys are derived from passwords: a thread of its own, because one derivation takes a good part of a second.
///
/// A derivation that runs cannot be stopped; whoever no longer wants it drops the result, which is wiped then.
struct DerivationThread: Sendable {
    private let queue = DispatchQueue(label: "org.keyway.derivation")

    /// Runs `body` there, after what was asked for before.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        let outcome: Result<Value, VaultError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try outcome.get()
    }
}
