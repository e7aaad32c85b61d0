import Synchronization

/// The connection to the broker of a provider's extension, where other modules of the process find it.
package enum ProviderChannel {
    /// Gives the connection, once it has been greeted.
    package typealias Source = @Sendable () async throws -> Connection

    private static let source = Mutex<Source?>(nil)

    /// From now on `source` gives the connection; nil in a process that is no extension.
    package static func set(_ new: Source?) {
        source.withLock { $0 = new }
    }

    /// What gives the connection; nil in a process that is no extension.
    package static var current: Source? { source.withLock { $0 } }
}
