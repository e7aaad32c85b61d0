import Glibc
import Synchronization
import Testing

@testable import KeywaySystem

/// One thread that waits for all sockets.
@Suite
struct SocketLoopTests {
    /// What a handler was told, and how somebody waits for it.
    private final class Told: Sendable {
        private let state = Mutex<(count: Int, waiting: [CheckedContinuation<Void, Never>])>((0, []))

        var count: Int { state.withLock { $0.count } }

        func note() {
            let waiting = state.withLock { state in
                state.count += 1
                defer { state.waiting = [] }
                return state.waiting
            }
            for each in waiting { each.resume() }
        }

        /// Waits until something was told after `before` times.
        func wait(after before: Int) async {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.count <= before { state.waiting.append(continuation) }
                    return state.count > before
                }
                if isThere { continuation.resume() }
            }
        }
    }

    private static func write(_ count: Int, to end: OwnedDescriptor) -> Int {
        Glibc.write(end.rawValue, [UInt8](repeating: 7, count: count), count)
    }

    private static func read(_ count: Int, from end: OwnedDescriptor) -> Int {
        var buffer = [UInt8](repeating: 0, count: count)
        return Glibc.recv(end.rawValue, &buffer, count, CInt(MSG_DONTWAIT))
    }

    @Test
    func whatIsNotReadIsToldAgain() async throws {
        let (ours, theirs) = try LocalSocket.pair()
        let told = Told()
        let registration = try #require(
            SocketLoop.shared.add(ours) { readiness in
                guard readiness.contains(.reading) else { return }
                _ = Self.read(1, from: ours)
                told.note()
            })
        #expect(Self.write(3, to: theirs) == 3)
        for before in 0..<3 { await told.wait(after: before) }
        SocketLoop.shared.remove(registration)
    }

    @Test
    func theEndOfTheStreamIsSomethingToRead() async throws {
        let (ours, theirs) = try LocalSocket.pair()
        let told = Told()
        let registration = try #require(
            SocketLoop.shared.add(ours) { readiness in
                if readiness.contains(.reading), Self.read(1, from: ours) == 0 { told.note() }
            })
        shutdown(theirs.rawValue, CInt(SHUT_RDWR))
        await told.wait(after: 0)
        SocketLoop.shared.remove(registration)
    }

    @Test
    func thatASocketTakesBytesIsToldOnlyWhereItIsWanted() async throws {
        let (ours, theirs) = try LocalSocket.pair()
        let (readable, writable) = (Told(), Told())
        let registration = try #require(
            SocketLoop.shared.add(ours) { readiness in
                if readiness.contains(.writing) { writable.note() }
                guard readiness.contains(.reading) else { return }
                _ = Self.read(1, from: ours)
                readable.note()
            })
        #expect(Self.write(1, to: theirs) == 1)
        await readable.wait(after: 0)
        #expect(writable.count == 0)
        SocketLoop.shared.setWaitsToWrite(true, registration)
        await writable.wait(after: 0)
        SocketLoop.shared.remove(registration)
    }

    @Test
    func whoWasRemovedIsToldNothing() async throws {
        let (ours, theirs) = try LocalSocket.pair()
        let (other, others) = try LocalSocket.pair()
        let (removed, told) = (Told(), Told())
        let registration = try #require(SocketLoop.shared.add(ours) { _ in removed.note() })
        SocketLoop.shared.remove(registration)
        let second = try #require(
            SocketLoop.shared.add(other) { _ in
                _ = Self.read(1, from: other)
                told.note()
            })
        #expect(Self.write(1, to: theirs) == 1)
        #expect(Self.write(1, to: others) == 1)
        await told.wait(after: 0)
        #expect(removed.count == 0)
        SocketLoop.shared.remove(second)
    }

    @Test
    func theOwnerOfARemovedSocketIsLetGo() async throws {
        let (ours, theirs) = try LocalSocket.pair()
        weak var kept: OwnedDescriptor?
        do {
            let owned = OwnedDescriptor(dup(ours.rawValue))
            kept = owned
            let registration = try #require(SocketLoop.shared.add(owned) { _ in _ = owned })
            SocketLoop.shared.remove(registration)
        }
        #expect(kept == nil)
        withExtendedLifetime(theirs) {}
    }

    @Test
    func itsThreadTakesNoSignals() async throws {
        let (ours, theirs) = try LocalSocket.pair()
        let blocked = Mutex<Bool?>(nil)
        let told = Told()
        let registration = try #require(
            SocketLoop.shared.add(ours) { _ in
                _ = Self.read(1, from: ours)
                var mask = sigset_t()
                pthread_sigmask(SIG_SETMASK, nil, &mask)
                blocked.withLock { $0 = sigismember(&mask, SIGTERM) == 1 }
                told.note()
            })
        #expect(Self.write(1, to: theirs) == 1)
        await told.wait(after: 0)
        #expect(blocked.withLock { $0 } == true)
        SocketLoop.shared.remove(registration)
    }
}
