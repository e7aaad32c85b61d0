import CAdwaita

/// What a signal came with. It is good for the time of the call only.
@MainActor
package struct SignalArguments {
    private let values: UnsafePointer<GValue>
    private let count: Int

    init(values: UnsafePointer<GValue>, count: Int) {
        self.values = values
        self.count = count
    }

    /// How many there are, beside the sender.
    package var isEmpty: Bool { count <= 1 }

    /// The number at `index`, counted from 0; nil when there is another kind of thing.
    package func number(_ index: Int) -> Int? {
        guard index + 1 < count else { return nil }
        let value = values + index + 1
        switch value.pointee.g_type {
        case g_type_from_name("guint"): return Int(g_value_get_uint(value))
        case g_type_from_name("gint"): return Int(g_value_get_int(value))
        case g_type_from_name("gboolean"): return Int(g_value_get_boolean(value))
        default:
            return g_type_is_a(value.pointee.g_type, g_type_from_name("GFlags")) != 0
                ? Int(g_value_get_flags(value)) : nil
        }
    }

    /// The object at `index`, counted from 0; nil when there is none, or one of another type.
    package func object<Kind: Object>(_ index: Int, as kind: Kind.Type = Kind.self) -> Kind? {
        guard index + 1 < count, g_type_is_a(values[index + 1].g_type, g_object_get_type()) != 0 else { return nil }
        return kind.init(checking: g_value_get_object(values + index + 1))
    }
}

/// A closure that a signal calls, until it is taken off.
@MainActor
package final class SignalConnection {
    private let closure: UnsafeMutablePointer<GClosure>

    init(_ closure: UnsafeMutablePointer<GClosure>) {
        self.closure = closure
        g_closure_ref(closure)
    }

    isolated deinit {
        g_closure_unref(closure)
    }

    /// Takes the closure off, and lets go of what it holds. The object may be gone already.
    package func disconnect() {
        g_closure_invalidate(closure)
    }
}

extension Object {
    /// Calls `body` whenever the object sends `signal`.
    ///
    /// `body` answers a signal that asks whether it was handled; the answer to any other is thrown away.
    ///
    /// - Precondition: the object has such a signal. The name is part of our source, so a wrong one is our mistake.
    @discardableResult
    package func on(
        _ signal: String, answering body: @escaping @MainActor (SignalArguments) -> Bool
    ) -> SignalConnection {
        let box = Unmanaged.passRetained(SignalBox(body)).toOpaque()
        guard let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), box) else {
            preconditionFailure("no memory for a closure")
        }
        g_closure_set_marshal(closure, SignalBox.marshal)
        g_closure_add_invalidate_notifier(closure, box) { data, _ in
            if let data { Unmanaged<SignalBox>.fromOpaque(data).takeUnretainedValue().forget() }
        }
        g_closure_add_finalize_notifier(closure, box) { data, _ in
            if let data { Unmanaged<SignalBox>.fromOpaque(data).release() }
        }
        let connection = SignalConnection(closure)
        let identifier = g_signal_connect_closure(raw, signal, closure, 0)
        precondition(identifier != 0, "\(typeName) has no signal \(signal)")
        return connection
    }

    /// Calls `body` whenever the object sends `signal`.
    @discardableResult
    package func on(_ signal: String, _ body: @escaping @MainActor () -> Void) -> SignalConnection {
        on(signal) { _ in
            body()
            return false
        }
    }
}

/// A closure of Swift inside one of GLib.
private final class SignalBox {
    private var body: (@MainActor (SignalArguments) -> Bool)?

    init(_ body: @escaping @MainActor (SignalArguments) -> Bool) { self.body = body }

    func forget() { body = nil }

    /// Decodes what GLib hands over. All objects of the toolkit send on the main thread.
    static let marshal:
        @convention(c) (
            UnsafeMutablePointer<GClosure>?, UnsafeMutablePointer<GValue>?, guint, UnsafePointer<GValue>?,
            UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> Void = { closure, result, count, values, _, _ in
            guard let data = closure?.pointee.data, let values else { return }
            guard let body = Unmanaged<SignalBox>.fromOpaque(data).takeUnretainedValue().body else { return }
            // SAFETY: used inside this call, on this thread.
            nonisolated(unsafe) let arguments = values
            let isHandled = MainActor.assumeIsolated { body(SignalArguments(values: arguments, count: Int(count))) }
            if let result, result.pointee.g_type == g_type_from_name("gboolean") {
                g_value_set_boolean(result, isHandled ? 1 : 0)
            }
        }
}
