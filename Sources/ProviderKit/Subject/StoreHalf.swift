import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization

/// The system's half of the identity store, kept in memory, and what the provider did with it.
final class StoreHalf: Sendable {
    /// One call of the provider, in order.
    enum Call: Hashable, Sendable {
        case state
        case write(WriteIdentities.Operation, count: Int, isFirstPart: Bool, wasEmpty: Bool)
        case read
    }

    /// How the store answers.
    enum Mood: Sendable {
        case enabled
        case disabled
        case busy
    }

    private struct OpenWrite {
        let operation: WriteIdentities.Operation
        var identities: [CredentialIdentity]
    }

    private struct State {
        var mood: Mood
        var identities: [CredentialIdentity] = []
        var everWritten: Set<CredentialIdentity> = []
        var calls: [Call] = []
        var open: [Int: OpenWrite] = [:]
        var nextWrite = 1
        var isWritten = false
    }

    private let state: Mutex<State>

    /// An empty store.
    init(_ mood: Mood = .enabled) {
        state = Mutex(State(mood: mood))
    }

    /// What the provider did so far.
    var calls: [Call] { state.withLock { $0.calls } }
    /// What the store holds.
    var identities: [CredentialIdentity] { state.withLock { $0.identities } }
    /// What was ever written into it.
    var everWritten: Set<CredentialIdentity> { state.withLock { $0.everWritten } }
    /// Whether a write has taken effect.
    var isWritten: Bool { state.withLock { $0.isWritten } }

    /// From now on the store answers like this.
    func turn(_ mood: Mood) {
        state.withLock { $0.mood = mood }
    }

    /// Answers the methods of the identity store.
    func add(to table: inout MethodTable) {
        table.on(IdentityStoreState.self) { _, _ in self.answerState() }
        table.on(WriteIdentities.self) { parameters, _ in try self.write(parameters) }
        table.on(ReadIdentities.self) { _, _ in self.read() }
    }

    private func answerState() -> IdentityStoreState.Result {
        state.withLock { state in
            state.calls.append(.state)
            if case .disabled = state.mood { return .init(isEnabled: false, supportsIncrementalUpdates: false) }
            return .init(isEnabled: true, supportsIncrementalUpdates: !state.identities.isEmpty)
        }
    }

    private func read() -> ReadIdentities.Result {
        state.withLock { state in
            state.calls.append(.read)
            return ReadIdentities.Result(identities: Array(state.identities.prefix(1000)), next: nil)
        }
    }

    private func write(_ parameters: WriteIdentities.Parameters) throws(ProtocolError) -> WriteIdentities.Result {
        let result = state.withLock { state -> Result<Int?, ProtocolError> in
            state.calls.append(
                .write(
                    parameters.operation, count: parameters.identities.count, isFirstPart: parameters.write == nil,
                    wasEmpty: state.identities.isEmpty))
            state.everWritten.formUnion(parameters.identities)
            switch state.mood {
            case .disabled:
                return .failure(ProtocolError(.disabled, "The provider is not turned on, so it has no store."))
            case .busy: return .failure(ProtocolError(.busy, "The store is busy: try again."))
            case .enabled: break
            }
            return Self.take(parameters, &state)
        }
        return WriteIdentities.Result(write: try result.get())
    }

    private static func take(
        _ parameters: WriteIdentities.Parameters, _ state: inout State
    ) -> Result<Int?, ProtocolError> {
        guard parameters.identities.count <= WriteIdentities.Parameters.maximumPart else {
            return .failure(ProtocolError(.invalidParameters, "A part has too many identities."))
        }
        let number = parameters.write ?? state.nextWrite
        if parameters.write == nil { state.nextWrite += 1 }
        var write = state.open.removeValue(forKey: number) ?? OpenWrite(operation: parameters.operation, identities: [])
        write.identities += parameters.identities
        guard parameters.isLast else {
            state.open[number] = write
            return .success(number)
        }
        switch write.operation {
        case .replace: state.identities = write.identities
        case .save: state.identities = state.identities.filter { !write.identities.contains($0) } + write.identities
        case .remove: state.identities.removeAll { write.identities.contains($0) }
        }
        state.isWritten = true
        return .success(nil)
    }
}
