import CSys
import Glibc

/// Stream sockets of this machine: the calls that make them.
package enum LocalSocket {
    /// Two connected ends.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    package static func pair() throws(ProtocolError) -> (OwnedDescriptor, OwnedDescriptor) {
        var ends: [CInt] = [-1, -1]
        try SystemCall.check("socketpair") { csys_socketpair(&ends) }
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }

    /// A socket that listens at `path`, mode 0600, and never blocks in ``accept(_:)``.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`: the path exists, is too long, or its folder is missing.
    package static func listen(at path: String) throws(ProtocolError) -> OwnedDescriptor {
        OwnedDescriptor(try SystemCall.check("listen \(path)") { csys_listen(path, SOMAXCONN) })
    }

    /// A socket connected to `path`; nil when nobody listens there: no file, or one that was left behind.
    ///
    /// - Parameter patience: how many milliseconds whoever listens may take no connection; 0 is as long as it takes.
    /// - Throws: ``ProtocolError`` with the code `system` for anything else.
    package static func connect(
        to path: String, within patience: CInt = 0
    ) throws(ProtocolError) -> OwnedDescriptor? {
        let descriptor = csys_connect(path, patience)
        guard descriptor < 0 else { return OwnedDescriptor(descriptor) }
        guard errno == ENOENT || errno == ECONNREFUSED else { throw .system("connect \(path)", errno) }
        return nil
    }

    /// The next connection that waits at a listening socket; nil when none does.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`, as when no descriptor is left.
    package static func accept(_ listening: OwnedDescriptor) throws(ProtocolError) -> OwnedDescriptor? {
        let descriptor = csys_accept(listening.rawValue)
        guard descriptor < 0 else { return OwnedDescriptor(descriptor) }
        guard [EAGAIN, EWOULDBLOCK, ECONNABORTED].contains(errno) else { throw .system("accept", errno) }
        return nil
    }

    // MARK: Bytes and descriptors

    /// The most descriptors that go beside the bytes of one call.
    package static let maximumDescriptors = Int(CSYS_MAX_DESCRIPTORS)

    /// What one call brought.
    package struct Received {
        /// How many bytes; 0 at the end of the stream, or where the call failed.
        package let count: Int
        /// What came beside them.
        package let descriptors: [OwnedDescriptor]
        /// Whether descriptors were lost.
        package let isTruncated: Bool
    }

    /// Reads once what is there (recvmsg(2)); nil when nothing is.
    package static func receive(
        from descriptor: OwnedDescriptor, into buffer: UnsafeMutableRawBufferPointer
    ) -> Received? {
        var numbers = [CInt](repeating: -1, count: maximumDescriptors)
        var count = 0
        var truncated: CInt = 0
        let received =
            buffer.baseAddress.map {
                csys_receive(descriptor.rawValue, $0, buffer.count, &numbers, numbers.count, &count, &truncated)
            } ?? 0
        if received < 0, errno == EAGAIN || errno == EWOULDBLOCK { return nil }
        return Received(
            count: max(0, received), descriptors: numbers[..<count].map(OwnedDescriptor.init),
            isTruncated: truncated != 0)
    }

    /// Writes what the socket takes now (sendmsg(2)); 0 when it takes nothing, nil when the peer is gone.
    package static func send(
        _ bytes: UnsafeRawBufferPointer, beside descriptors: [OwnedDescriptor], to descriptor: OwnedDescriptor
    ) -> Int? {
        guard let base = bytes.baseAddress else { return 0 }
        let numbers = descriptors.map(\.rawValue)
        let sent = csys_send(descriptor.rawValue, base, bytes.count, numbers, numbers.count)
        if sent >= 0 { return sent }
        return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : nil
    }
}
