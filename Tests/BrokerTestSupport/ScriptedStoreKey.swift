import AutoFillProtocol
package import BrokerBase
package import IdentityIndex
package import KeywayCrypto
import Synchronization

/// A source of the store key that a test commands.
package final class ScriptedStoreKey: StoreKeySource {
    private struct State {
        var key: SecretKey?
        var count = 0
    }

    private let state: Mutex<State>

    /// One whose key is made of `seed`.
    package init(_ seed: UInt8? = 1) {
        state = Mutex(State(key: seed.map(Self.key)))
    }

    /// A key made of `seed`.
    package static func key(_ seed: UInt8) -> SecretKey {
        SecretKey(SecretBytes(copying: [UInt8](repeating: seed, count: SecretKey.count)))
    }

    /// How often it was asked.
    package var count: Int { state.withLock { $0.count } }

    /// From now on the key is made of `seed`; nil takes it away.
    package func set(_ seed: UInt8?) {
        state.withLock { $0.key = seed.map(Self.key) }
    }

    package func fetch() async -> StoreKeyAnswer {
        let key = state.withLock { state in
            state.count += 1
            return state.key
        }
        return StoreKeyAnswer(key: key, source: .file, detail: key == nil ? "No key today." : nil)
    }
}

extension SettingsSeal {
    /// A seal whose key is made of `seed`, with a register in `folder`.
    package static func opened(_ seed: UInt8 = 1, registerIn folder: String? = nil) -> SettingsSeal {
        let seal = SettingsSeal(log: EventLog { _ in })
        if let folder { seal.keepRegister(in: folder) }
        seal.open(with: ScriptedStoreKey.key(seed))
        return seal
    }
}
