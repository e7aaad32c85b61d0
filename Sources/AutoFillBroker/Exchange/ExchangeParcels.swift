import AutoFillWire
import BrokerBase
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import Synchronization

/// Credentials on their way from one provider to another: a sealed memory file under a token, which nobody reads here.
///
/// A token is good once, for a short time, and for the provider that the person chose. Whoever asks with any other learns
/// one thing, whatever was wrong.
final class ExchangeParcels: Sendable {
    /// How long a parcel waits for the app that is to take it, and for the person to unlock what it needs.
    static let life = Duration.seconds(600)
    /// The most parcels that wait: each may be a whole vault.
    static let most = 4

    /// Credentials that wait, and what is noted when they are given.
    private struct Parcel {
        let data: Attachment
        let destination: String
        let made: MonotonicTime
        let onTaken: @Sendable () -> Void
    }

    private struct State {
        var waiting: [UUID: Parcel] = [:]
        var taken: Set<UUID> = []
        /// Whether the session is locked: nobody takes anything meanwhile.
        var isHeld = false
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextWaiter = 0
    }

    private let clock: any TimeSource
    private let random: any RandomSource
    private let state = Mutex(State())

    init(clock: any TimeSource, random: any RandomSource) {
        self.clock = clock
        self.random = random
    }

    /// Keeps `data` for the provider `destination`; `onTaken` is called once, when it is given to it.
    ///
    /// - Returns: the token, until ``remove(_:)``.
    /// - Throws: ``ProtocolError``: `busy` when too many wait, `invalidParameters` for what is no sealed memory file.
    func put(
        _ data: Attachment, for destination: String, onTaken: @escaping @Sendable () -> Void = {}
    ) throws(ProtocolError) -> UUID {
        // Its seals and its length are looked at, never what it holds.
        _ = try SealedDocument(received: data.descriptor)
        let token = makeToken()
        let parcel = Parcel(
            data: data, destination: destination, made: clock.nowWithSleep, onTaken: onTaken)
        let isKept = state.withLock { state in
            guard state.waiting.count < Self.most else { return false }
            state.waiting[token] = parcel
            return true
        }
        guard isKept else { throw ProtocolError(.busy, "Other accounts are on their way already. Try again later.") }
        return token
    }

    /// Takes what waits under `token` for the provider `destination`: nobody gets it a second time. While the session is
    /// locked this waits, as long as the parcel does.
    ///
    /// - Throws: ``ProtocolError``: `notFound` for every token that is not good here and now, in one wording; `cancelled`.
    func take(_ token: String, for destination: String) async throws(ProtocolError) -> Attachment {
        try await waitUntilReleased()
        let now = clock.nowWithSleep
        let parcel = state.withLock { state -> Parcel? in
            guard let token = UUID(uuidString: token), let parcel = state.waiting[token],
                parcel.destination == destination, now.since(parcel.made) < Self.life
            else { return nil }
            state.waiting[token] = nil
            state.taken.insert(token)
            return parcel
        }
        guard let parcel else { throw Self.nothing }
        parcel.onTaken()
        return parcel.data
    }

    /// Whether what waited under `token` was given.
    func isTaken(_ token: UUID) -> Bool { state.withLock { $0.taken.contains(token) } }

    /// Ends `token`: nobody gets anything by it any more.
    func remove(_ token: UUID) {
        state.withLock { state in
            state.waiting[token] = nil
            state.taken.remove(token)
        }
    }

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.count } }

    /// What is said of every token that is not good.
    static var nothing: ProtocolError { ProtocolError(.notFound, "No accounts wait under this token.") }

    // MARK: - While the session is locked

    /// From now on nobody takes anything, until ``release()``.
    func hold() {
        state.withLock { $0.isHeld = true }
    }

    /// Whoever waits may take what is theirs.
    func release() {
        let waiters = state.withLock { state in
            state.isHeld = false
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.finish() }
    }

    private func waitUntilReleased() async throws(ProtocolError) {
        let (releases, waiter) = AsyncStream.makeStream(of: Void.self)
        let number = state.withLock { state -> Int? in
            guard state.isHeld else { return nil }
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = waiter
            return state.nextWaiter
        }
        guard let number else { return }
        defer { state.withLock { $0.waiters[number] = nil } }
        do throws(ProtocolError) {
            // No parcel waits longer.
            try await Deadline.run(Self.life, clock, "") { for await _ in releases {} }
        } catch {
            throw error.code == .timedOut ? Self.nothing : error
        }
        if Task.isCancelled { throw ProtocolError(.cancelled, "The request was cancelled.") }
    }

    private func makeToken() -> UUID {
        let bytes = random.bytes(16)
        // RFC 9562: version 4, of random bits.
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6] & 0x0F | 0x40, bytes[7],
                bytes[8] & 0x3F | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
