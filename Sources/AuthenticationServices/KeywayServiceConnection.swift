package import AutoFillProtocol

/// A connected stream socket to the long-running half of a provider's own bundle.
///
/// What is spoken over it is the provider's affair. The socket is closed when the last reference to this object goes.
public final class KeywayServiceConnection: Sendable {
    /// The descriptor, for the system's calls.
    package let descriptor: OwnedDescriptor

    /// A connection over `descriptor`.
    package init(_ descriptor: OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// The number of the socket's descriptor, valid while this object lives; close-on-exec. Do not close it.
    public var fileDescriptor: Int32 { descriptor.rawValue }
}
