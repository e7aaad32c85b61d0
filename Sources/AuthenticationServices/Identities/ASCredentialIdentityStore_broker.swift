import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem

/// How the identity store is reached: through the broker, in parts that fit a frame.
extension ASCredentialIdentityStore {
    static let processStore = ASCredentialIdentityStore()

    /// Asks the broker; a store that nobody keeps takes nothing.
    func readState() async -> ASCredentialIdentityStoreState {
        guard let connection = try? await broker.connection(),
            let state = try? await connection.call(AutoFillProtocol.IdentityStoreState.self, Nothing())
        else { return ASCredentialIdentityStoreState() }
        return ASCredentialIdentityStoreState(
            isEnabled: state.isEnabled, supportsIncrementalUpdates: state.supportsIncrementalUpdates)
    }

    // MARK: Writing

    nonisolated(nonsending) func write(
        _ operation: WriteIdentities.Operation, _ identities: [any ASCredentialIdentity]
    ) async throws {
        try await send(operation, try identities.map { try CredentialIdentity($0) })
    }

    func write(
        _ operation: WriteIdentities.Operation, _ identities: [any ASCredentialIdentity],
        _ completion: ((Bool, (any Error)?) -> Void)?
    ) {
        let wire = Result { try identities.map { try CredentialIdentity($0) } }
        deliver({ (error: ASCredentialIdentityStoreError?) in completion?(error == nil, error) }) {
            do {
                try await self.send(operation, try wire.get())
                return nil
            } catch {
                return error as? ASCredentialIdentityStoreError ?? ASCredentialIdentityStoreError(.internalError)
            }
        }
    }

    private func send(_ operation: WriteIdentities.Operation, _ identities: [CredentialIdentity]) async throws {
        do {
            let connection = try await broker.connection()
            var write: Int?
            var parts = IdentityParts(identities)
            repeat {
                let part = parts.next()
                let parameters = WriteIdentities.Parameters(
                    operation: operation, identities: part, write: write, isLast: parts.isAtEnd)
                write = try await connection.call(WriteIdentities.self, parameters).write
            } while !parts.isAtEnd
        } catch let error as ProtocolError {
            throw ASCredentialIdentityStoreError(error)
        }
    }

    // MARK: Reading

    func read(
        _ service: ASCredentialServiceIdentifier?, _ types: IdentityTypes
    ) async -> [any ASCredentialIdentity] {
        let kinds = CredentialKind.kinds(types)
        // Kinds that this release does not know: there are none of them, which is not the same as no wish.
        guard types.isEmpty || !kinds.isEmpty else { return [] }
        guard let connection = try? await broker.connection() else { return [] }
        var identities: [any ASCredentialIdentity] = []
        var after: Int?
        repeat {
            let page = ReadIdentities.Parameters(
                service: service.map(ServiceIdentifier.init), kinds: kinds, after: after)
            guard let result = try? await connection.call(ReadIdentities.self, page) else { return [] }
            identities += result.identities.compactMap { try? $0.value() }
            after = result.next
        } while after != nil
        return identities
    }

    // MARK: Completion handlers

    /// Runs `body` and hands what it returns to `completion` on the main actor.
    func deliver<Value>(_ completion: @escaping (Value) -> Void, _ body: @escaping @Sendable () async -> sending Value)
    {
        // SAFETY: the handler is called once, on the main actor: what it captured there it may use, and what it captured
        // elsewhere nobody uses at that moment but by the caller's own choice, as with Apple's unannotated handlers.
        nonisolated(unsafe) let completion = completion
        Task {
            let value = await body()
            await MainActor.run { completion(value) }
        }
    }
}

/// Identities in the portions that one frame takes.
private struct IdentityParts {
    /// A quarter of a frame: JSON may write a character with several bytes.
    private static let maximumBytes = 1 << 18

    private var rest: ArraySlice<CredentialIdentity>

    init(_ identities: [CredentialIdentity]) {
        rest = identities[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next portion: at least one identity while there are any.
    mutating func next() -> [CredentialIdentity] {
        var bytes = 0
        let part = rest.prefix(WriteIdentities.Parameters.maximumPart).prefix { identity in
            defer { bytes += identity.roughSize }
            return bytes + identity.roughSize <= Self.maximumBytes || bytes == 0
        }
        rest = rest.dropFirst(part.count)
        return Array(part)
    }
}

extension CredentialIdentity {
    fileprivate var roughSize: Int {
        // In JSON, three bytes of a passkey's identifiers become four.
        let passkey = passkey.map { ($0.credentialID.count + $0.userHandle.count) * 4 / 3 + 60 } ?? 0
        return service.identifier.utf8.count + user.utf8.count + (recordIdentifier?.utf8.count ?? 0) + 120 + passkey
    }
}

extension ASCredentialIdentityStoreError {
    /// What a provider learns of an error of the broker.
    fileprivate init(_ error: ProtocolError) {
        let code: Code =
            switch error.code {
            case .disabled: .storeDisabled
            case .busy, .locked, .tooManyRequests: .storeBusy
            default: .internalError
            }
        self.init(code, userInfo: [NSLocalizedDescriptionKey: error.message])
    }
}
