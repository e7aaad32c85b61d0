import KeywayCrypto
import Synchronization

@testable import AutoFillBroker
@testable import BrokerBase

/// A source of the store key that a test commands.
final class ScriptedStoreKey: StoreKeySource {
    private struct State {
        var key: SecretKey?
        var count = 0
    }

    private let state: Mutex<State>

    init(_ seed: UInt8? = 1) {
        state = Mutex(State(key: seed.map(Self.key)))
    }

    static func key(_ seed: UInt8) -> SecretKey {
        SecretKey(SecretBytes(copying: [UInt8](repeating: seed, count: SecretKey.count)))
    }

    /// How often it was asked.
    var count: Int { state.withLock { $0.count } }

    /// From now on the key is made of `seed`; nil takes it away.
    func set(_ seed: UInt8?) {
        state.withLock { $0.key = seed.map(Self.key) }
    }

    func fetch() async -> StoreKeyAnswer {
        let key = state.withLock { state in
            state.count += 1
            return state.key
        }
        return StoreKeyAnswer(key: key, source: .file, detail: key == nil ? "No key today." : nil)
    }
}

extension SettingsSeal {
    /// A seal whose key is made of `seed`, with a register in `folder`.
    static func opened(_ seed: UInt8 = 1, registerIn folder: String? = nil) -> SettingsSeal {
        let seal = SettingsSeal(log: EventLog { _ in })
        if let folder { seal.keepRegister(in: folder) }
        seal.open(with: ScriptedStoreKey.key(seed))
        return seal
    }
}
