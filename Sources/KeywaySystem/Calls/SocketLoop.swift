import CSys
import Glibc
import Synchronization

/// Waits for all sockets of the process on one thread (epoll(7)), and tells each owner on that thread what its socket can do.
///
/// One thread reads for every connection: a frame costs microseconds, and order needs no thought. Whoever is told must
/// not wait for anything. What a socket can do is told again until it was done, so nobody has to read until
/// nothing is there.
///
/// libdispatch could wait, too, but it asks the kernel for eight things more for each message and wakes one thread more
/// (Docs/decisions/0063-one-thread-for-sockets.md).
package final class SocketLoop: Sendable {
    /// The one of this process.
    package static let shared = SocketLoop()

    /// What a socket can do now.
    package struct Readiness: OptionSet {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// There is something to read, or the stream has ended.
        package static let reading = Readiness(rawValue: 1)
        /// It takes bytes.
        package static let writing = Readiness(rawValue: 2)
    }

    /// Is told what a socket can do.
    package typealias Handler = @Sendable (Readiness) -> Void

    /// A socket that is waited for.
    package struct Registration: Hashable, Sendable {
        fileprivate let number: UInt64
        fileprivate let descriptor: CInt
    }

    private struct State {
        var handlers: [UInt64: Handler] = [:]
        var last: UInt64 = 0
    }

    /// How many sockets are told of at a time.
    private static let eventsAtOnce = 64

    private let epoll: OwnedDescriptor
    private let state = Mutex(State())

    private init() {
        let descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        precondition(descriptor >= 0, "no descriptor is left")
        epoll = OwnedDescriptor(descriptor)
        SystemThread.start(serve)
    }

    /// Calls `handler` whenever there is something to read, until ``remove(_:)``.
    ///
    /// - Returns: nil where the kernel waits for no more sockets.
    package func add(_ descriptor: OwnedDescriptor, _ handler: @escaping Handler) -> Registration? {
        let registration = state.withLock { state in
            state.last += 1
            state.handlers[state.last] = handler
            return Registration(number: state.last, descriptor: descriptor.rawValue)
        }
        guard control(EPOLL_CTL_ADD, registration, EPOLLIN.rawValue) else {
            state.withLock { _ = $0.handlers.removeValue(forKey: registration.number) }
            return nil
        }
        return registration
    }

    /// Tells also, or no longer, when the socket takes bytes.
    package func setWaitsToWrite(_ waits: Bool, _ registration: Registration) {
        _ = control(EPOLL_CTL_MOD, registration, EPOLLIN.rawValue | (waits ? EPOLLOUT.rawValue : 0))
    }

    /// Tells no more. To be called while the descriptor is open.
    package func remove(_ registration: Registration) {
        _ = control(EPOLL_CTL_DEL, registration, 0)
        // Ends after the lock was let go of: it may hold the last reference to a socket.
        let handler = state.withLock { $0.handlers.removeValue(forKey: registration.number) }
        withExtendedLifetime(handler) {}
    }

    private func control(_ operation: CInt, _ registration: Registration, _ events: UInt32) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(u64: registration.number))
        return epoll_ctl(epoll.rawValue, operation, registration.descriptor, &event) == 0
    }

    private func serve() {
        var events = [epoll_event](repeating: epoll_event(), count: Self.eventsAtOnce)
        while true {
            let count = epoll_wait(epoll.rawValue, &events, CInt(events.count), -1)
            for event in events.prefix(max(0, Int(count))) {
                // It may have been removed since the kernel told.
                guard let handler = state.withLock({ $0.handlers[event.data.u64] }) else { continue }
                var readiness: Readiness = []
                if event.events & ~EPOLLOUT.rawValue != 0 { readiness.insert(.reading) }
                if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writing) }
                handler(readiness)
            }
        }
    }
}
