import CSystemd
package import Dispatch
import Glibc
import KeywaySystem

/// One connection to a bus.
///
/// Calls block for at most ``patience``: whoever uses one does so on a queue of its own. What takes as long as a person
/// does is begun with ``begin(_:_:_:timeout:onAnswer:)``.
// SAFETY: libsystemd's objects belong to one thread at a time; every member is used on `queue` only, checked at entry.
package final class BusConnection: @unchecked Sendable {
    /// How long a call may take, in microseconds.
    private static let patience: UInt64 = 3_000_000

    private let handle: Handle
    private var bus: OpaquePointer { handle.bus }
    private let queue: DispatchQueue
    private var source: (any DispatchSourceRead)?
    private var timer: (any DispatchSourceTimer)?
    private var receivers: [Receiver] = []
    private var calls: [Int: PendingCall] = [:]
    private var nextCall = 0
    private var onEnd: (@Sendable (BusError) -> Void)?

    /// The library's connection, closed when nothing watches its descriptor any more: the kernel would go on to tell
    /// libdispatch of one that was closed before while a process that is being started holds a copy of it.
    // SAFETY: made and given up on the queue of the connection only.
    private final class Handle: @unchecked Sendable {
        let bus: OpaquePointer

        init(_ bus: OpaquePointer) {
            self.bus = bus
        }

        deinit { sd_bus_close_unref(bus) }
    }

    /// What a signal is handed to.
    private final class Receiver {
        let body: (BusMessage) -> Void

        init(_ body: @escaping (BusMessage) -> Void) {
            self.body = body
        }
    }

    /// Who waits for the answer to a call.
    private final class PendingCall {
        var slot: OpaquePointer?
        let body: (Result<BusMessage, BusError>) -> Void

        init(_ body: @escaping (Result<BusMessage, BusError>) -> Void) {
            self.body = body
        }
    }

    /// Connects to the bus that is meant.
    ///
    /// - Throws: ``BusError`` with the code `noBus`.
    package init(_ place: BusPlace, queue: DispatchQueue) throws(BusError) {
        dispatchPrecondition(condition: .onQueue(queue))
        let bus =
            switch place {
            case .system: try Self.start(on: SystemBusSocket.open())
            case .socket(let socket): try Self.start(on: socket)
            case .address(let address): try Self.start { sd_bus_set_address($0, address) }
            }
        handle = Handle(bus)
        self.queue = queue
        sd_bus_set_method_call_timeout(bus, Self.patience)
        sd_bus_set_exit_on_disconnect(bus, 0)
    }

    deinit {
        for call in calls.values { sd_bus_slot_unref(call.slot) }
        source?.cancel()
    }

    /// Begins to speak on a socket that is connected to a bus.
    private static func start(on socket: OwnedDescriptor) throws(BusError) -> OpaquePointer {
        // libsystemd closes the one that it was given.
        let own = fcntl(socket.rawValue, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else { throw BusError(.noBus, errorText(errno)) }
        return try start { made in
            let result = sd_bus_set_fd(made, own, own)
            if result < 0 { close(own) }
            return result
        }
    }

    /// Begins to speak as a client, wherever `aim` says.
    private static func start(_ aim: (OpaquePointer) -> CInt) throws(BusError) -> OpaquePointer {
        var made: OpaquePointer?
        var result = sd_bus_new(&made)
        guard result >= 0, let made else { throw BusError(.noBus, errorText(-result)) }
        result = aim(made)
        if result >= 0 { result = sd_bus_set_bus_client(made, 1) }
        if result >= 0 { result = sd_bus_negotiate_fds(made, 1) }
        if result >= 0 { result = sd_bus_start(made) }
        guard result >= 0 else {
            sd_bus_close_unref(made)
            throw BusError(.noBus, errorText(-result))
        }
        return made
    }

    /// The name that the bus gave to this connection; empty where it has given none.
    package var uniqueName: String {
        dispatchPrecondition(condition: .onQueue(queue))
        var name: UnsafePointer<CChar>?
        guard sd_bus_get_unique_name(bus, &name) >= 0, let name else { return "" }
        return String(cString: name)
    }

    // MARK: - Signals

    /// Hands every signal of `service` that fits the rest of a rule to `body`, on the queue, once ``listen(onEnd:)`` was
    /// called.
    ///
    /// A bus lets everybody send signals to this very connection, and libsystemd takes a name in a rule for kept, whoever
    /// the sender is. So the bus is asked at each signal who has the name.
    package func subscribe(
        to service: String, _ rule: String, _ body: @escaping (BusMessage) -> Void
    ) throws(BusError) {
        dispatchPrecondition(condition: .onQueue(queue))
        let receiver = Receiver { [weak self] message in
            guard let self, let owner = owner(of: service), message.sender == owner else { return }
            body(message)
        }
        receivers.append(receiver)
        let rule = "type='signal',sender='\(service)',\(rule)"
        let result = sd_bus_add_match(
            bus, nil, rule,
            { message, context, _ in
                guard let message, let context else { return 0 }
                Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().body(BusMessage(pointer: message))
                return 0
            }, Unmanaged.passUnretained(receiver).toOpaque())
        guard result >= 0 else { throw BusError(.noBus, "AddMatch: \(errorText(-result))") }
    }

    /// The name that the bus gave to whoever has the name `service`; nil where nobody has it, or the bus does not say.
    private func owner(of service: String) -> String? {
        try? call(Self.daemon, "GetNameOwner", [.string(service)]) { (answer) throws(BusError) in
            try answer.readString()
        }
    }

    private static let daemon = BusObject(
        service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")

    // MARK: - Calls

    /// Calls a method, waits for the answer, and lends it to `read`.
    ///
    /// - Throws: ``BusError`` with the code `callFailed`, or what `read` throws.
    package func call<Result>(
        _ object: BusObject, _ member: String, _ arguments: [BusValue] = [],
        _ read: (BusMessage) throws(BusError) -> Result
    ) throws(BusError) -> Result {
        dispatchPrecondition(condition: .onQueue(queue))
        let message = try make(object, member, arguments)
        defer {
            sd_bus_message_unref(message)
            processLater()
        }
        var answer: OpaquePointer?
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        let status = sd_bus_call(bus, message, 0, &error, &answer)
        guard status >= 0, let answer else { throw Self.failure(member, status, error) }
        defer { sd_bus_message_unref(answer) }
        return try read(BusMessage(pointer: answer))
    }

    /// Calls a method and does not wait: `onAnswer` is called once, on the queue, while the bus is listened to; never
    /// after ``drop(_:)``.
    ///
    /// - Parameter timeout: after how many seconds that is a failure.
    /// - Returns: the call's number.
    @discardableResult
    package func begin(
        _ object: BusObject, _ member: String, _ arguments: [BusValue] = [], timeout: UInt64,
        onAnswer: @escaping (Result<BusMessage, BusError>) -> Void
    ) throws(BusError) -> Int {
        dispatchPrecondition(condition: .onQueue(queue))
        let message = try make(object, member, arguments)
        defer { sd_bus_message_unref(message) }
        let number = nextCall
        nextCall += 1
        let call = PendingCall { [weak self] result in
            self?.drop(number)
            onAnswer(result)
        }
        let status = sd_bus_call_async(
            bus, &call.slot, message,
            { answer, context, _ in
                guard let answer, let context else { return 0 }
                let call = Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue()
                guard let error = sd_bus_message_get_error(answer), sd_bus_message_is_method_error(answer, nil) > 0
                else {
                    call.body(.success(BusMessage(pointer: answer)))
                    return 0
                }
                call.body(.failure(BusConnection.failure("the call", -1, error.pointee)))
                return 0
            }, Unmanaged.passUnretained(call).toOpaque(), timeout * 1_000_000)
        guard status >= 0 else { throw BusError(.callFailed, "\(member): \(errorText(-status))") }
        calls[number] = call
        // It stands in the library's own queue where the socket was full.
        if let onEnd { process(onEnd) }
        return number
    }

    /// Waits for that call no longer.
    package func drop(_ number: Int) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let call = calls.removeValue(forKey: number) else { return }
        sd_bus_slot_unref(call.slot)
        call.slot = nil
    }

    private func make(_ object: BusObject, _ member: String, _ arguments: [BusValue]) throws(BusError) -> OpaquePointer
    {
        var made: OpaquePointer?
        var status = sd_bus_message_new_method_call(
            bus, &made, object.service, object.path, object.interface, member)
        guard status >= 0, let made else { throw BusError(.callFailed, "\(member): \(errorText(-status))") }
        for argument in arguments where status >= 0 { status = argument.append(to: made) }
        guard status >= 0 else {
            sd_bus_message_unref(made)
            throw BusError(.callFailed, "\(member): \(errorText(-status))")
        }
        return made
    }

    private static func failure(_ member: String, _ status: Int32, _ error: sd_bus_error) -> BusError {
        let name = error.name.map { String(cString: $0) }
        let text = error.message.map { String(cString: $0) } ?? name ?? errorText(-status)
        return BusError(.callFailed, "\(member): \(text)", name: name)
    }

    // MARK: - Listening

    /// Starts to hear signals and answers; `onEnd` is called on the queue when the bus goes away.
    package func listen(onEnd: @escaping @Sendable (BusError) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.onEnd = onEnd
        let source = DispatchSource.makeReadSource(fileDescriptor: sd_bus_get_fd(bus), queue: queue)
        source.setEventHandler { [weak self] in self?.process(onEnd) }
        source.setCancelHandler { [handle] in withExtendedLifetime(handle) {} }
        self.source = source
        source.activate()
        process(onEnd)
    }

    /// Signals that arrive while a call waits for its answer stand in the library's own queue: the socket, which is
    /// watched, has none of them.
    private func processLater() {
        guard onEnd != nil else { return }
        queue.async { [weak self] in
            if let self, let onEnd { process(onEnd) }
        }
    }

    /// Handles what has arrived.
    func process(_ onEnd: @Sendable (BusError) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        while true {
            let result = sd_bus_process(bus, nil)
            if result == 0 { return watchTimeouts(onEnd) }
            guard result > 0 else {
                stop()
                return onEnd(BusError(.noBus, errorText(-result)))
            }
        }
    }

    /// The library notices that a call took too long only when it is looked at.
    private func watchTimeouts(_ onEnd: @Sendable (BusError) -> Void) {
        guard !calls.isEmpty, timer == nil, source != nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler { [weak self] in
            guard let self, let onEnd = self.onEnd else { return }
            if calls.isEmpty {
                self.timer?.cancel()
                self.timer = nil
            }
            process(onEnd)
        }
        self.timer = timer
        timer.activate()
    }

    /// Stops to hear signals and answers.
    package func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        for number in calls.keys { drop(number) }
        onEnd = nil
        timer?.cancel()
        timer = nil
        source?.cancel()
        source = nil
    }
}
