import CSystemd
import Dispatch
import Glibc

/// One connection to the system bus (`DBUS_SYSTEM_BUS_ADDRESS`, or the usual place).
///
/// Calls block for at most ``patience``: whoever uses one does so on a queue of its own.
// SAFETY: libsystemd's objects belong to one thread at a time; every member is used on `queue` only, checked at entry.
final class SystemBus: @unchecked Sendable {
    /// How long a call may take, in microseconds.
    private static let patience: UInt64 = 3_000_000

    private let bus: OpaquePointer
    private let queue: DispatchQueue
    private var source: (any DispatchSourceRead)?
    private var receivers: [Receiver] = []

    /// What a signal is handed to.
    private final class Receiver {
        let body: (BusMessage) -> Void

        init(_ body: @escaping (BusMessage) -> Void) {
            self.body = body
        }
    }

    /// Connects to the system bus, or to the bus at `address`.
    ///
    /// - Throws: ``LoginMonitorError`` with the code `noBus`.
    init(address: String?, queue: DispatchQueue) throws(LoginMonitorError) {
        dispatchPrecondition(condition: .onQueue(queue))
        bus = if let address { try Self.open(address) } else { try Self.openSystem() }
        self.queue = queue
        sd_bus_set_method_call_timeout(bus, Self.patience)
        sd_bus_set_exit_on_disconnect(bus, 0)
    }

    deinit {
        sd_bus_close_unref(bus)
    }

    private static func openSystem() throws(LoginMonitorError) -> OpaquePointer {
        var opened: OpaquePointer?
        let result = sd_bus_open_system(&opened)
        guard result >= 0, let opened else { throw LoginMonitorError(.noBus, errorText(-result)) }
        return opened
    }

    private static func open(_ address: String) throws(LoginMonitorError) -> OpaquePointer {
        var made: OpaquePointer?
        var result = sd_bus_new(&made)
        guard result >= 0, let made else { throw LoginMonitorError(.noBus, errorText(-result)) }
        result = sd_bus_set_address(made, address)
        if result >= 0 { result = sd_bus_set_bus_client(made, 1) }
        if result >= 0 { result = sd_bus_negotiate_fds(made, 1) }
        if result >= 0 { result = sd_bus_start(made) }
        guard result >= 0 else {
            sd_bus_close_unref(made)
            throw LoginMonitorError(.noBus, errorText(-result))
        }
        return made
    }

    /// Hands every signal that fits `rule` to `body`, on the queue, once ``listen(onEnd:)`` was called.
    func subscribe(_ rule: String, _ body: @escaping (BusMessage) -> Void) throws(LoginMonitorError) {
        dispatchPrecondition(condition: .onQueue(queue))
        let receiver = Receiver(body)
        receivers.append(receiver)
        let result = sd_bus_add_match(
            bus, nil, rule,
            { message, context, _ in
                guard let message, let context else { return 0 }
                Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().body(BusMessage(pointer: message))
                return 0
            }, Unmanaged.passUnretained(receiver).toOpaque())
        guard result >= 0 else { throw LoginMonitorError(.noBus, "AddMatch: \(errorText(-result))") }
    }

    /// Calls a method whose arguments are strings, and lends the answer to `read`.
    ///
    /// - Throws: ``LoginMonitorError`` with the code `callFailed`, or what `read` throws.
    func call<Result>(
        _ object: BusObject, _ member: String, _ arguments: [String],
        _ read: (BusMessage) throws(LoginMonitorError) -> Result
    ) throws(LoginMonitorError) -> Result {
        dispatchPrecondition(condition: .onQueue(queue))
        var made: OpaquePointer?
        var status = sd_bus_message_new_method_call(
            bus, &made, object.service, object.path, object.interface, member)
        guard status >= 0, let made else { throw LoginMonitorError(.callFailed, "\(member): \(errorText(-status))") }
        defer { sd_bus_message_unref(made) }
        for argument in arguments where status >= 0 {
            status = argument.withCString { sd_bus_message_append_basic(made, BusType.string, $0) }
        }
        var answer: OpaquePointer?
        if status >= 0 { status = sd_bus_call(bus, made, 0, nil, &answer) }
        guard status >= 0, let answer else {
            throw LoginMonitorError(.callFailed, "\(member): \(errorText(-status))")
        }
        defer { sd_bus_message_unref(answer) }
        return try read(BusMessage(pointer: answer))
    }

    /// Starts to hear signals; `onEnd` is called on the queue when the bus goes away.
    func listen(onEnd: @escaping @Sendable (LoginMonitorError) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        let source = DispatchSource.makeReadSource(fileDescriptor: sd_bus_get_fd(bus), queue: queue)
        source.setEventHandler { [weak self] in self?.process(onEnd) }
        self.source = source
        source.activate()
        // Signals that arrived while a call waited for its answer stand in the library's own queue, not in the socket.
        process(onEnd)
    }

    /// Handles what has arrived.
    func process(_ onEnd: @Sendable (LoginMonitorError) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        while true {
            let result = sd_bus_process(bus, nil)
            if result == 0 { return }
            guard result > 0 else {
                stop()
                return onEnd(LoginMonitorError(.noBus, errorText(-result)))
            }
        }
    }

    /// Stops to hear signals.
    func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        source?.cancel()
        source = nil
    }
}

/// One interface of one object on the bus.
struct BusObject {
    let service: String
    let path: String
    let interface: String
}
