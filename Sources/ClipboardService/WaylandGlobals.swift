import CWayland
import CWaylandShims

/// What a compositor has that the clipboard wants.
struct WaylandGlobals {
    /// Which of the two protocols it speaks.
    let control: cwayland_control
    /// The global object of that protocol.
    let manager: OpaquePointer
    /// The first seat, which everybody has.
    let seat: OpaquePointer

    /// Asks the compositor; nil when it lacks something, or is gone.
    init?(_ display: OpaquePointer) {
        guard let registry = wl_display_get_registry(display) else { return nil }
        defer { wl_registry_destroy(registry) }
        guard let numbers = Self.numbers(display, registry) else { return nil }
        let controls = [cwayland_ext_control, cwayland_wlr_control]
        for control in controls {
            guard let number = numbers[String(cString: control.manager.pointee.name)], let seat = numbers["wl_seat"],
                let manager = wl_registry_bind(registry, number, control.manager, 1),
                let bound = wl_registry_bind(registry, seat, control.seat, 1)
            else { continue }
            (self.control, self.manager, self.seat) = (control, OpaquePointer(manager), OpaquePointer(bound))
            return
        }
        return nil
    }

    /// The number of the first object of each name.
    private static func numbers(_ display: OpaquePointer, _ registry: OpaquePointer) -> [String: UInt32]? {
        var numbers: [String: UInt32] = [:]
        var events = wl_registry_listener(
            global: { data, _, number, name, _ in
                guard let data, let name else { return }
                let numbers = data.assumingMemoryBound(to: [String: UInt32].self)
                if numbers.pointee[String(cString: name)] == nil { numbers.pointee[String(cString: name)] = number }
            },
            global_remove: { _, _, _ in })
        // Nothing is heard of the registry after this.
        let isAnswered = withUnsafeMutablePointer(to: &numbers) { numbers in
            withUnsafePointer(to: &events) { events in
                wl_registry_add_listener(registry, events, numbers) == 0 && wl_display_roundtrip(display) >= 0
            }
        }
        return isAnswered ? numbers : nil
    }
}
