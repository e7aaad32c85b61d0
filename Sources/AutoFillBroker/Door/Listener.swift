package import BrokerBase
import Dispatch
import Glibc
package import KeywaySystem
import Synchronization

/// Accepts connections on the broker's socket.
package final class Listener: Sendable {
    // SAFETY: a source of libdispatch may be used from any thread; its type only lacks the word.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    /// How long nothing is accepted when no descriptor is left.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    private let descriptor: OwnedDescriptor
    private let log: EventLog
    private let queue = DispatchQueue(label: "org.keyway.door")
    private let source = Mutex<Source?>(nil)

    /// A listener on a socket that listens and never blocks.
    package init(descriptor: OwnedDescriptor, log: EventLog) {
        self.descriptor = descriptor
        self.log = log
    }

    /// Hands every connection to `handler` until ``stop()``.
    package func start(_ handler: @escaping @Sendable (OwnedDescriptor) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.rawValue, queue: queue)
        source.setEventHandler { self.acceptWaiting(handler) }
        source.setCancelHandler { _ = self.descriptor }
        self.source.withLock { $0 = Source(source: source) }
        source.activate()
    }

    /// Accepts nothing any more.
    package func stop() {
        let source = source.withLock { source in
            defer { source = nil }
            return source
        }
        source?.source.cancel()
    }

    private func acceptWaiting(_ handler: (OwnedDescriptor) -> Void) {
        do {
            while let socket = try LocalSocket.accept(descriptor) { handler(socket) }
        } catch {
            log("no connection can be accepted now: \(error.message)")
            guard let source = source.withLock({ $0 }) else { return }
            source.source.suspend()
            queue.asyncAfter(deadline: .now() + Self.pause) { source.source.resume() }
        }
    }
}
