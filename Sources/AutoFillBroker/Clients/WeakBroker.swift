import Synchronization

/// The broker, for what it is made of and must not keep it.
final class WeakBroker: Sendable {
    private struct Reference {
        weak var broker: Broker?
    }

    private let reference = Mutex(Reference())

    /// The broker; nil before it is made and when it is gone.
    var broker: Broker? { reference.withLock { $0.broker } }

    /// From now on it is `broker`.
    func set(_ broker: Broker) { reference.withLock { $0.broker = broker } }
}
