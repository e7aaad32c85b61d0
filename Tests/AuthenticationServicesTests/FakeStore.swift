import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization

/// The broker's identity store, as little of it as the API must be able to tell apart.
final class FakeStore: Sendable {
    private struct State {
        var identities: [CredentialIdentity] = []
        var open: [Int: [CredentialIdentity]] = [:]
        var parts: [Int] = []
        var failure: ProtocolError?
        var isEnabled = true
    }

    private let state = Mutex(State())
    private let pageSize: Int

    /// An empty store that answers `pageSize` identities at a time.
    init(pageSize: Int = 1000) {
        self.pageSize = pageSize
    }

    /// What is stored.
    var identities: [CredentialIdentity] { state.withLock { $0.identities } }

    /// How many identities each part of the writes had.
    var parts: [Int] { state.withLock { $0.parts } }

    /// Makes every later call fail.
    func fail(with error: ProtocolError) { state.withLock { $0.failure = error } }

    /// Turns the provider off.
    func disable() { state.withLock { $0.isEnabled = false } }

    var methods: MethodTable {
        var table = MethodTable()
        table.on(IdentityStoreState.self) { _, _ in
            try self.state.withLock { state in
                if let failure = state.failure { throw failure }
                return .init(isEnabled: state.isEnabled, supportsIncrementalUpdates: !state.identities.isEmpty)
            }
        }
        table.on(WriteIdentities.self) { parameters, _ in try self.write(parameters) }
        table.on(ReadIdentities.self) { parameters, _ in try self.read(parameters) }
        return table
    }

    private func write(_ part: WriteIdentities.Parameters) throws -> WriteIdentities.Result {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.parts.append(part.identities.count)
            let number = part.write ?? state.parts.count
            let all = (state.open.removeValue(forKey: number) ?? []) + part.identities
            guard part.isLast else {
                state.open[number] = all
                return .init(write: number)
            }
            let others = state.identities.filter { old in
                !all.contains { ($0.kind, $0.recordIdentifier) == (old.kind, old.recordIdentifier) }
            }
            switch part.operation {
            case .replace: state.identities = all
            case .save: state.identities = others + all
            case .remove: state.identities = others
            }
            return .init(write: nil)
        }
    }

    private func read(_ parameters: ReadIdentities.Parameters) throws -> ReadIdentities.Result {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            let found = state.identities.filter {
                (parameters.service == nil || $0.service == parameters.service)
                    && (parameters.kinds.isEmpty || parameters.kinds.contains($0.kind))
            }
            let start = parameters.after ?? 0
            let end = min(start + pageSize, found.count)
            return .init(identities: Array(found[start..<end]), next: end < found.count ? end : nil)
        }
    }
}
