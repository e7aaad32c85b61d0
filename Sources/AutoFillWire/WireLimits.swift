import KeywaySystem

/// Bounds that a connection holds its peer to.
package struct WireLimits: Sendable {
    /// The most bytes of JSON in one frame: 1 MiB, what browsers accept from a native host.
    package var frameBytes = 1 << 20
    /// How deeply objects and arrays may stand in one another.
    package var nesting = 32
    /// Requests of the peer that may be unanswered at one time.
    package var requestsInFlight = 64
    /// Bytes that may wait for a peer that does not read.
    package var waitingBytes = 8 << 20
    /// The most descriptors beside one frame: what goes into one call of sendmsg(2).
    package var frameDescriptors = LocalSocket.maximumDescriptors
    /// Descriptors that may have arrived without a frame that claims them.
    package var waitingDescriptors = 128

    /// The bounds of the protocol.
    package init() {}
}
